/** Every kind of covariance: recovery, likelihood, symmetries, strange data. */
import { describe, expect, it } from 'vitest';
import { fromRows, type Matrix64, maxDifference, row, selectRows, zeros } from '#src/core/matrix.ts';
import { createRandom, type Random, shuffle } from '#src/core/random.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { cholesky } from '#src/linalg/cholesky.ts';
import { matchRows } from '#src/metrics/match-rows.ts';
import { COVARIANCES, type Covariance } from '#src/models/mixtures/families.ts';
import { learnMixture } from '#src/models/mixtures/learn-mixture.ts';
import { assignToClusters } from '#src/models/mixtures/membership.ts';
import type { Mixture } from '#src/models/mixtures/statistics.ts';
import { generateMixture } from '#src/synthetic/mixture.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(31);
const [K, D] = [3, 4];

/** The covariance matrix of cluster i. */
function matrixOf({ covariance, covariances: { data } }: Mixture, i: number): Matrix64 {
  const S = zeros(D, D);
  for (let a = 0; a < D; a++) {
    for (let b = 0; b < D; b++) {
      if (covariance === 'tied') S.data[a * D + b] = data[a * D + b];
      else if (covariance === 'full') S.data[a * D + b] = data[(i * D + a) * D + b];
      else if (a === b)
        S.data[a * D + b] = { common: data[0], spherical: data[i], diagonal: data[i * D + a] }[covariance]!;
    }
  }
  return S;
}

/** A mixture of a kind; `spread`: deviation of the means' entries. */
function planted(covariance: Covariance, random: Random, spread: number): Mixture {
  const means = zeros(K, D);
  for (let at = 0; at < K * D; at++) means.data[at] = spread * random.normal() + 5;
  const weights = Float64Array.of(0.5, 0.3, 0.2);
  const between = (low: number, high: number) => low + (high - low) * random.uniform();
  const ellipsoid = () => {
    const A = zeros(D, D).data.map(() => random.normal());
    return Array.from({ length: D * D }, (_, at) => {
      const [a, b] = [Math.floor(at / D), at % D];
      let sum = a === b ? 0.3 : 0;
      for (let c = 0; c < D; c++) sum += (A[a * D + c] * A[b * D + c]) / D;
      return sum;
    });
  };
  const [rows, cols, data] = {
    common: () => [1, 1, [1.3]] as const,
    spherical: () => [K, 1, [0.5, 1, 2]] as const,
    diagonal: () => [K, D, Array.from({ length: K * D }, () => between(0.3, 2))] as const,
    tied: () => [D, D, ellipsoid()] as const,
    full: () => [K * D, D, [0, 1, 2].flatMap(ellipsoid)] as const,
  }[covariance]();
  return { means, weights, covariance, covariances: { rows, cols, data: Float64Array.from(data) } };
}

function drawn(mixture: Mixture, count: number, random: Random): Matrix64 {
  const roots = [0, 1, 2].map((i) => cholesky(matrixOf(mixture, i))!);
  const X = zeros(count, D);
  for (let l = 0; l < count; l++) {
    const u = random.uniform();
    const i = u < 0.5 ? 0 : u < 0.8 ? 1 : 2;
    const z = Float64Array.from({ length: D }, () => random.normal());
    row(X, l).set(
      row(mixture.means, i).map((m, a) => m + z.reduce((sum, x, b) => sum + roots[i].data[a * D + b] * x, 0)),
    );
  }
  return X;
}

/** ln p(x), from the density itself. */
function logDensity(mixture: Mixture, x: Float64Array): number {
  const terms = Array.from(mixture.weights, (w, i) => {
    const L = cholesky(matrixOf(mixture, i))!;
    const z = new Float64Array(D);
    let log = Math.log(w) - (D / 2) * Math.log(2 * Math.PI);
    for (let a = 0; a < D; a++) {
      let rest = x[a] - mixture.means.data[i * D + a];
      for (let b = 0; b < a; b++) rest -= L.data[a * D + b] * z[b];
      z[a] = rest / L.data[a * D + a];
      log -= Math.log(L.data[a * D + a]) + z[a] ** 2 / 2;
    }
    return log;
  });
  return Math.log(terms.reduce((sum, term) => sum + Math.exp(term), 0));
}

describe.each(COVARIANCES)('%s', (covariance) => {
  const random = createRandom(seed, covariance);
  const near = planted(covariance, random, 1);
  const overlapping = drawn(near, 600, random);

  it('has the likelihood of its densities', () => {
    const { logLikelihood } = assignToClusters(overlapping, near);
    let sum = 0;
    for (let l = 0; l < 600; l++) sum += logDensity(near, row(overlapping, l));
    expect(Math.abs(logLikelihood - sum / 600)).toBeLessThan(1e-12 * Math.abs(logLikelihood));
  });

  it.each([1, 2, 3])('is recovered from 3000 samples, data set %d', async (set) => {
    const own = createRandom(seed + set, covariance);
    const truth = planted(covariance, own, 4);
    const X = drawn(truth, 3000, own);
    const found = await learnMixture(X, { clusters: K, covariance, seed });
    expect(found.status).toBe('converged');
    // 600 samples in the smallest cluster, variances up to about 3: 4 standard errors √(3 D/600)
    expect(matchRows(found.means, truth.means, 'l2').maxDistance).toBeLessThan(4 * Math.sqrt((3 * D) / 600));
    expect(maxDifference(fromRows([found.weights]), fromRows([truth.weights]))).toBeLessThan(0.05);
    // relative errors of variances are about √(2/600); 5 of them, for matrices of entries up to 3
    expect(maxDifference(found.covariances, truth.covariances)).toBeLessThan(5 * 3 * Math.sqrt(2 / 600));
    expect(found.logLikelihood).toBeGreaterThan(assignToClusters(X, truth).logLikelihood);
    const parameters = { common: 1, spherical: K, diagonal: K * D, tied: 10, full: 10 * K }[covariance] + K * D + K - 1;
    expect(found.bic).toBeCloseTo(-6000 * found.logLikelihood + parameters * Math.log(3000), 6);
  });

  it('never lowers the likelihood, and ends where it does not move', async () => {
    const steps: number[] = [];
    const onProgress = (p: { solver: string; iteration: number; objective: number }) => {
      if (p.solver === 'expectation maximisation') steps.push(p.objective);
    };
    const found = await learnMixture(overlapping, { clusters: K, covariance, tolerance: 1e-7, seed }, { onProgress });
    expect(found.status).toBe('converged');
    steps.forEach((value, at) => {
      expect(value).toBeGreaterThanOrEqual((steps[at - 1] ?? value) - 1e-12); // rounding of a mean of 600
    });
    const again = assignToClusters(overlapping, found);
    expect(again.labels).toEqual(found.labels);
    expect(again.logLikelihood).toBeCloseTo(found.logLikelihood, 10);
  });

  it('follows the samples: their order, and the order, units and origin of the features', async () => {
    const X = drawn(planted(covariance, random, 4), 500, random);
    const learned = (samples: Matrix64) => learnMixture(samples, { clusters: K, covariance, tolerance: 1e-8, seed });
    const found = await learned(X);
    const order = shuffle(
      Array.from({ length: 500 }, (_, l) => l),
      createRandom(seed, 'order'),
    );
    expect((await learned(selectRows(X, order))).logLikelihood).toBeCloseTo(found.logLikelihood, 9);
    const units = ['common', 'spherical'].includes(covariance) ? [7, 7, 7, 7] : [7, 0.01, 300, 1];
    const turned = [2, 0, 3, 1];
    const mapped = zeros(500, D);
    for (let l = 0; l < 500; l++) row(mapped, l).set(turned.map((c, at) => units[at] * X.data[l * D + c] - 40 * at));
    const other = await learned(mapped);
    const jacobian = units.reduce((sum, unit) => sum + Math.log(unit), 0);
    expect(other.logLikelihood + jacobian).toBeCloseTo(found.logLikelihood, 8);
    expect(other.labels).toEqual(found.labels);
  });

  const few = generateMixture({ samples: 60, features: D, clusters: 2, seed }).samples;
  const strange: Record<string, Matrix64> = {
    'one sample': selectRows(few, [0]),
    'equal samples': selectRows(few, [0, 0, 0, 0, 0]),
    'every sample twice': selectRows(
      few,
      Array.from({ length: 120 }, (_, l) => l % 60),
    ),
    'a feature that is always the same': { ...few, data: few.data.map((x, at) => (at % D === 1 ? 5 : x)) },
    'a feature twice': { ...few, data: few.data.map((x, at) => (at % D === 1 ? few.data[at - 1] : x)) },
    'a huge outlier': { ...few, data: few.data.map((x, at) => (at === 9 ? 1e6 : x)) },
    'fewer samples than features': selectRows(few, [0, 1, 2]),
    'far from zero': { ...few, data: few.data.map((x) => x + 1e7) },
  };
  it.each(Object.keys(strange))('copes with %s', async (name) => {
    const X = strange[name];
    for (const clusters of [1, 2, 3]) {
      if (clusters > X.rows || (name === 'equal samples' && clusters > 1)) continue;
      const found = await learnMixture(X, { clusters, covariance, seed });
      expect(found.logLikelihood).not.toBeNaN();
      expect([...found.means.data, ...found.covariances.data, found.bic].every(Number.isFinite)).toBe(true);
      expect(found.weights.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 9);
      const means = found.means.data.map((_, at) =>
        X.data.reduce((most, x, l) => (l % D === at % D ? Math.max(most, x) : most), -1e9),
      );
      found.means.data.forEach((x, at) => {
        expect(x).toBeLessThanOrEqual(means[at] + 1e-6 * Math.abs(means[at]));
      });
    }
  });
});

it('refuses more clusters than there are different samples', async () => {
  const X = fromRows([
    [1, 2],
    [1, 2],
    [3, 4],
    [3, 4],
  ]);
  await expect(learnMixture(X, { clusters: 3 })).rejects.toThrow(
    'learnMixture: clusters must be at most the number of distinct samples; got 3.',
  );
});

describe('the number of clusters', () => {
  it.each([2, 3, 5])('of the smallest BIC is the true one: %d', async (clusters) => {
    for (const covariance of ['common', 'diagonal', 'full'] as const) {
      const { samples } = generateMixture({ samples: 900, features: 6, clusters, spread: 3, seed: seed + clusters });
      const found = await learnMixture(samples, { clusters: [1, 2, 3, 4, 5, 6, 7], covariance, starts: 3, seed });
      expect(found.means.rows).toBe(clusters);
      expect(found.tried!.map((one) => one.clusters)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(Math.min(...found.tried!.map((one) => one.bic!))).toBe(found.bic);
    }
  });

  it('may be too large for some of those that are tried', async () => {
    const X = fromRows(Array.from({ length: 20 }, (_, l) => (l % 2 ? [1, 2] : [3, 4])));
    const { tried, means } = await learnMixture(X, { clusters: [1, 2, 3] });
    expect(means.rows).toBe(2);
    expect(tried![2]).toEqual({ clusters: 3, bic: undefined, logLikelihood: undefined, status: undefined });
    await expect(learnMixture(X, { clusters: [3, 4] })).rejects.toThrow(
      'clusters must be at most the number of distinct samples',
    );
  });
});

it('starts from some of the samples and ends with all, from memory and from a source', async () => {
  const { samples, means } = generateMixture({ samples: 12_000, features: 6, clusters: 4, spread: 1, seed });
  const found = await learnMixture(samples, { clusters: 4 });
  const again = await learnMixture({ ...memorySource(samples), matrix: undefined } as never, { clusters: 4 });
  expect({ ...again, seconds: 0 }).toEqual({ ...found, seconds: 0 });
  expect(found.labels).toHaveLength(12_000);
  expect(assignToClusters(samples, found).logLikelihood).toBeCloseTo(found.logLikelihood, 10);
  // 3000 samples a cluster that overlap: 6 standard errors
  expect(matchRows(found.means, means, 'l2').maxDistance).toBeLessThan(6 * Math.sqrt(6 / 3000));
});
