// The playground is built into the package (dist/playground) and runs the package's own modules, as any page would.
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

export default defineConfig({
  base: './', // works from any folder of any host
  plugins: [svelte()],
  resolve: {
    alias: [
      { find: /^orthodict\/browser$/, replacement: `${dist}browser/index.js` },
      { find: /^orthodict$/, replacement: `${dist}index.js` },
    ],
  },
  worker: { format: 'es' },
  build: { outDir: `${dist}playground`, emptyOutDir: true, target: 'es2023', modulePreload: { polyfill: false } },
});
