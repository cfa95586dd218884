/** Mixtures that their moments do not determine: as many clusters as features, or nearly so, and more than there are. */
import { describe, expect, it } from 'vitest';
import { type Matrix64, norm, row, zeros } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { Run } from '#src/engine/run.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import {
  expect as expectation,
  expectationMaximisation,
  mixtureAt,
} from '#src/models/mixtures/expectation-maximisation.ts';
import { describe as describeRows } from '#src/models/mixtures/expectation-pass.ts';
import { COVARIANCES, type Covariance } from '#src/models/mixtures/families.ts';
import { fromFarSamples } from '#src/models/mixtures/far-samples.ts';
import { learnMixture, type MixtureResult } from '#src/models/mixtures/learn-mixture.ts';
import { repairMixture } from '#src/models/mixtures/repair.ts';
import { isotropic, mixtureOf, widthOf } from '#src/models/mixtures/statistics.ts';
import { generateMixture } from '#src/synthetic/mixture.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(12);

const difference = (a: Float64Array, b: Float64Array) => norm(a.map((x, c) => x - b[c]));

/** The largest distance of a true mean from the nearest one found, in units of σ = 1. */
const worstError = (means: Matrix64, found: Matrix64): number =>
  Math.max(
    ...Array.from({ length: means.rows }, (_, i) =>
      Math.min(...Array.from({ length: found.rows }, (_, j) => difference(row(means, i), row(found, j)))),
    ),
  );

/** What every result promises. */
function expectSane(samples: Matrix64, { means, weights, variance, labels, logLikelihood }: MixtureResult): void {
  const { rows: p, cols: d } = samples;
  const centre = new Float64Array(d);
  samples.data.forEach((x, at) => {
    centre[at % d] += x / p;
  });
  const farthest = Math.max(...Array.from({ length: p }, (_, l) => difference(row(samples, l), centre)));
  for (let i = 0; i < means.rows; i++) {
    expect(difference(row(means, i), centre)).toBeLessThanOrEqual(farthest * (1 + 1e-9));
    expect(weights[i]).toBeGreaterThan(0);
  }
  expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  expect(variance).toBeGreaterThan(0);
  expect(Number.isFinite(logLikelihood)).toBe(true);
  expect(labels).toHaveLength(p);
}

/** Samples in their own coordinates. */
const plainData = (X: Matrix64, gram: Matrix64) => ({
  source: memorySource(X),
  executor: inlineExecutor(referenceKernels),
  frame: { offset: new Float64Array(X.cols), inverse: new Float64Array(X.cols).fill(1) },
  scatter: { ...gram, data: gram.data.map((x) => x / X.rows) },
  floor: 1e-12,
});

/** The t(x) of the samples as rows. */
function describedAs(covariance: Covariance, X: Matrix64): Matrix64 {
  const T = zeros(X.rows, widthOf(covariance, X.cols));
  describeRows(X, { offset: new Float64Array(X.cols), inverse: new Float64Array(X.cols).fill(1) }, covariance, T);
  return T;
}

/** The likelihood that expectation maximisation reaches from one start of far samples, without moments or repair. */
async function likelihoodFromFarSamples(samples: Matrix64, k: number): Promise<number> {
  const data = plainData(samples, referenceKernels.multiply(samples, samples, 'tn'));
  let mixture = fromFarSamples(samples, k, data.floor, createRandom(seed, 'far samples'))!;
  for (let step = 0; step < 30; step++) {
    mixture = mixtureOf((await expectation(data, mixture)).next, 'common', data, referenceKernels);
  }
  return (await expectation(data, mixture)).logLikelihood;
}

describe.each([
  [10, 10, 2],
  [10, 10, 4],
  [9, 10, 2],
])('%d clusters in %d dimensions, means of spread %d', (k, d, spread) => {
  it.each([1, 2])('are where the samples are, and no less likely than from far samples; data set %d', async (set) => {
    const { samples, means } = generateMixture({
      samples: 1000,
      features: d,
      clusters: k,
      spread,
      seed: 100 * seed + set,
    });
    const found = await learnMixture(samples, { clusters: k, seed });
    expectSane(samples, found);
    expect(found.logLikelihood).toBeGreaterThan((await likelihoodFromFarSamples(samples, k)) - 0.01);
    // 100 samples a cluster: a standard error of √(d/100) σ; overlap widens it a little
    expect(worstError(means, found.means)).toBeLessThan(4 * Math.sqrt(d / (1000 / k)));
  });
});

describe('a cluster that the moments put outside the samples', () => {
  const { samples, means } = generateMixture({ samples: 600, features: 8, clusters: 8, spread: 3, seed: 0 });
  const options = { clusters: 8, starts: 2, seed: 0 };

  it('does no harm', async () => {
    const found = await learnMixture(samples, options);
    expectSane(samples, found);
    expect(worstError(means, found.means)).toBeLessThan(4 * Math.sqrt(8 / (600 / 8)));
    expect(found.byMoments).toBeUndefined();
  });

  it('is refused as the estimate by moments alone', async () => {
    await expect(learnMixture(samples, { ...options, refine: 'none' })).rejects.toThrow(
      'learnMixture: refine must be auto, because by moments 1 of 8 clusters had no samples, or a mean outside all samples; got none.',
    );
  });
});

/** Two clusters share a true one, and one has two. */
it.each(COVARIANCES)('moves a cluster to where one is missing: %s', async (covariance) => {
  const { samples: X, means } = generateMixture({ samples: 800, features: 4, clusters: 6, spread: 6, seed: 3 });
  const few = memorySource(describedAs(covariance, X));
  const data = { ...plainData(X, referenceKernels.multiply(X, X, 'tn')), source: few, described: covariance };
  const wrong = { ...means, data: means.data.slice() };
  row(wrong, 0).set(row(means, 1).map((x) => x + 0.5));
  const start = isotropic({ means: wrong, weights: new Float64Array(6).fill(1 / 6) }, 1, covariance);
  const loop = expectationMaximisation(data, start);
  let state = await loop.init();
  for (let step = 0; step < 30; step++) state = await loop.step(state);
  const { repaired, ...moved } = await repairMixture({ X, data }, state, covariance, await Run.start('test', {}));
  expect(repaired).toBe(1);
  expect(moved.logLikelihood).toBeGreaterThan(state.logLikelihood);
  expect(worstError(means, mixtureAt(moved, covariance, data).means)).toBeLessThan(4 * Math.sqrt(4 / (800 / 6)));
});

describe('20 clusters in 20 dimensions, 4.4 deviations apart', () => {
  it.each([1, 2, 3, 4, 5])('are all found from several starts; data set %d', async (set) => {
    const shape = { samples: 4000, features: 20, clusters: 20, spread: 0.7 };
    const { samples, means } = generateMixture({ ...shape, seed: 100 * seed + set });
    const found = await learnMixture(samples, { clusters: 20, seed });
    // 200 samples a cluster: a standard error of .32; a cluster that is missing is off by more than 2
    expect(worstError(means, found.means)).toBeLessThan(1.2);
    expect(found.starts.length).toBeGreaterThan(1);
  });
});

describe('starts', () => {
  const shape = { samples: 1000, features: 20, clusters: 20, spread: 0.5 };
  const { samples } = generateMixture({ ...shape, seed });

  it('are as many as asked for where they differ, and the likeliest is kept', async () => {
    const [one, four, eight] = await Promise.all(
      [1, 4, 8].map((starts) => learnMixture(samples, { clusters: 20, starts, seed })),
    );
    expect([one, four, eight].map(({ starts }) => starts.length)).toEqual([1, 4, 8]);
    expect(new Set(eight.starts.map(({ logLikelihood }) => logLikelihood)).size).toBe(8);
    expect(four.starts).toEqual(eight.starts.slice(0, 4)); // more starts only add to fewer
    for (const found of [one, four, eight]) {
      const best = Math.max(...found.starts.map(({ logLikelihood }) => logLikelihood));
      expect(found.logLikelihood).toBeGreaterThanOrEqual(best); // all samples were tried: it goes on from there
    }
    expect(eight.logLikelihood).toBeGreaterThan(one.logLikelihood);
  });

  it('end early where the moments determine the means, or two come as far', async () => {
    const easy = generateMixture({ samples: 3000, features: 10, clusters: 4, spread: 4, seed }).samples;
    const { starts } = await learnMixture(easy, { clusters: 4, seed });
    expect(starts).toEqual([{ from: 'moments', logLikelihood: expect.any(Number), repaired: 0 }]);
    const own = await learnMixture(easy, { clusters: 4, covariance: 'full', starts: 30, seed });
    expect(own.starts.length).toBeGreaterThan(1);
    expect(own.starts.length).toBeLessThan(30);
  });
});

describe('says what it did', () => {
  const { samples } = generateMixture({ samples: 900, features: 6, clusters: 3, spread: 4, seed });

  it('nothing, where the moments determine the means', async () => {
    expect(await learnMixture(samples, { clusters: 3 })).toMatchObject({ repaired: 0 });
    expect(await learnMixture(samples, { clusters: 1 })).toMatchObject({ repaired: 0 });
  });

  it('more clusters than there are', async () => {
    for (const clusters of [4, 5, 6]) {
      const found = await learnMixture(samples, { clusters, seed });
      expectSane(samples, found);
    }
  });

  it('a column that is always the same', async () => {
    const flat = { ...samples, data: samples.data.map((x, at) => (at % 6 === 2 ? 5 : x)) };
    for (const clusters of [3, 6]) expectSane(flat, await learnMixture(flat, { clusters, seed }));
  });

  it('few samples, and samples that come twice', async () => {
    for (const count of [3, 4, 10]) {
      const few = { rows: count, cols: 6, data: samples.data.slice(0, 6 * count) };
      expectSane(few, await learnMixture(few, { clusters: 3, seed }));
    }
    const twice = { rows: 1800, cols: 6, data: Float64Array.of(...samples.data, ...samples.data) };
    const [one, two] = [await learnMixture(samples, { clusters: 3 }), await learnMixture(twice, { clusters: 3 })];
    expect(two.logLikelihood).toBeCloseTo(one.logLikelihood, 10);
  });
});
