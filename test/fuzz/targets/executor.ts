/** Concurrent runs on one executor, some of whose sources fail: every run settles, and the good ones are as if alone. */
import type { Matrix } from '#src/core/matrix.ts';
import { shareMatrix } from '#src/core/shared-memory.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import type { Source } from '#src/engine/source/source.ts';
import { createNodeExecutor } from '#src/node/threads/threads.ts';
import { pick, withoutOne } from '../edits.ts';
import { fingerprint, type Learner, learners } from '../runs.ts';
import { subject, type Target } from '../target.ts';

const CHUNKS = 6;
const FAULTS = ['none', 'rejects', 'throws', 'wrong shape', 'nothing', 'not a number', 'aborted'] as const;
type Fault = (typeof FAULTS)[number];

interface Task {
  readonly learner: number;
  readonly fault: Fault;
  /** The read, or report of progress, at which it happens. */
  readonly at: number;
}

interface Case {
  readonly tasks: readonly Task[];
}

const sampled = learners.filter(({ takesSamples }) => takesSamples);

class Planned extends Error {}

/** The samples as a source of several chunks that fails at read number `at`; one that does not is in shared memory. */
function failing(samples: Matrix, fault: Fault, at: number): Source {
  const whole = memorySource(shareMatrix(samples));
  const { rows, cols, precision } = whole;
  const size = Math.ceil(rows / CHUNKS);
  const ranges = Array.from({ length: Math.ceil(rows / size) }, (_, k) => ({
    start: k * size,
    end: Math.min(rows, (k + 1) * size),
  }));
  if (fault === 'none' || fault === 'aborted') return { ...whole, ranges };
  let reads = 0;
  return {
    rows,
    cols,
    precision,
    ranges,
    read: (start, end) => {
      if (++reads < at) return whole.read(start, end);
      if (fault === 'throws') throw new Planned('planned');
      if (fault === 'rejects') return Promise.reject(new Planned('planned'));
      if (fault === 'nothing') return Promise.resolve(undefined as unknown as Matrix);
      return whole.read(start, end).then((part) => {
        if (fault === 'wrong shape') return { ...part, rows: part.rows - 1, data: part.data.slice(cols) } as Matrix;
        const copy = part.data.slice();
        copy[0] = Number.NaN;
        return { ...part, data: copy } as Matrix;
      });
    },
  };
}

export const executor: Target = {
  name: 'executor',
  about: 'concurrent runs on one pool of threads, with sources that fail: all settle, the good ones as if alone',
  cases: 200,
  open: async () => {
    const pool = await createNodeExecutor({ threads: 3 });
    await pool.warm?.();
    const alone = new Map<Learner, string>();
    for (const learner of sampled) {
      const source = failing(learner.data as Matrix, 'none', 0);
      alone.set(learner, fingerprint(await learner.learn(source, learner.short, { executor: pool })));
    }
    const run = async ({ learner: index, fault, at }: Task): Promise<string> => {
      const learner = sampled[index];
      const controller = new AbortController();
      let reports = 0;
      const onProgress = () => {
        if (fault === 'aborted' && ++reports === at) controller.abort(new Planned('planned'));
      };
      const source = failing(learner.data as Matrix, fault, at);
      const settled = await learner
        .learn(source, learner.short, { executor: pool, onProgress, signal: controller.signal })
        .then(
          (result) => ({ result: result as { readonly status?: string } }),
          (error: unknown) => ({ error }),
        );
      if ('error' in settled) {
        if (fault === 'none') throw settled.error;
        return 'failed';
      }
      if (settled.result.status === 'aborted') return 'aborted';
      // a fault that comes after the last read is none
      if (fingerprint(settled.result) !== alone.get(learner)) {
        throw new Error(`${learner.name} with the fault "${fault}" ends with another result`);
      }
      return 'same';
    };
    return subject<Case>({
      draw: (random) => ({
        tasks: Array.from({ length: 2 + random.integer(5) }, () => ({
          learner: random.integer(sampled.length),
          fault: pick(random, FAULTS),
          at: 1 + random.integer(12),
        })),
      }),
      check: async ({ tasks }) => {
        const outcomes = await Promise.allSettled(tasks.map(run));
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
        return 'settled';
      },
      *smaller({ tasks }) {
        for (const fewer of withoutOne(tasks)) yield { tasks: fewer };
      },
      keep: async ({ tasks }) =>
        tasks.map(({ learner, fault, at }) => `${sampled[learner].name}: ${fault} at ${at}`).join('; '),
      close: () => pool.close(),
    });
  },
};
