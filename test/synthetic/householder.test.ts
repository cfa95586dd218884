import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { row } from '#src/core/matrix.ts';
import { reflectForward } from '#src/linalg/reflectors.ts';
import { density } from '#src/metrics/sparsity.ts';
import { generateHouseholder } from '#src/synthetic/householder.ts';
import type { GenerateHouseholderOptions } from '#src/synthetic/option-types.ts';
import { testSeed } from '../helpers/seed.ts';

const base = {
  samples: 400,
  features: 50,
  reflectors: 3,
  theta: 0.3,
  seed: testSeed(5),
} satisfies GenerateHouseholderOptions;

describe('generateHouseholder', () => {
  const { samples, reflectors, codes } = generateHouseholder(base);

  it('gives samples V x of unit reflectors', () => {
    expect([samples.rows, samples.cols, reflectors.rows, reflectors.cols]).toEqual([400, 50, 3, 50]);
    for (let k = 0; k < 3; k++) {
      expect(Math.hypot(...row(reflectors, k))).toBeCloseTo(1, 14);
      expect(row(reflectors, k).every((value) => value >= 0)).toBe(true);
    }
    for (const j of [0, 399]) {
      const y = row(codes, j).slice();
      reflectForward(reflectors, y);
      expect(row(samples, j)).toEqual(y);
    }
  });

  it('has a share θ of non-zero codes, uniform in [1, 2]', () => {
    const entries = codes.data.length;
    expect(Math.abs(density(codes) - 0.3)).toBeLessThan(5 * Math.sqrt(0.21 / entries));
    const values = codes.data.filter((x) => x !== 0);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...values)).toBeLessThan(2);
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    expect(Math.abs(mean - 1.5)).toBeLessThan(5 / Math.sqrt(12 * values.length));
  });

  it('adds noise of the given standard deviation, and rounds to float32 on request', () => {
    const noisy = generateHouseholder({ ...base, noise: 0.5 });
    const square = Array.from(noisy.samples.data).reduce((sum, y, at) => sum + (y - samples.data[at]) ** 2, 0);
    expect(Math.abs(Math.sqrt(square / noisy.samples.data.length) / 0.5 - 1)).toBeLessThan(0.05);
    const single = generateHouseholder({ ...base, precision: 'f32' }).samples;
    expect(single.data).toEqual(Float32Array.from(samples.data));
  });

  it('draws normal entries of u, and other reflectors for another seed', () => {
    const normal = generateHouseholder({ ...base, entries: 'normal' });
    expect(row(normal.reflectors, 0).some((value) => value < 0)).toBe(true);
    expect(normal.codes.data).toEqual(codes.data);
    expect(generateHouseholder({ ...base, seed: base.seed + 1 }).reflectors.data).not.toEqual(reflectors.data);
  });

  it.each<[Partial<GenerateHouseholderOptions>, string]>([
    [
      { reflectors: 51 },
      'generateHouseholder: reflectors must be a whole number from 1 to the number of features, 50; got 51.',
    ],
    [{ reflectors: 0 }, 'generateHouseholder: reflectors must be a whole number from 1; got 0.'],
    [{ theta: 1.5 }, 'generateHouseholder: theta must be in (0, 1]; got 1.5.'],
    [{ noise: Number.NaN }, 'generateHouseholder: noise must be a finite number, 0 or more; got NaN.'],
    [{ samples: 0 }, 'generateHouseholder: samples must be a whole number from 1; got 0.'],
  ])('refuses %o', (change, message) => {
    expect(() => generateHouseholder({ ...base, ...change })).toThrow(new InputError(message, 'generateHouseholder'));
  });
});
