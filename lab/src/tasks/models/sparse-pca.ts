/**
 * Sparse principal components, learned from one half of the samples with at most m·K non-zeros in all. The score is the share of
 * the variance of the other half that they do not explain, adjusted for correlated scores.
 */
import type { Matrix64 } from 'orthodict';
import { createRandom, randomOrder, selectRows, unitRows } from 'orthodict/extend';
import { learnSparsePca } from 'orthodict/node';
import { missingDataPackage } from '../../data-package.ts';
import { DIGITS, drawDigits } from '../../experiments/givens/digits.ts';
import { centre, judgeOf } from '../../experiments/givens/explained.ts';
import { cancer, readTable, wine } from '../../experiments/sparse-pca/tables.ts';
import type { Game, Match, OurPlayer, PeerPlayer } from './match.ts';

interface Shape {
  readonly m: number;
  readonly K: number;
}

const shared = ({ m, K }: Shape): OurPlayer => ({
  name: 'orthodict sparse-pca',
  async fit({ samples }, seed, signal) {
    return {
      loadings: (await learnSparsePca(samples, { components: m, totalNonzeros: m * K, seed }, { signal })).loadings,
    };
  },
});

const even = ({ m, K }: Shape): OurPlayer => ({
  name: 'orthodict sparse-pca, K each',
  async fit({ samples }, seed, signal) {
    return { loadings: (await learnSparsePca(samples, { components: m, nonzeros: K, seed }, { signal })).loadings };
  },
});

/** The penalty with most non-zeros, but not too many, by bisection; only the fit with that penalty is timed. */
const sklearn = ({ m, K }: Shape): PeerPlayer => ({
  name: 'scikit-learn SparsePCA',
  mostRounds: 3,
  script: `
from sklearn.decomposition import SparsePCA
def fit(given, seed):
    samples = given['samples']
    low, high, best = 1e-3, 1.3 * np.sqrt(np.sum(samples ** 2) / samples.shape[1]), None
    for step in range(12):
        alpha = np.sqrt(low * high)
        started = time.perf_counter()
        model = SparsePCA(${m}, alpha=alpha, method='cd', max_iter=200, random_state=seed).fit(samples)
        seconds = time.perf_counter() - started
        if np.count_nonzero(model.components_) <= ${m * K}:
            high, best = alpha, dict(loadings=model.components_, seconds=seconds)
        else:
            low = alpha
    return best
`,
});

const thresholded = ({ m, K }: Shape): PeerPlayer => ({
  name: 'scikit-learn PCA, K largest of each',
  script: `
from sklearn.decomposition import PCA
def fit(given, seed):
    loadings = PCA(${m}, random_state=seed).fit(given['samples']).components_
    for row in loadings:
        row[np.argsort(-np.abs(row))[${K}:]] = 0
    return dict(loadings=loadings / np.linalg.norm(loadings, axis=1, keepdims=True))
`,
});

async function deal(all: Matrix64, components: number, seed: number): Promise<Game> {
  const order = randomOrder(all.rows, all.rows, createRandom(seed, 'halves'));
  const middle = Math.ceil(all.rows / 2);
  const [samples, held] = [order.slice(0, middle), order.slice(middle)].map((half) => centre(selectRows(all, half)));
  const judge = await judgeOf(held, components);
  return { given: { samples }, score: ({ loadings }) => 1 - judge.explained(unitRows(loadings)) };
}

const match = (data: string, shape: Shape, read: () => Promise<Matrix64>, missing?: Match['missing']): Match => ({
  group: 'Sparse principal components',
  data: `${data}, ${shape.m} of ${shape.K} non-zeros`,
  objective: 'variance missed, held out',
  timeBar: 2,
  reason:
    'Truncating dense components takes one eigendecomposition; SparsePCA takes longer than we do, and misses more.',
  ours: [shared(shape), even(shape)],
  peers: [sklearn(shape), thresholded(shape)],
  ...(missing && { missing }),
  deal: async (seed) => deal(await read(), shape.m, seed),
});

const digits = () => drawDigits(DIGITS, 1);

export const sparsePcaMatches: readonly Match[] = [
  match('digits, 899×64', { m: 12, K: 16 }, digits),
  match('digits, 899×64', { m: 6, K: 8 }, digits),
  match(
    'breast cancer, 285×30',
    { m: 5, K: 6 },
    () => readTable(cancer),
    () => missingDataPackage(cancer),
  ),
  match(
    'wine, 89×13',
    { m: 4, K: 4 },
    () => readTable(wine),
    () => missingDataPackage(wine),
  ),
];
