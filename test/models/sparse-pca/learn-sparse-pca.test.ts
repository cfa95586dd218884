import { beforeAll, describe, expect, it } from 'vitest';
import { fromRows, type Matrix64, row } from '#src/core/matrix.ts';
import type { Progress } from '#src/engine/stop.ts';
import { qr } from '#src/linalg/qr.ts';
import { learnSparsePca, type SparsePcaResult } from '#src/models/sparse-pca/learn-sparse-pca.ts';
import type { SparsePcaOptions } from '#src/models/sparse-pca/option-types.ts';
import { PAIR_RULES } from '#src/rotations/pairs.ts';
import { testSeed } from '../../helpers/seed.ts';
import { found, momentsOf, plantedComponents, smallComponents } from './helpers.ts';

const seed = testSeed(1);
const planted = plantedComponents(seed);

describe('planted components (500 features, 5 × 20 non-zeros, 300 samples)', () => {
  let result: SparsePcaResult;
  const steps: Progress[] = [];
  beforeAll(async () => {
    const onProgress = (progress: Progress) => progress.iteration > 0 && steps.push(progress);
    result = await learnSparsePca(planted.samples, { components: 5, gamma: 0.5 }, { onProgress });
  });

  it('are found to the last feature', () => {
    expect(result.status).toBe('converged');
    expect(found(result.support, planted.support)).toBe(5);
  });

  it('never lower the objective on the way', () => {
    for (let k = 1; k < steps.length; k++) {
      if (steps[k].iteration === 1) continue; // another start
      expect(steps[k].objective).toBeGreaterThanOrEqual(steps[k - 1].objective * (1 - 1e-14));
    }
    expect(Math.max(...steps.map(({ objective }) => objective))).toBeCloseTo(result.objective, 8);
  });

  it('have unit loadings and scores, in order of descending variance', () => {
    const { loadings, scores, mean, variance, samples } = result;
    for (let i = 0; i < 5; i++) {
      expect(Math.hypot(...row(loadings, i))).toBeCloseTo(1, 12);
      const column = Array.from({ length: samples }, (_, j) => scores.data[j * 5 + i]);
      expect(column.reduce((sum, t) => sum + t * t, 0) / samples).toBeCloseTo(variance[i], 8);
      const direct = row(loadings, i).reduce((sum, z, k) => sum + z * (planted.samples.data[7 * 500 + k] - mean[k]), 0);
      expect(column[7]).toBeCloseTo(direct, 10);
    }
    expect([...variance].sort((a, b) => b - a)).toEqual([...variance]);
  });

  it('have the adjusted variance of the QR of their scores', () => {
    const { scores, adjustedVariance, totalVariance, samples } = result;
    const { r } = qr(scores);
    adjustedVariance.forEach((v, i) => {
      expect(v).toBeCloseTo(r.data[i * 5 + i] ** 2 / samples, 8);
    });
    expect(adjustedVariance.reduce((sum, v) => sum + v)).toBeLessThan(totalVariance);
  });
});

it('rotations reach the same objective in every order of the planes', async () => {
  const objectives: number[] = [];
  for (const pairs of PAIR_RULES) {
    const { objective } = await learnSparsePca(smallComponents(seed).samples, {
      components: 4,
      gamma: 0.5,
      pairs,
      method: 'givens',
    });
    objectives.push(objective);
  }
  for (const objective of objectives) expect(Math.abs(objective / objectives[0] - 1)).toBeLessThan(1e-6);
  expect(new Set(objectives).size).toBe(PAIR_RULES.length); // rounding tells the orders apart
});

describe('the generalised power method', () => {
  it('never lowers the objective, even when components vanish', async () => {
    for (const gamma of [0.2, 2.2]) {
      const objectives: number[] = [];
      const run = { onProgress: ({ iteration, objective }: Progress) => iteration > 0 && objectives.push(objective) };
      await learnSparsePca(smallComponents(seed).samples, { components: 4, gamma, method: 'gpower' }, run);
      for (let k = 1; k < objectives.length; k++) {
        expect(objectives[k]).toBeGreaterThanOrEqual(objectives[k - 1] * (1 - 1e-6));
      }
    }
  });
});

describe('a number of non-zeros', () => {
  it.each([1, 3, 12, 120])('is met in every component: %d', async (nonzeros) => {
    const { support } = await learnSparsePca(smallComponents(seed).samples, { components: 3, nonzeros });
    expect(support.map((features) => features.length)).toEqual([nonzeros, nonzeros, nonzeros]);
  });
});

describe('shapes and units', () => {
  it('is principal component analysis without a threshold', async () => {
    const { samples } = smallComponents(seed);
    const { R, unit } = await momentsOf(samples, 3);
    const { adjustedVariance } = await learnSparsePca(samples, { components: 3, gamma: 0 });
    const energy = [0, 1, 2].reduce((sum, i) => sum + row(R, i).reduce((s, v) => s + v * v, 0) * unit ** 2, 0);
    expect(adjustedVariance.reduce((sum, v) => sum + v)).toBeCloseTo(energy, 8);
  });

  it('does not depend on the units', async () => {
    const { samples } = smallComponents(seed);
    const huge = { ...samples, data: samples.data.map((y) => y * 1e140) };
    const a = await learnSparsePca(samples, { components: 3, nonzeros: 10 });
    const b = await learnSparsePca(huge, { components: 3, nonzeros: 10 });
    expect(b.support).toEqual(a.support);
    const variances = { ...samples, data: samples.data.map((y) => y * 1e200) };
    await expect(learnSparsePca(variances, { components: 3, nonzeros: 10 })).rejects.toThrow(
      /samples must be of magnitudes from 1e-150 to 1e150; got \S+ as the largest magnitude; multiply all of them/,
    );
  });

  it('leaves nothing with a threshold above every standard deviation', async () => {
    const { support, objective, loadings } = await learnSparsePca(smallComponents(seed).samples, {
      components: 2,
      gamma: 100,
    });
    expect(support).toEqual([[], []]);
    expect(objective).toBe(0);
    expect(loadings.data.every((z) => z === 0)).toBe(true);
  });

  it('accepts as many components as samples', async () => {
    const samples = fromRows([
      [1, 2, 3, 4],
      [4, 1, 0, 2],
      [0, 5, 1, 1],
    ]);
    const { loadings } = await learnSparsePca(samples, { components: 3, gamma: 0.1 });
    expect(loadings.rows).toBe(3);
    expect(loadings.data.every(Number.isFinite)).toBe(true);
  });
});

describe('bad input', () => {
  const samples: Matrix64 = fromRows([
    [1, 2, 3],
    [3, 1, 2],
    [0, 1, 5],
    [2, 2, 2],
  ]);
  const refused = [
    [{ components: 2 }, 'one of gamma, nonzeros and totalNonzeros must be given, and no other; got none'],
    [
      { components: 2, gamma: 1, nonzeros: 2 },
      'one of gamma, nonzeros and totalNonzeros must be given, and no other; got gamma 1 and nonzeros 2',
    ],
    [{ components: 4, gamma: 1 }, 'components must be at most the number of features, 3; got 4'],
    [{ components: 0, gamma: 1 }, 'components must be a whole number from 1; got 0'],
    [{ components: 2, gamma: -1 }, 'gamma must be a finite number, 0 or more; got -1'],
    [{ components: 2, gamma: Number.NaN }, 'gamma must be a finite number, 0 or more; got NaN'],
    [{ components: 2, nonzeros: 4 }, 'nonzeros must be at most 3, all features; got 4'],
    [{ components: 2, totalNonzeros: 1 }, 'totalNonzeros must be from 2, one per component, to 6, all features; got 1'],
    [{ components: 2, totalNonzeros: 7 }, 'totalNonzeros must be from 2, one per component, to 6, all features; got 7'],
    [
      { components: 2, totalNonzeros: 4, method: 'gpower' },
      'totalNonzeros must be given with method variance only; got totalNonzeros with method gpower',
    ],
    [{ components: 2, gamma: 1, sparsity: 3 }, 'there is no option "sparsity"'],
    [{ components: 2, gamma: 1, center: 'mean' }, 'center must be true or false; got mean'],
  ] as const;
  it.each(refused)('%o', async (options, message) => {
    await expect(learnSparsePca(samples, options as SparsePcaOptions)).rejects.toThrow(`learnSparsePca: ${message}`);
  });

  it('names the place of a number that is not finite', async () => {
    const spoiled = { ...samples, data: samples.data.map((y, at) => (at === 7 ? Number.NaN : y)) };
    await expect(learnSparsePca(spoiled, { components: 1, gamma: 0 })).rejects.toThrow(
      'finite; got NaN at row 2, column 1',
    );
  });

  it('refuses samples without information', async () => {
    const equal = fromRows([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    await expect(learnSparsePca(equal, { components: 1, gamma: 0 })).rejects.toThrow('got equal samples');
    await expect(
      learnSparsePca(
        fromRows([
          [0, 0],
          [0, 0],
        ]),
        { components: 1, gamma: 0 },
      ),
    ).rejects.toThrow('got only zeros');
    await expect(learnSparsePca(fromRows([[1, 2, 3]]), { components: 2, gamma: 0 })).rejects.toThrow(
      'number of samples, 1',
    );
  });
});
