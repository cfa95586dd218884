/** Mixtures that their moments do not determine: as many clusters as features, or nearly so, and more than there are. */
import { describe, expect, it } from 'vitest';
import { type Matrix64, norm, row, selectRows } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { maximisationStep } from '#src/models/mixtures/expectation-maximisation.ts';
import { learnMixture, type MixtureResult } from '#src/models/mixtures/learn-mixture.ts';
import { assign, type Mixture } from '#src/models/mixtures/membership.ts';
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

/** Expectation maximisation from samples that are far apart (Arthur & Vassilvitskii 2007). */
function fromFarSamples(samples: Matrix64, k: number, steps: number): number {
  const random = createRandom(seed, 'far samples');
  const chosen = [random.integer(samples.rows)];
  const squares = new Float64Array(samples.rows).fill(Number.POSITIVE_INFINITY);
  while (chosen.length < k) {
    const last = row(samples, chosen[chosen.length - 1]);
    squares.forEach((square, l) => {
      squares[l] = Math.min(square, difference(row(samples, l), last) ** 2);
    });
    const target = random.uniform() * squares.reduce((sum, square) => sum + square, 0);
    let sum = 0;
    chosen.push(
      squares.findIndex((square) => {
        sum += square;
        return sum >= target;
      }),
    );
  }
  let mixture: Mixture = {
    means: selectRows(samples, chosen),
    weights: new Float64Array(k).fill(1 / k),
    variance: 4,
  };
  for (let step = 0; step < steps; step++) mixture = maximisationStep(samples, mixture);
  return assign(samples, mixture).logLikelihood;
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
    expect(found.logLikelihood).toBeGreaterThan(fromFarSamples(samples, k, 30) - 0.01);
    // 100 samples a cluster: a standard error of √(d/100) σ; overlap widens it a little
    expect(worstError(means, found.means)).toBeLessThan(4 * Math.sqrt(d / (1000 / k)));
  });
});

describe('a cluster that the moments put at 5444 σ, where no sample is farther than 13', () => {
  const { samples, means } = generateMixture({ samples: 600, features: 8, clusters: 8, spread: 3, seed: 3 });
  const options = { clusters: 8, starts: 2, seed: 0 };

  it('comes back to the samples', async () => {
    const found = await learnMixture(samples, options);
    expect(Math.max(...found.byMoments.means.data.map(Math.abs))).toBeGreaterThan(1000);
    expectSane(samples, found);
    expect(worstError(means, found.means)).toBeLessThan(4 * Math.sqrt(8 / (600 / 8)));
    expect(found.repaired).toBe(1);
    expect(found.repair).toBe('1 cluster moved: 1 of 8 clusters had no samples or a mean outside them');
  });

  it('is refused as the estimate by moments alone', async () => {
    await expect(learnMixture(samples, { ...options, refine: 'none' })).rejects.toThrow(
      'learnMixture: refine must be auto, because by moments 1 of 8 clusters had no samples or a mean outside them; got none.',
    );
  });
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
