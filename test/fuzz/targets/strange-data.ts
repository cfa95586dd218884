/** Strange data through every method and model, on every backend there is. */
import type { Executor } from '#src/engine/executor.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { NODE_BACKENDS } from '#src/node/threads/executor-options.ts';
import { selectNodeKernels } from '#src/node/threads/kernels.ts';
import { strangeData as setsOf } from '../strange-data.ts';
import { allWays, judge } from '../strange-runs.ts';
import { subject, type Target } from '../target.ts';

interface Case {
  readonly seed: number;
  readonly set: number;
  readonly way: number;
  readonly executor: number;
}

const setCount = [...setsOf(0)].length;

function setOf({ seed, set }: Case) {
  for (const [at, one] of [...setsOf(seed)].entries()) if (at === set) return one;
  throw new Error(`no set ${set}`);
}

export const strangeData: Target = {
  name: 'strange-data',
  about: 'strange data through every method, model and backend: refused in words, or finite and orthogonal',
  cases: 4000,
  open: async () => {
    const executors: Executor[] = [];
    for (const backend of NODE_BACKENDS) {
      await selectNodeKernels(backend).then(
        ({ kernels }) => executors.push(inlineExecutor(kernels)),
        () => {}, // a backend that is not here
      );
    }
    return subject<Case>({
      draw: (random) => ({
        seed: random.integer(1000),
        set: random.integer(setCount),
        way: random.integer(allWays.length),
        executor: random.integer(executors.length),
      }),
      check: async (given) => {
        const wrong = await judge(allWays[given.way], setOf(given).samples, executors[given.executor]);
        if (wrong) throw new Error(wrong);
        return 'sane';
      },
      keep: async (given) =>
        `${allWays[given.way].name} on "${setOf(given).name}" of seed ${given.seed}, ${executors[given.executor].kernels.name}`,
    });
  },
};
