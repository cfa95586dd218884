/** Starts the page. */
import { mount } from 'svelte';
import App from './App.svelte';
import { isolate } from './isolate.ts';

await isolate();
mount(App, { target: document.getElementById('app')! });
document.documentElement.dataset.ready = location.hash.slice(1) || 'recover';
