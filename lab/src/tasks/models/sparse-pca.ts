/**
 * Sparse principal components, learned from one half of the samples with at most m·K non-zeros in all. The score is the share of
 * the variance of the other half that they do not explain, adjusted for correlated scores.
 */
import type { Matrix64, SparsePcaOptions } from 'orthodict';
import { unitRows } from 'orthodict/extend';
import { learnSparsePca } from 'orthodict/node';
import { libraryCall } from '../../contenders/library-call.ts';
import { pythonFit } from '../../contenders/python-contender.ts';
import { sklearnSparsePca } from '../../contenders/sklearn-sparse-pca.ts';
import { missingDataPackage } from '../../data-package.ts';
import { DIGITS, drawDigits } from '../../experiments/sparse-pca/digits.ts';
import { judgeOf } from '../../experiments/sparse-pca/explained.ts';
import { halves } from '../../experiments/sparse-pca/halves.ts';
import { cancer, readTable, wine } from '../../experiments/sparse-pca/tables.ts';
import type { Data } from '../turns.ts';
import type { ModelTask } from './model-task.ts';

interface Shape {
  readonly m: number;
  readonly K: number;
}

const ours = (name: string, options: SparsePcaOptions) =>
  libraryCall(name, async ({ samples }, seed, signal) => {
    return { loadings: (await learnSparsePca(samples, { ...options, seed }, { signal })).loadings };
  });

const thresholded = ({ m, K }: Shape) =>
  pythonFit(
    'scikit-learn PCA, K largest of each',
    `
from sklearn.decomposition import PCA
def fit(given, seed):
    loadings = PCA(${m}, random_state=seed).fit(given['samples']).components_
    for row in loadings:
        row[np.argsort(-np.abs(row))[${K}:]] = 0
    return dict(loadings=loadings / np.linalg.norm(loadings, axis=1, keepdims=True))
`,
  );

async function deal(all: Matrix64, components: number, seed: number): Promise<Data> {
  const { learned: samples, held } = halves(all, seed);
  const judge = await judgeOf(held, components);
  return { given: { samples }, score: ({ loadings }) => 1 - judge.explained(unitRows(loadings)) };
}

const task = (
  data: string,
  shape: Shape,
  read: () => Promise<Matrix64>,
  missing?: ModelTask['missing'],
): ModelTask => ({
  group: 'Sparse principal components',
  data: `${data}, ${shape.m} of ${shape.K} non-zeros`,
  objective: 'variance missed, held out',
  timeBar: 2,
  reason:
    'Truncating dense components takes one eigendecomposition; SparsePCA takes longer than we do, and misses more.',
  contenders: [
    ours('orthodict sparse-pca', { components: shape.m, totalNonzeros: shape.m * shape.K }),
    ours('orthodict sparse-pca, K each', { components: shape.m, nonzeros: shape.K }),
    sklearnSparsePca(shape.m, shape.K),
    thresholded(shape),
  ],
  ...(missing && { missing }),
  deal: async (seed) => deal(await read(), shape.m, seed),
});

const digits = () => drawDigits(DIGITS, 1);

export const sparsePcaTasks: readonly ModelTask[] = [
  task('digits, 899×64', { m: 12, K: 16 }, digits),
  task('digits, 899×64', { m: 6, K: 8 }, digits),
  task(
    'breast cancer, 285×30',
    { m: 5, K: 6 },
    () => readTable(cancer),
    () => missingDataPackage(cancer),
  ),
  task(
    'wine, 89×13',
    { m: 4, K: 4 },
    () => readTable(wine),
    () => missingDataPackage(wine),
  ),
];
