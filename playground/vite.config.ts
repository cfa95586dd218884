// The playground is built into the package (dist/playground) and runs the package's own modules, as any page would.
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { ISOLATION_HEADERS, PAGE_POLICY } from '../src/cli/page-server/policy.ts';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

/** Writes the policy that `orthodict serve` sends into the page, for other hosts. Vite's own server could not work under it. */
const policy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: PAGE_POLICY },
      injectTo: 'head-prepend',
    },
  ],
};

/** No warnings about parts that the command line loads when it needs them, or about the time that plugins take on a busy machine. */
const checks = { ineffectiveDynamicImport: false, pluginTimings: false };

export default defineConfig({
  base: './', // works from any folder of any host
  plugins: [svelte(), policy],
  resolve: {
    alias: [
      { find: /^orthodict\/browser$/, replacement: `${dist}browser/index.js` },
      { find: /^orthodict$/, replacement: `${dist}index.js` },
      { find: /^orthodict\/extend$/, replacement: `${dist}extend.js` },
    ],
  },
  server: { host: '127.0.0.1', headers: ISOLATION_HEADERS },
  preview: { host: '127.0.0.1', headers: ISOLATION_HEADERS },
  worker: { format: 'es', rolldownOptions: { checks } },
  build: {
    outDir: `${dist}playground`,
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the policy lets no data: be fetched
    license: { fileName: 'LICENSES.md' },
    rolldownOptions: { checks },
    chunkSizeWarningLimit: 1000, // Vega, which is loaded when a chart is shown
  },
});
