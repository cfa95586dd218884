/** Planted components are found by every method, and rotations are worth as much as the generalised power method. */
import { expect, it } from 'vitest';
import { identity, type Matrix64, transpose, zeros } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { qr } from '#src/linalg/qr.ts';
import { rotateFrom } from '#src/models/sparse-pca/givens.ts';
import { fitByGPower, strongestColumn } from '#src/models/sparse-pca/gpower.ts';
import { learnSparsePca } from '#src/models/sparse-pca/learn-sparse-pca.ts';
import { SPARSE_PCA_METHODS } from '#src/models/sparse-pca/options.ts';
import { generateSparseComponents } from '#src/synthetic/sparse-components.ts';
import { testSeed } from '../../helpers/seed.ts';
import { found, momentsOf, plainRun, plantedComponents, smallComponents } from './helpers.ts';

const seed = testSeed(1);

it.each(SPARSE_PCA_METHODS)('planted components are found by %s with a wanted number of non-zeros', async (method) => {
  const planted = plantedComponents(seed);
  const { support } = await learnSparsePca(planted.samples, { components: 5, nonzeros: 20, method });
  expect(found(support, planted.support)).toBe(5);
});

it('rotations alone reach at least the objective of the power method from any start, in 8 of 10 data sets', async () => {
  let wins = 0;
  for (let own = 0; own < 10; own++) {
    const { R, unit } = await momentsOf(smallComponents(seed + own).samples, 4);
    const run = { run: await plainRun(), maxIterations: 1000, tolerance: 1e-10, seed: own };
    const gammas = new Float64Array(4).fill(0.25 / unit);
    const givens = await rotateFrom(identity(R.rows), R, gammas, run);
    const power = await fitByGPower(R, gammas, run);
    const authors = await fitByGPower(R, gammas, run, authorsStart(R, 4, own));
    if (givens.objective >= Math.max(power.objective, authors.objective) * (1 - 1e-8)) wins++;
  }
  expect(wins).toBeGreaterThanOrEqual(8);
});

it('takes 38 samples of 3,051 features', async () => {
  const shape = { samples: 38, features: 3051, components: 5, nonzeros: 50, deviations: [20, 12] } as const;
  const { samples } = generateSparseComponents({ ...shape, seed });
  const { support } = await learnSparsePca(samples, { components: 5, nonzeros: 50 });
  expect(support.map((features) => features.length)).toEqual([50, 50, 50, 50, 50]);
});

/** The strongest feature, and random directions beside it. */
function authorsStart(R: Matrix64, components: number, seed: number): Matrix64 {
  const random = createRandom(seed, 'gpower start');
  const { column } = strongestColumn(R);
  const start = zeros(R.rows, components);
  for (let k = 0; k < R.rows; k++) {
    start.data[k * components] = R.data[k * R.cols + column];
    for (let i = 1; i < components; i++) start.data[k * components + i] = random.normal();
  }
  return transpose(qr(start).q);
}
