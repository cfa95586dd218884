/** Concurrent runs on one executor, some of whose sources fail: every run settles, and the good ones are as if alone. */
import type { Matrix } from '#src/core/matrix.ts';
import { memorySource } from '#src/engine/memory.ts';
import type { Source } from '#src/engine/source.ts';
import { createNodeExecutor } from '#src/node/threads/threads.ts';
import { pick, withoutOne } from '../edits.ts';
import { fingerprint, type Learner, learners } from '../runs.ts';
import { subject, type Target } from '../target.ts';

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

/** The samples as a source that fails at read number `at`. */
function failing(samples: Matrix, fault: Fault, at: number): Source {
  const whole = memorySource(samples);
  let reads = 0;
  return {
    rows: samples.rows,
    cols: samples.cols,
    precision: whole.precision,
    read: (start, end) => {
      if (++reads < at || fault === 'none' || fault === 'aborted') return whole.read(start, end);
      if (fault === 'throws') throw new Planned('planned');
      if (fault === 'rejects') return Promise.reject(new Planned('planned'));
      if (fault === 'nothing') return Promise.resolve(undefined as unknown as Matrix);
      return whole.read(start, end).then(({ rows, cols, data }) => {
        if (fault === 'wrong shape') return { rows: rows - 1, cols, data: data.slice(cols) } as Matrix;
        const copy = data.slice();
        copy[0] = Number.NaN;
        return { rows, cols, data: copy } as Matrix;
      });
    },
  };
}

export const executor: Target = {
  name: 'executor',
  about: 'concurrent runs on one pool of threads, with sources that fail: all settle, the good ones as if alone',
  cases: 200,
  open: async () => {
    const pool = await createNodeExecutor({ threads: 2 });
    const alone = new Map<Learner, string>();
    for (const learner of sampled) {
      alone.set(learner, fingerprint(await learner.learn(learner.data, learner.short, { executor: pool })));
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
