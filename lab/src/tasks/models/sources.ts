/**
 * Unmixing: sources of one or several distributions, mixed by a random matrix of condition up to about the number of sources.
 * The score is the Amari distance between the mixing that was found and the true one.
 */
import { metrics } from 'orthodict';
import { createRandom, normalMatrix, type Random, referenceKernels, zeros } from 'orthodict/extend';
import { learn } from 'orthodict/node';
import { libraryCall } from '../../contenders/library-call.ts';
import { pythonFit } from '../../contenders/python-contender.ts';
import type { Data } from '../turns.ts';
import type { ModelTask } from './model-task.ts';

/** A number of variance 1. */
type Draw = (random: Random) => number;

const uniform: Draw = (random) => Math.sqrt(3) * (2 * random.uniform() - 1);
const laplace: Draw = (random) => ((random.uniform() < 0.5 ? 1 : -1) * Math.log(1 - random.uniform())) / Math.SQRT2;
const exponential: Draw = (random) => -Math.log(1 - random.uniform()) - 1;
const sparse: Draw = (random) => (random.uniform() < 0.3 ? random.normal() / Math.sqrt(0.3) : 0);

const KINDS: Readonly<Record<string, readonly Draw[]>> = {
  uniform: [uniform],
  'half uniform, half Laplace': [uniform, laplace],
  Laplace: [laplace],
  exponential: [exponential],
  'Bernoulli-Gaussian, θ = .3': [sparse],
};

function deal(draws: readonly Draw[], n: number, p: number, seed: number): Data {
  const random = createRandom(seed, 'sources');
  const sources = zeros(p, n);
  sources.data.forEach((_, at) => {
    sources.data[at] = draws[(at % n) % draws.length](random);
  });
  const mixing = normalMatrix(n, n, random); // a row for each source
  return {
    given: { samples: referenceKernels.multiply(sources, mixing, 'nn') },
    score: ({ mixing: found }) => metrics.amariDistance(found, mixing),
  };
}

const ica = libraryCall('orthodict ica', async ({ samples }, seed, signal) => {
  const { dictionary } = await learn(samples, { method: 'ica', seed }, { signal });
  return { mixing: dictionary.atoms };
});

const zca = libraryCall('orthodict msp, zca', async ({ samples }, seed, signal) => {
  const { dictionary } = await learn(samples, { whiten: 'zca', center: true, seed }, { signal });
  return { mixing: dictionary.atoms };
});

const fastIca = ['cube', 'logcosh', 'exp'].map((fun) =>
  pythonFit(
    `scikit-learn FastICA ${fun}`,
    `
from sklearn.decomposition import FastICA
def fit(given, seed):
    model = FastICA(fun='${fun}', whiten='unit-variance', random_state=seed, max_iter=1000)
    return dict(mixing=model.fit(given['samples']).mixing_.T)
`,
  ),
);

const SIZES = [
  [10, 5000],
  [30, 20_000],
] as const;

export const sourceTasks: readonly ModelTask[] = SIZES.flatMap(([n, p]) =>
  Object.entries(KINDS).map(
    ([kind, draws]): ModelTask => ({
      group: 'Unmixing sources',
      data: `${kind}, n = ${n}, p = ${p.toLocaleString('en-US')}`,
      objective: 'Amari distance',
      timeBar: 2,
      scoreBar: 1.1,
      reason:
        'Fitting a density to every source takes 10 to 13 passes, and refining it where codes have zeros 12 more; FastICA takes 6 to 14.',
      contenders: [ica, zca, ...fastIca],
      deal: async (seed) => deal(draws, n, p, seed),
    }),
  ),
);
