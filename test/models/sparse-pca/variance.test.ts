/** Method variance: what it maximises never falls, and it does not depend on signs, order or units of the features. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  addScaled,
  fromRows,
  type Matrix64,
  range,
  row,
  rowRange,
  selectRows,
  transpose,
  unitRows,
  zeros,
} from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { Progress } from '#src/engine/stop.ts';
import { selectKernels } from '#src/kernels/select.ts';
import { eigenvalues } from '#src/linalg/eigh.ts';
import { qr } from '#src/linalg/qr.ts';
import { largest } from '#src/models/sparse-pca/choose-gamma.ts';
import { describeLoadings } from '#src/models/sparse-pca/components.ts';
import { sharedCounts } from '#src/models/sparse-pca/counts.ts';
import { type CovarianceOperator, covarianceOperator } from '#src/models/sparse-pca/covariance.ts';
import { learnSparsePca, type SparsePcaResult } from '#src/models/sparse-pca/learn-sparse-pca.ts';
import { placeOf } from '#src/models/sparse-pca/place.ts';
import { type Rest, restOf } from '#src/models/sparse-pca/rest.ts';
import { coordinateVector, sparseVector } from '#src/models/sparse-pca/sparse-vector.ts';
import { truncatedPower } from '#src/models/sparse-pca/truncated-power.ts';
import { readMatrix } from '#src/node/io/arrays.ts';
import { packageRoot } from '#src/node/package-root.ts';
import { testSeed } from '../../helpers/seed.ts';
import { momentsOf, smallComponents } from './helpers.ts';

const seed = testSeed(1);
const random = createRandom(seed, 'variance');
const noise = normalMatrix(50, 20, random);
const total = (values: Float64Array) => values.reduce((sum, v) => sum + v, 0);
const explained = ({ adjustedVariance, totalVariance }: SparsePcaResult) => total(adjustedVariance) / totalVariance;
const nonzerosIn = ({ support }: SparsePcaResult) => support.map((features) => features.length);

describe('the truncated power method', async () => {
  const { R } = await momentsOf(noise, 1);
  const kernels = await selectKernels('auto');
  const others = unitRows(normalMatrix(3, 20, random));
  /** Scores of the others, orthonormal: the oracle for what they leave, D = Rᵀ(I − QᵀQ)R. */
  const Q = transpose(qr(kernels.multiply(R, others, 'nt')).q);
  const left = addScaled(R, -1, kernels.multiply(Q, kernels.multiply(Q, R, 'nn'), 'tn'));
  const D = kernels.multiply(left, left, 'tn');
  /** With 80 more features, which have no variance. */
  const widened = (rows: Matrix64): Matrix64 => {
    const wide = zeros(rows.rows, 100);
    for (let i = 0; i < rows.rows; i++) row(wide, i).set(row(rows, i));
    return wide;
  };

  it.each([
    ['the covariance', R, others],
    ['rows, fewer than a quarter of the features', widened(R), widened(others)],
  ])('ends at the leading eigenvector on its support of what the others leave: from %s', (_, rows, loadings) => {
    const rest = restBesides(covarianceOperator(rows, kernels), loadings);
    const effort = { maxSteps: 10_000, tolerance: 1e-14 };
    const { kept, value } = truncatedPower(rest, coordinateVector(rows.cols, 4), { count: 6, price: 0 }, effort)!;
    const S = [...kept.at.subarray(0, kept.size)];
    expect(S.length).toBe(6);
    const z = kept.values.subarray(0, 6).map((x) => x / Math.sqrt(value));
    const image = S.map((k) => S.reduce((sum, l, j) => sum + D.data[k * 20 + l] * z[j], 0));
    // the last step gains 1e-14: half the digits for z
    image.forEach((x, j) => {
      expect(Math.abs(x / value - z[j])).toBeLessThan(1e-6);
    });
    expect(value).toBeCloseTo(Math.max(...eigenvalues(fromRows(S.map((k) => S.map((l) => D.data[k * 20 + l]))))), 9);
  });

  it('finds nothing within the span of the others', () => {
    const rest = restBesides(covarianceOperator(R, kernels), others);
    const start = sparseVector(row(others, 1));
    expect(truncatedPower(rest, start, { count: 3, price: 0 }, { maxSteps: 10, tolerance: 0 })).toBeUndefined();
  });
});

/** What loadings leave. */
function restBesides(C: CovarianceOperator, loadings: Matrix64): Rest {
  const { images, G } = placeOf({ C, price: 0, total: undefined }, loadings, new Float64Array(loadings.rows));
  return restOf(C, images, G, range(loadings.rows));
}

it('counts of shared non-zeros follow the largest magnitudes, with one for every row', () => {
  const P = fromRows([
    [9, -8, 7, 0],
    [1, 0, 0, 0],
    [-6, 5, 0, 2],
  ]);
  expect([...sharedCounts(P, 3)]).toEqual([1, 1, 1]);
  expect([...sharedCounts(P, 6)]).toEqual([3, 1, 2]);
  expect([...sharedCounts(P, 12)]).toEqual([4, 4, 4]);
});

describe('what is maximised', () => {
  it.each([{ nonzeros: 4 }, { totalNonzeros: 13 }, { gamma: 0.3 }])(
    'never falls, and is reported: %o',
    async (sparsity) => {
      const steps: Progress[] = [];
      const onProgress = (progress: Progress) => progress.iteration > 0 && steps.push(progress);
      const result = await learnSparsePca(noise, { components: 3, ...sparsity }, { onProgress });
      for (let k = 1; k < steps.length; k++) {
        if (steps[k].iteration > 1) expect(steps[k].objective).toBeGreaterThanOrEqual(steps[k - 1].objective);
      }
      const price = (sparsity.gamma ?? 0) ** 2 * total(Float64Array.from(nonzerosIn(result)));
      expect(result.objective).toBeCloseTo(total(result.adjustedVariance) - price, 9);
      expect(Math.max(...steps.map(({ objective }) => objective))).toBeCloseTo(result.objective, 9);
    },
  );

  it('is at least that of the principal components, truncated, and more with shared non-zeros', async () => {
    const { R, unit } = await momentsOf(noise, 4);
    const truncated = describeLoadings(R, unitRows(largest(rowRange(R, 0, 4), 5)), new Float64Array(4), unit);
    const each = await learnSparsePca(noise, { components: 4, nonzeros: 5 });
    const shared = await learnSparsePca(noise, { components: 4, totalNonzeros: 20 });
    expect(nonzerosIn(each)).toEqual([5, 5, 5, 5]);
    expect(nonzerosIn(shared).reduce((sum, count) => sum + count)).toBe(20);
    expect(total(each.adjustedVariance)).toBeGreaterThan(total(truncated.adjustedVariance));
    expect(explained(shared)).toBeGreaterThan(0.98 * explained(each));
  });

  it('has a price: every non-zero is worth γ², and a larger γ leaves fewer', async () => {
    const counts: number[] = [];
    for (const gamma of [0.1, 0.3, 0.6]) {
      const result = await learnSparsePca(noise, { components: 3, gamma });
      counts.push(nonzerosIn(result).reduce((sum, count) => sum + count));
      expect([...result.gammas]).toEqual([gamma, gamma, gamma].map((g) => expect.closeTo(g, 12)));
    }
    expect([...counts].sort((a, b) => b - a)).toEqual(counts);
    expect(new Set(counts).size).toBe(3);
  });
});

describe('does not depend on', () => {
  const options = { components: 3, nonzeros: 6 };
  const { samples } = smallComponents(seed);
  const n = samples.cols;
  const perFeature = (factor: (k: number) => number): Matrix64 => ({
    ...samples,
    data: samples.data.map((y, at) => y * factor(at % n)),
  });

  it('signs of the features', async () => {
    const [plain, turned] = await Promise.all(
      [samples, perFeature((k) => (k % 3 === 0 ? -1 : 1))].map((data) => learnSparsePca(data, options)),
    );
    expect(turned.support).toEqual(plain.support);
    expect(explained(turned)).toBeCloseTo(explained(plain), 10);
  });

  it('their order', async () => {
    const order = range(n).map((k) => (7 * k + 3) % n); // 120 and 7 have no common divisor
    const shuffled = transpose(selectRows(transpose(samples), order));
    const [plain, turned] = [await learnSparsePca(samples, options), await learnSparsePca(shuffled, options)];
    const back = turned.support.map((features) => features.map((k) => order[k]).sort((a, b) => a - b));
    expect(back).toEqual(plain.support);
  });

  it('their common unit', async () => {
    const [plain, scaled] = [
      await learnSparsePca(samples, options),
      await learnSparsePca(
        perFeature(() => 1e-3),
        options,
      ),
    ];
    expect(scaled.support).toEqual(plain.support);
    expect(total(scaled.adjustedVariance)).toBeCloseTo(1e-6 * total(plain.adjustedVariance), 12);
  });
});

describe('edges', () => {
  it('one feature, one component', async () => {
    const { loadings } = await learnSparsePca(fromRows([[1], [3], [4]]), { components: 1, nonzeros: 1 });
    expect([...loadings.data]).toEqual([1]);
  });

  it.each([{ nonzeros: 20 }, { totalNonzeros: 80 }, { gamma: 0 }])(
    'all features: principal components, %o',
    async (all) => {
      const { R, unit } = await momentsOf(noise, 4);
      const { adjustedVariance } = await learnSparsePca(noise, { components: 4, ...all });
      const energies = range(4).map((i) => row(R, i).reduce((sum, v) => sum + v * v, 0) * unit ** 2);
      adjustedVariance.forEach((v, i) => {
        expect(v).toBeCloseTo(energies[i], 8);
      });
    },
  );

  it('a rank below the number of components leaves the rest empty', async () => {
    const rank2 = zeros(30, 6);
    for (let j = 0; j < 30; j++) {
      const [a, b] = [random.normal(), random.normal()];
      row(rank2, j).set([a, b, a + b, a - b, 2 * a, 3 * b]);
    }
    const { adjustedVariance, loadings } = await learnSparsePca(rank2, { components: 4, nonzeros: 2 });
    expect(adjustedVariance[1]).toBeGreaterThan(0);
    expect(adjustedVariance[2]).toBeLessThan(1e-12);
    expect(loadings.data.every(Number.isFinite)).toBe(true);
  });

  it('a constant feature is never used', async () => {
    const constant = { ...noise, data: noise.data.map((y, at) => (at % 20 === 7 ? 5 : y)) };
    const { support } = await learnSparsePca(constant, { components: 4, nonzeros: 19 });
    expect(support.flat()).not.toContain(7);
  });
});

describe('handwritten digits', async () => {
  const digits = await readMatrix(fileURLToPath(new URL('data/digits.npz:samples', packageRoot)));
  const thresholded = async (components: number, nonzeros: number) => {
    const { R, unit } = await momentsOf(digits, components);
    const gammas = new Float64Array(components);
    const told = describeLoadings(R, unitRows(largest(rowRange(R, 0, components), nonzeros)), gammas, unit);
    return total(told.adjustedVariance) / told.totalVariance;
  };

  it.each([
    [6, 4],
    [12, 8],
    [12, 16],
  ])(
    '%d components of %d pixels explain more than those of every other method, and shared pixels most',
    async (components, nonzeros) => {
      const others = [await thresholded(components, nonzeros)];
      for (const method of ['gpower', 'gpower-deflation'] as const) {
        others.push(explained(await learnSparsePca(digits, { components, nonzeros, method })));
      }
      const each = explained(await learnSparsePca(digits, { components, nonzeros }));
      expect(each).toBeGreaterThan(Math.max(...others));
      const shared = await learnSparsePca(digits, { components, totalNonzeros: components * nonzeros });
      expect(explained(shared)).toBeGreaterThan(each);
    },
  );
});
