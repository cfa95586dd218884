/** Starts the page. */
import { mount } from 'svelte';
import App from './app.svelte';
import { isolate } from './isolate.ts';
import './styles.css';

await isolate();
mount(App, { target: document.querySelector('#app')! });
