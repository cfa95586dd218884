/** The Householder paper's experiments: their grids, and a distance they use. What they claim: householder.slow.test.ts. */
import { learnHouseholder, metrics } from 'orthodict';
import { procrustesAtoms, reflectForward, unitRows, zeros } from 'orthodict/extend';
import { describe, expect, it } from 'vitest';
import { range } from '#lab/experiments/framework/experiment.ts';
import { listedAlgorithm1, listedAlgorithm3 } from '#lab/experiments/householder/listed-algorithm.ts';
import { householderData, knownCodesDistance } from '#lab/experiments/householder/problem.ts';
import { testSeed } from '../../../../test/helpers/seed.ts';
import { describeGrids } from '../claims.ts';

describeGrids('householder');

describe('Algorithm 3 as listed', () => {
  const data = householderData({ n: 60, p: 50, m: 1, theta: 0.5 }, testSeed(2));
  const options = { reflectors: 1, theta: 0.5, mean: 1.5, refine: 'none' } as const;

  it("is orthodict's but for the length of u, from I and for one reflector", async () => {
    const listing = { image: 'listing', normalise: true } as const;
    const listed = listedAlgorithm3(data.samples, 0.75, zeros(1, 60), listing);
    const { reflectors } = await learnHouseholder(data.samples, options);
    expect(metrics.productDistance(listed, reflectors)).toBeLessThan(1e-12);
    const plain = listedAlgorithm3(data.samples, 0.75, zeros(1, 60), { ...listing, normalise: false });
    expect(Math.hypot(...plain.data)).toBeGreaterThan(0.5);
    expect(metrics.productDistance(unitRows(plain), reflectors)).toBeLessThan(1e-12);
  });

  it('Algorithm 2 with Q = I is Algorithm 1, as section 7.3 says', () => {
    const { u, c } = listedAlgorithm1(data.samples, 0.75);
    const found = listedAlgorithm3(data.samples, 0.75, zeros(1, 60), { image: 'text', normalise: false });
    found.data.forEach((value, i) => {
      expect(value).toBeCloseTo(u[i], 12);
    });
    expect(c).toBeGreaterThan(0);
  });

  it("forgets the start of its only step with the text's Z[i+1], not with the listing's Z[i]", () => {
    const start = householderData({ n: 60, p: 1, m: 1, theta: 0.5 }, testSeed(9)).reflectors;
    const [text, listing] = (['text', 'listing'] as const).map((image) => {
      const found = [zeros(1, 60), start].map((from) =>
        listedAlgorithm3(data.samples, 0.75, from, { image, normalise: true }),
      );
      return metrics.productDistance(found[0], found[1]);
    });
    expect(text).toBeLessThan(1e-12);
    expect(listing).toBeGreaterThan(0.5);
  });
});

describe('knownCodesDistance', () => {
  it('is that of the Procrustes solution if there are enough samples', async () => {
    const n = 30;
    const data = householderData({ n, p: n, m: 3, theta: 0.5, snr: 20 }, testSeed(3));
    const atoms = await procrustesAtoms(data.samples, data.codes); // rows are columns of V
    let sum = 0;
    for (const i of range(0, n - 1)) {
      const column = new Float64Array(n);
      column[i] = 1;
      reflectForward(data.reflectors, column);
      column.forEach((value, k) => {
        sum += (value - atoms.data[i * n + k]) ** 2;
      });
    }
    expect(await knownCodesDistance(data)).toBeCloseTo(Math.sqrt(sum), 8);
  });

  it('is that of a random completion otherwise', async () => {
    const data = householderData({ n: 50, p: 10, m: 2, theta: 0.3 }, testSeed(4));
    expect(await knownCodesDistance(data)).toBeCloseTo(Math.sqrt(2 * 40), 8);
  });
});
