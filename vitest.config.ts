import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const dist = fileURLToPath(new URL('./dist/', import.meta.url));
const SLOW = 'test/**/*.slow.test.ts';

// Tests run what ships: `#src/x.ts` is type-checked against src/x.ts and executed from dist/x.js, by Node itself.
export default defineConfig({
  resolve: {
    alias: [{ find: /^#src\/(.*)\.ts$/, replacement: `${dist}$1.js` }],
  },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: availableParallelism() + 1, // tests of processes and clusters wait a good part of their time
    server: { deps: { external: [/\/dist\//] } },
    projects: [
      // quick files share what they load
      { extends: true, test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: [SLOW], isolate: false } },
      { extends: true, test: { name: 'slow', include: [SLOW] } },
    ],
  },
});
