import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Tests run what ships: `#src/x.ts` is type-checked against src/x.ts and executed from dist/x.js.
export default defineConfig({
  resolve: {
    alias: [{ find: /^#src\/(.*)\.ts$/, replacement: fileURLToPath(new URL('./dist/$1.js', import.meta.url)) }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
