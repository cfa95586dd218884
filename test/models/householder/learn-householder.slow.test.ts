/** Reflectors are exact from few samples, for most seeds; and a great many features are no trouble. */
import { describe, expect, it } from 'vitest';
import type { Matrix64 } from '#src/core/matrix.ts';
import { productDistance } from '#src/metrics/product-distance.ts';
import { learnHouseholder } from '#src/models/householder/learn-householder.ts';
import { generateHouseholder } from '#src/synthetic/householder.ts';
import { base, largestError } from './helpers.ts';

describe('one reflector', () => {
  it.each([0.1, 0.2, 0.3])('is exact from 18 samples of 1000 features at θ = %d for 9 seeds of 10', async (theta) => {
    let exact = 0;
    for (let k = 0; k < 10; k++) {
      const data = generateHouseholder({ ...base, theta, seed: base.seed + k });
      const { reflectors, refined } = await learnHouseholder(data.samples);
      if (refined && largestError(reflectors.data, data.reflectors.data) <= 1e-10) exact++;
    }
    expect(exact).toBeGreaterThanOrEqual(9);
  });

  it('gets nearer in spite of noise', async () => {
    const data = generateHouseholder({ ...base, samples: 60, noise: 0.05 });
    const [plain, refined] = await Promise.all(
      (['none', 'auto'] as const).map((refine) => learnHouseholder(data.samples, { refine })),
    );
    const distance = (result: typeof plain) => productDistance(result.reflectors, data.reflectors);
    expect(refined.refined).toBe(true);
    expect(distance(refined)).toBeLessThan(0.25 * distance(plain)); // measured .1
  });
});

describe('several reflectors', () => {
  it.each([2, 3, 6, 10])('%d of them are exact from 20 samples of 1000 features', async (reflectors) => {
    const data = generateHouseholder({ ...base, samples: 20, reflectors });
    const found = await learnHouseholder(data.samples, { reflectors });
    const plain = await learnHouseholder(data.samples, { reflectors, refine: 'none' });
    const distance = (product: Matrix64) => productDistance(product, data.reflectors);
    expect(distance(plain.reflectors)).toBeGreaterThan(1);
    expect([found.identified, found.exact]).toEqual([reflectors, true]);
    expect(distance(found.reflectors)).toBeLessThan(1e-9); // measured ≤ 2e-11
    expect([plain.identified, plain.reflectors.rows]).toEqual([1, 1]);
    expect(plain.reason).toContain('first moments determine only the image');
  });

  it('fewer are told where each feature has too few zeros, still nearer than moments', async () => {
    const data = generateHouseholder({ ...base, samples: 12, reflectors: 10 });
    const found = await learnHouseholder(data.samples, { reflectors: 10 });
    const plain = await learnHouseholder(data.samples, { reflectors: 10, refine: 'none' });
    expect(found.identified).toBeLessThan(10);
    expect(found.refinement).toContain('of 10 reflectors');
    const ratio =
      productDistance(found.reflectors, data.reflectors) / productDistance(plain.reflectors, data.reflectors);
    expect(ratio).toBeLessThan(0.8); // measured .5
  });
});

it('never forms an n×n matrix: 200,000 features, 20,000 of them refined', async () => {
  const many = generateHouseholder({ ...base, samples: 4, features: 200_000, theta: 0.5 });
  const plain = await learnHouseholder(many.samples, { reflectors: 10, refine: 'none' });
  expect([plain.identified, plain.reflectors.rows, plain.reflectors.cols]).toEqual([1, 1, 200_000]);
  const fewer = generateHouseholder({ ...base, samples: 12, features: 20_000, theta: 0.1 });
  const { reflectors, exact } = await learnHouseholder(fewer.samples);
  expect(exact).toBe(true);
  expect(largestError(reflectors.data, fewer.reflectors.data)).toBeLessThan(1e-10);
});
