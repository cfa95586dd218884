/**
 * orthodict itself: library calls on samples in memory, on all cores, with threads already started. The whole call is
 * timed.
 */
import { type Executor, generate, type LearnOptions } from 'orthodict';
import { createNodeExecutor, learn, type NodeBackendChoice } from 'orthodict/node';
import { TARGETS } from '../tasks/recovery/objective.ts';
import type { Contender, Missing, Session, Snapshot, Task } from './contender.ts';
import { optionsFor } from './our-options.ts';

/** The reference kernels favour readability over speed. */
const MOST_FEATURES_JS = 25;

/** One contender per backend; one snapshot, when the call returns. */
export function orthodict(backend: Exclude<NodeBackendChoice, 'auto'>): Contender {
  return {
    name: `orthodict ${backend}`,
    ours: true,
    targeted: true,
    excuse: ({ features }) =>
      backend === 'js' && features > MOST_FEATURES_JS
        ? `runs up to n=${MOST_FEATURES_JS} only: these kernels favour readability over speed`
        : undefined,
    open: () => open(backend, async (call, { target = 0 }) => [(await call(optionsFor(target))).snapshot]),
  };
}

/**
 * On real data, with the fastest backend. `stopped`: also runs that are stopped after 1, 2, 4, 8, … iterations, each
 * timed from its beginning.
 */
export function orthodictOnRealData(name: string, options: LearnOptions, stopped: boolean): Contender {
  return {
    name,
    ours: true,
    open: () =>
      open('auto', async (call, { seed }) => {
        const { iterations, snapshot } = await call({ ...options, seed });
        const snapshots: Snapshot[] = [];
        for (let limit = 1; stopped && limit < iterations; limit *= 2) {
          snapshots.push(await steadily(() => call(Object.assign({}, options, { seed, maxIterations: limit }))));
        }
        return [...snapshots, snapshot];
      }),
  };
}

/** Runs shorter than this are repeated, and the one in the middle counts: they are all over before noise averages out. */
const SHORT_SECONDS = 0.3;
const SHORT_REPEATS = 3;

async function steadily(call: () => ReturnType<Call>): Promise<Snapshot> {
  const runs = [(await call()).snapshot];
  while (runs[0].seconds < SHORT_SECONDS && runs.length < SHORT_REPEATS) runs.push((await call()).snapshot);
  return runs.sort((a, b) => a.seconds - b.seconds)[runs.length >> 1];
}

/** Runs until the code that all runs share is compiled. */
async function warmUp(executor: Executor): Promise<void> {
  const { samples } = generate({ samples: 10_000, features: 16, theta: 0.3, seed: 0 });
  const started = performance.now();
  for (let call = 0; call < 2 || performance.now() - started < WARM_UP_MS; call++) {
    await learn(samples, optionsFor(TARGETS[call % TARGETS.length]), { executor });
  }
}

const WARM_UP_MS = 500;

/** Learns from the samples of the task. */
type Call = (options: LearnOptions) => Promise<{ readonly snapshot: Snapshot; readonly iterations: number }>;

async function open(
  backend: NodeBackendChoice,
  run: (call: Call, task: Task) => Promise<Snapshot[]>,
): Promise<Session | Missing> {
  try {
    const executor = await createNodeExecutor({ backend });
    await executor.warm?.();
    await warmUp(executor);
    const callOn =
      ({ given, signal }: Task): Call =>
      async (options) => {
        const started = performance.now();
        const { dictionary, passes, iterations } = await learn(given.samples, options, { executor, signal });
        const seconds = (performance.now() - started) / 1000;
        signal.throwIfAborted();
        return { snapshot: { seconds, passes, found: { atoms: dictionary.atoms } }, iterations };
      };
    return {
      description: `kernels ${executor.kernels.name}, ${executor.threads} threads`,
      run: (task) => run(callOn(task), task),
      close: () => executor.close(),
    };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}
