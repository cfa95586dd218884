import { describe, expect, it } from 'vitest';
import { type Matrix, row } from '#src/core/matrix.ts';
import { reflect, reflectForward } from '#src/linalg/reflectors.ts';
import {
  estimateThetaMu,
  type MeanSample,
  meanSample,
  reflectorFromMean,
  reflectorsFromMean,
} from '#src/models/householder/moments.ts';
import { generateHouseholder } from '#src/synthetic/householder.ts';
import { testSeed } from '../../helpers/seed.ts';

function meanOf(samples: Matrix) {
  const sum = new Float64Array(samples.cols);
  let energy = 0;
  samples.data.forEach((value, at) => {
    sum[at % samples.cols] += value;
    energy += value ** 2;
  });
  return meanSample(sum, energy, samples.rows);
}

/** max |u − v| up to the sign. */
function largestError(u: Float64Array, v: Float64Array): number {
  const errorOf = (sign: number) => u.reduce((max, value, i) => Math.max(max, Math.abs(value - sign * v[i])), 0);
  return Math.min(errorOf(1), errorOf(-1));
}

const ones = (n: number) => new Float64Array(n).fill(1);

/** Mean ℓ∞ error of u over 20 trials, with θμ as `thetaMuOf` says. */
function meanError(theta: number, samples: number, thetaMuOf: (mean: MeanSample) => number): number {
  const count = 20;
  let total = 0;
  for (let trial = 0; trial < count; trial++) {
    const seed = testSeed(0) * 1000 + trial;
    const data = generateHouseholder({ samples, features: 1000, reflectors: 1, theta, seed });
    const mean = meanOf(data.samples);
    const thetaMu = thetaMuOf(mean);
    const z = mean.mean.map((value) => value / thetaMu);
    total += largestError(reflectorFromMean(z, ones(1000))!, row(data.reflectors, 0));
  }
  return total / count;
}

describe('Algorithm 1', () => {
  // n = 1000, entries of u uniform, 20 trials; measured with another program
  it.each([
    [0.1, [0.164, 0.09, 0.082, 0.052]],
    [0.3, [0.061, 0.039, 0.033, 0.025]],
    [0.5, [0.029, 0.022, 0.019, 0.015]],
  ])('has the ℓ∞ errors of the reference at θ = %d', (theta, expected) => {
    [2, 6, 10, 18].forEach((samples, k) => {
      const ratio = meanError(theta, samples, () => theta * 1.5) / expected[k];
      expect(ratio).toBeGreaterThan(0.75);
      expect(ratio).toBeLessThan(1.25);
    });
  });

  it('does as well with θμ estimated from the data, which is within 3 % on average', () => {
    let deviation = 0;
    const estimated = meanError(0.3, 18, (mean) => {
      const estimate = estimateThetaMu(mean)!;
      deviation += Math.abs(estimate / 0.45 - 1) / 20;
      return estimate;
    });
    expect(deviation).toBeLessThan(0.03);
    expect(estimated).toBeLessThan(1.1 * meanError(0.3, 18, () => 0.45));
  });
});

describe('Algorithms 2 and 3', () => {
  const exactMean = (thetaMu: number, image: Float64Array) => ({
    mean: image.map((value) => value * thetaMu),
    variance: 0,
  });

  it('find H from the exact mean of H Q x, for any known Q', () => {
    const { reflectors } = generateHouseholder({ samples: 1, features: 30, reflectors: 3, theta: 0.3, seed: 2 });
    const s = ones(30);
    for (const k of [2, 1]) reflect(s, row(reflectors, k));
    const z = s.slice();
    reflect(z, row(reflectors, 0));
    expect(largestError(reflectorFromMean(z, s)!, row(reflectors, 0))).toBeLessThan(1e-14);
  });

  it('use Z[i+1] for Q1: started from the truth but for H_1, they find H_1 and keep the others', () => {
    const { reflectors } = generateHouseholder({ samples: 1, features: 30, reflectors: 3, theta: 0.3, seed: 3 });
    const image = ones(30);
    reflectForward(reflectors, image);
    const start = generateHouseholder({ samples: 1, features: 30, reflectors: 3, theta: 0.3, seed: 4 }).reflectors;
    start.data.set(reflectors.data.subarray(30), 30);
    const found = reflectorsFromMean(exactMean(0.45, image), 0.45, 3, start);
    expect(found.identified).toBe(1);
    found.reflectors.forEach((u, k) => {
      expect(largestError(u!, row(reflectors, k))).toBeLessThan(1e-13);
    });
  });

  it('identify one reflector for any requested number, and map 1 to the mean with it', () => {
    const { reflectors } = generateHouseholder({ samples: 1, features: 40, reflectors: 5, theta: 0.3, seed: 5 });
    const image = ones(40);
    reflectForward(reflectors, image);
    const found = reflectorsFromMean(exactMean(0.45, image), 0.45, 5);
    expect(found.identified).toBe(1);
    expect(found.reason).toContain('first moments determine only the image');
    expect(found.reflectors.slice(1)).toEqual([undefined, undefined, undefined, undefined]);
    const mapped = ones(40);
    reflect(mapped, found.reflectors[0]!);
    expect(largestError(mapped, image)).toBeLessThan(1e-13);
  });

  it('report that there is nothing to find: a zero mean, k·s ≤ 0, a mean that 1 explains', () => {
    const zeroMean = meanOf(
      generateHouseholder({ samples: 50, features: 100, reflectors: 1, theta: 0.3, seed: 1 }).codes,
    );
    expect(estimateThetaMu({ mean: zeroMean.mean.map((x, i) => (i % 2 ? 0.02 * x : -0.02 * x)), variance: 0.5 })).toBe(
      undefined,
    );
    expect(reflectorFromMean(ones(3), ones(3))).toBe(undefined);
    expect(reflectorFromMean(Float64Array.from([2, 2, 2]), ones(3))).toBe(undefined);
    expect(reflectorsFromMean(exactMean(1, ones(5)), 1, 2).identified).toBe(0);
    expect(reflectorsFromMean(exactMean(1, Float64Array.from([2, 2, 2])), 1, 1).reason).toContain('k·s ≤ 0');
  });

  it.each([1, 2, 3])('have an answer for %d features', (n) => {
    const { reflectors } = generateHouseholder({ samples: 1, features: n, reflectors: 1, theta: 0.5, seed: 6 });
    const image = ones(n);
    reflectForward(reflectors, image);
    const found = reflectorsFromMean(exactMean(2, image), 2, 1);
    expect(largestError(found.reflectors[0]!, row(reflectors, 0))).toBeLessThan(1e-14);
  });
});
