import { learnTensor, type Matrix64, metrics } from 'orthodict';
import { createRandom, orthogonalTensor, uniformWeights, withNoise } from 'orthodict/extend';
import { expect, it } from 'vitest';
import { powerMethod } from '#lab/methods/power-method.ts';
import { testSeed } from '../../../test/helpers/seed.ts';

const seed = testSeed(5);
const planted = (d: number) => {
  const random = createRandom(seed, 'power method');
  return { ...orthogonalTensor(uniformWeights(d, random), random), random };
};
const worst = (found: Matrix64, truth: Matrix64) =>
  Math.max(...metrics.matchRows(found, truth, 'l2').pairs.map(({ distance }) => distance));

it('finds the factors and weights of an exact tensor', () => {
  const { T, V, weights } = planted(12);
  const found = powerMethod(T, { seed });
  expect(worst(found.factors, V)).toBeLessThan(1e-10);
  const [actual, expected] = [found.weights, weights].map((values) => values.slice().sort());
  actual.forEach((weight, k) => void expect(weight).toBeCloseTo(expected[k], 10));
  expect(powerMethod(T, { seed, factors: 2 }).factors.rows).toBe(2);
});

it('is no better than rotations where there is noise', async () => {
  const { T, V, random } = planted(20);
  const noisy = withNoise(T, 1e-3, random);
  expect(worst((await learnTensor(noisy)).factors, V)).toBeLessThan(1.2 * worst(powerMethod(noisy).factors, V));
});
