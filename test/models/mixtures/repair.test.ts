/** Mixtures that their moments do not determine: as many clusters as features, or nearly so, and more than there are. */
import { describe, expect, it } from 'vitest';
import { type Matrix64, norm, row } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/inline.ts';
import { memorySource } from '#src/engine/memory.ts';
import { Run } from '#src/engine/run.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { expect as expectation } from '#src/models/mixtures/expectation-maximisation.ts';
import { fromFarSamples } from '#src/models/mixtures/far-samples.ts';
import { learnMixture, type MixtureResult } from '#src/models/mixtures/learn-mixture.ts';
import { repairMixture } from '#src/models/mixtures/repair.ts';
import { isotropic, mixtureOf } from '#src/models/mixtures/statistics.ts';
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
    expect(found.repair).toMatch('moved: 1 of 8 clusters had no samples or a mean outside them');
  });

  it('is refused as the estimate by moments alone', async () => {
    await expect(learnMixture(samples, { ...options, refine: 'none' })).rejects.toThrow(
      'learnMixture: refine must be auto, because by moments 1 of 8 clusters had no samples or a mean outside them; got none.',
    );
  });
});

/** Two clusters share a true one, and one has two. */
it('moves a cluster to where one is missing', async () => {
  const { samples, means } = generateMixture({ samples: 800, features: 4, clusters: 6, spread: 6, seed: 3 });
  const gram = referenceKernels.multiply(samples, samples, 'tn');
  const data = plainData(samples, gram);
  const wrong = { ...means, data: means.data.slice() };
  row(wrong, 0).set(row(means, 1).map((x) => x + 0.5));
  const start = isotropic({ means: wrong, weights: new Float64Array(6).fill(1 / 6) }, 1, 'common');
  const run = await Run.start('test', {});
  const { mixture, repaired } = await repairMixture(samples, data, start, run);
  expect(repaired).toBe(1);
  expect(worstError(means, mixture.means)).toBeLessThan(4 * Math.sqrt(4 / (800 / 6)));
});

describe('says what it did', () => {
  const { samples } = generateMixture({ samples: 900, features: 6, clusters: 3, spread: 4, seed });

  it('nothing, where the moments determine the means', async () => {
    expect(await learnMixture(samples, { clusters: 3 })).toMatchObject({ repaired: 0, repair: 'not needed' });
    expect(await learnMixture(samples, { clusters: 1 })).toMatchObject({ repaired: 0, repair: 'not needed' });
  });

  it('more clusters than there are', async () => {
    for (const clusters of [4, 5, 6]) {
      const found = await learnMixture(samples, { clusters, seed });
      expectSane(samples, found);
      expect(found.repair).toMatch(/moved: /);
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
