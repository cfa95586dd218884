import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { NothingSkipped } from './test/helpers/nothing-skipped.ts';
import { patient } from './test/helpers/patience.ts';

const pathOf = (folder: string): string => fileURLToPath(new URL(folder, import.meta.url));
const SLOW = 'test/**/*.slow.test.ts';

/**
 * What takes longest begins first, so that no core waits for another at the end: Vitest itself begins with the quick project,
 * and where it knows no durations, as in a fresh checkout, with the largest files.
 */
class LongestFirst extends BaseSequencer {
  static readonly LONGEST =
    /\/(browser|fuzz|docs\/examples|distributed|behaviour\/(cluster|cli|learn)|lab\/test)[\w./-]*\.slow\.test\.ts$/;

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      project.name === 'quick' ? 2 : LongestFirst.LONGEST.test(moduleId) ? 0 : 1;
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/** `#src/x.ts` as it stands: Vitest compiles it, nothing is built but the kernels. */
const SOURCES = [{ find: /^#src\/(.*)$/, replacement: `${pathOf('./src/')}$1` }];
/** What ships: `#src/x.ts` is type-checked against src/x.ts and executed from dist/x.js, by Node itself; `#lab/x.ts` is lab/dist/x.js. */
const BUILT = [
  { find: /^#src\/(.*)\.ts$/, replacement: `${pathOf('./dist/')}$1.js` },
  { find: /^#lab\/(.*)\.ts$/, replacement: `${pathOf('./lab/dist/')}$1.js` },
];

export default defineConfig({
  test: {
    testTimeout: patient(60_000),
    hookTimeout: patient(60_000),
    setupFiles: 'test/helpers/properties.ts',
    maxWorkers: availableParallelism() + 1, // tests of processes and clusters wait a good part of their time
    reporters: process.env.ORTHODICT_TEST_ALL ? ['default', new NothingSkipped()] : ['default'],
    sequence: { sequencer: LongestFirst },
    server: { deps: { external: [/\/dist\//] } },
    projects: [
      {
        extends: true,
        resolve: { alias: SOURCES },
        // quick files share what they load
        test: { name: 'quick', include: ['test/**/*.test.ts'], exclude: [SLOW], isolate: false },
      },
      { extends: true, resolve: { alias: BUILT }, test: { name: 'slow', include: [SLOW] } },
      { extends: true, resolve: { alias: BUILT }, test: { name: 'lab', include: ['lab/test/**/*.test.ts'] } },
    ],
  },
});
