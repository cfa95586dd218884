/**
 * orthodict itself, one contender per backend: a library call on samples in memory, on all cores, with threads already
 * started. It times the whole call and takes no intermediate snapshots.
 */
import type { LearnOptions } from '../../learn/options.ts';
import { learn } from '../../node/models.ts';
import type { NodeBackendChoice } from '../../node/threads/kernels.ts';
import { createNodeExecutor } from '../../node/threads/threads.ts';
import { generate } from '../../synthetic/bernoulli-gaussian.ts';
import type { Contender, Session } from '../contender.ts';

/** Error that ℓ4 maximisation alone can reach; below it, refinement is needed. */
const EXPLORING_ERROR = 4e-3;
/** Without refinement, stop when a step moves the atoms by no more than this. */
const COARSE_TOLERANCE = 1e-2;
/** The reference kernels favour readability over speed. */
const MOST_FEATURES_JS = 25;

export function orthodict(backend: Exclude<NodeBackendChoice, 'auto'>): Contender {
  return {
    name: `orthodict ${backend}`,
    ours: true,
    targeted: true,
    excuse: ({ features }) =>
      backend === 'js' && features > MOST_FEATURES_JS
        ? `runs up to n=${MOST_FEATURES_JS} only: these kernels favour readability over speed`
        : undefined,
    async open() {
      try {
        return await openSession(backend);
      } catch (error) {
        return { missing: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

async function openSession(backend: NodeBackendChoice): Promise<Session> {
  const executor = await createNodeExecutor({ backend });
  await executor.warm?.();
  await learn(generate({ samples: 2000, features: 16, theta: 0.3, seed: 0 }).samples, {}, { executor }); // warm-up
  return {
    description: `kernels ${executor.kernels.name}, ${executor.threads} threads`,
    async run({ samples, target, signal }) {
      const started = performance.now();
      const { dictionary } = await learn(samples, optionsFor(target), { executor, signal });
      const seconds = (performance.now() - started) / 1000;
      signal.throwIfAborted();
      return [{ seconds, atoms: dictionary.atoms }];
    },
    close: () => executor.close(),
  };
}

function optionsFor(target: number): LearnOptions {
  return target < EXPLORING_ERROR ? {} : { refine: 'none', tolerance: COARSE_TOLERANCE };
}
