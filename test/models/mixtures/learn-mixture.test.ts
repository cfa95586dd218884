import { describe, expect, it } from 'vitest';
import { fromRows, type Matrix64, maxDifference } from '#src/core/matrix.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { learnMixture } from '#src/models/mixtures/learn-mixture.ts';
import { assignToClusters } from '#src/models/mixtures/membership.ts';
import type { MixtureOptions } from '#src/models/mixtures/option-types.ts';
import { generateMixture } from '#src/synthetic/mixture.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(77);

describe('8 clusters in 20 dimensions', () => {
  const { samples, means, labels } = generateMixture({ samples: 10_000, features: 20, clusters: 8, spread: 1, seed });
  const sizes = labels.reduce((counts, label) => {
    counts[label]++;
    return counts;
  }, new Float64Array(8));

  /** The largest distance of a mean from the nearest found, in standard errors σ√(d/n_k) of a mean of d coordinates. */
  const standardErrors = (found: Matrix64) =>
    Math.max(
      ...Array.from(sizes, (size, i) => {
        const distances = Array.from({ length: 8 }, (_, j) => {
          let sum = 0;
          for (let c = 0; c < 20; c++) sum += (means.data[i * 20 + c] - found.data[j * 20 + c]) ** 2;
          return Math.sqrt(sum);
        });
        return Math.min(...distances) / Math.sqrt(20 / size);
      }),
    );

  it('have their means within 2 standard errors, and by moments alone within 4', async () => {
    const found = await learnMixture(samples, { clusters: 8, seed });
    expect(standardErrors(found.means)).toBeLessThan(2);
    expect(standardErrors(found.byMoments!.means)).toBeLessThan(4);
    expect(Math.abs(found.variance - 1)).toBeLessThan(0.02); // 200,000 numbers
    expect(Math.abs(found.weights.reduce((sum, w) => sum + w, 0) - 1)).toBeLessThan(1e-12);
    const shares = sizes.map((size) => size / 10_000).sort();
    expect(
      Math.max(
        ...found.weights
          .slice()
          .sort()
          .map((w, i) => Math.abs(w - shares[i])),
      ),
    ).toBeLessThan(0.01);
  });
});

it.each([
  [{ clusters: 0 }, 'clusters must be a whole number from 1, or several; got 0'],
  [{ clusters: 2, refine: 3 }, 'refine must be auto or none; got 3'],
  [{ clusters: 2, starts: -3 }, 'starts must be a whole number from 1; got -3'],
  [{ clusters: 2, starts: 10_001 }, 'starts must be at most 10000; got 10001'],
  [{ clusters: 2, maxIterations: 0 }, 'maxIterations must be a whole number from 1; got 0'],
  [{}, 'clusters must be a whole number from 1, or several; got undefined'],
  [{ clusters: [] }, 'clusters must be a whole number from 1, or several; got []'],
  [{ clusters: 4, refine: 'none' }, 'clusters must be at most 3 (50 samples, 3 features); got 4'],
  [{ clusters: [2, 51] }, 'clusters must be at most 50 (50 samples); got 51'],
  [
    { clusters: 2, covariance: 'round' },
    'covariance must be one of common, spherical, diagonal, tied, full; got round',
  ],
  [{ clusters: 2, tolerance: 0 }, 'tolerance must be a number above 0; got 0'],
])('refuses %j', async (options, message) => {
  const { samples } = generateMixture({ samples: 50, features: 3, clusters: 2, seed });
  await expect(learnMixture(samples, options as MixtureOptions)).rejects.toThrow(`learnMixture: ${message}.`);
});

it('is the same for a source, and stops at the moments if asked to', async () => {
  // 8 deviations apart, so that the moments determine the means
  const { samples } = generateMixture({ samples: 2000, features: 5, clusters: 3, spread: 3, seed });
  const fromSource = { ...memorySource(samples), matrix: undefined };
  const [found, again] = [
    await learnMixture(samples, { clusters: 3 }),
    await learnMixture(fromSource, { clusters: 3, seed: 0 }),
  ];
  expect({ ...again, seconds: 0 }).toEqual({ ...found, seconds: 0 });
  const plain = await learnMixture(samples, { clusters: 3, refine: 'none' });
  expect(plain).toMatchObject({ iterations: 0, status: 'converged', samples: 2000, features: 5, starts: [] });
  expect(plain.means).toEqual(found.byMoments!.means);
});

it('counts no step as convergence that was cut short', async () => {
  const { samples } = generateMixture({ samples: 400, features: 5, clusters: 3, spread: 1, seed });
  const { status, iterations, reason } = await learnMixture(samples, { clusters: 3, maxIterations: 1 });
  expect({ status, iterations, reason }).toEqual({ status: 'exhausted', iterations: 1, reason: '1 iterations' });
});

it('refuses to generate data with a negative spread', () => {
  expect(() => generateMixture({ samples: 5, features: 3, clusters: 2, spread: -1, seed })).toThrow(
    'generateMixture: spread must be a finite number, 0 or more; got -1.',
  );
});

it('refuses non-finite samples, and means that do not span enough dimensions', async () => {
  const bad = { rows: 2, cols: 2, data: Float64Array.of(1, 2, 3, Number.POSITIVE_INFINITY) };
  await expect(learnMixture(bad, { clusters: 1 })).rejects.toThrow(
    'samples must be finite; got Infinity at row 1, column 1',
  );
  const line = fromRows([1, 2, 3, 4, 9].map((x) => [x, x, x]));
  await expect(learnMixture(line, { clusters: 3, refine: 'none' })).rejects.toThrow(
    'clusters must be fewer, because the means span too few dimensions; got 3',
  );
  expect((await learnMixture(line, { clusters: 3 })).labels).toHaveLength(5);
});

it('agrees with the densities on clusters and likelihood', () => {
  const means = { rows: 2, cols: 2, data: Float64Array.of(0, 0, 3, 1) };
  const common = { covariance: 'common', covariances: { rows: 1, cols: 1, data: Float64Array.of(2) } } as const;
  const mixture = { means, weights: Float64Array.of(0.25, 0.75), ...common };
  const samples = { rows: 3, cols: 2, data: Float64Array.of(-1, 0.5, 1.2, 0.4, 4, 4) };
  const terms = [0, 1, 2].map((l) =>
    [0, 1].map((k) => {
      const [x, y] = [0, 1].map((c) => samples.data[2 * l + c] - means.data[2 * k + c]);
      return (mixture.weights[k] / (4 * Math.PI)) * Math.exp(-(x * x + y * y) / 4);
    }),
  );
  const { labels, logLikelihood } = assignToClusters(samples, mixture);
  expect([...labels]).toEqual(terms.map(([first, second]) => Number(second > first)));
  expect(logLikelihood).toBeCloseTo(terms.reduce((sum, [a, b]) => sum + Math.log(a + b), 0) / 3, 12);
  expect(() => assignToClusters({ rows: 1, cols: 1, data: Float64Array.of(1) }, mixture)).toThrow(
    'samples must be of 2 features, like the means; got 1',
  );
});

it('finds repeated points without noise', async () => {
  const points = [
    [5, 0, 0],
    [0, 3, 0],
    [0, 0, 4],
  ];
  const samples = fromRows(Array.from({ length: 60 }, (_, l) => points[l % 6 < 3 ? 0 : l % 6 < 5 ? 1 : 2]));
  const { means, weights, labels } = await learnMixture(samples, { clusters: 3, seed });
  expect(maxDifference(means, fromRows(points))).toBeLessThan(1e-8);
  expect([...weights].map((w) => Math.round(w * 60))).toEqual([30, 20, 10]);
  expect([...labels.subarray(0, 6)]).toEqual([0, 0, 0, 1, 1, 2]);
});
