import { expect, it } from 'vitest';
import { createRandom } from '#src/core/random.ts';
import { CodeDensity } from '#src/models/householder/code-density.ts';
import { testSeed } from '../../helpers/seed.ts';

it('fits the share of zeros, the noise and the mean of the codes', () => {
  const random = createRandom(testSeed(3), 'code density test');
  const codes = Array.from({ length: 20_000 }, () => (random.uniform() < 0.4 ? 1 + random.uniform() : 0));
  const density = CodeDensity.of(
    codes.map((x) => x + 0.1 * random.normal()),
    0.6,
    'sparse',
  );
  expect(density.weights[0]).toBeCloseTo(0.6, 1);
  expect(Math.sqrt(density.variances[0])).toBeCloseTo(0.1, 2);
  const mean = density.weights.reduce((sum, weight, k) => sum + weight * density.means[k], 0);
  expect(mean).toBeCloseTo(0.6, 1);
  expect(density.log(0)).toBeCloseTo(Math.log(0.6 / (0.1 * Math.sqrt(2 * Math.PI))), 1);
  expect(CodeDensity.of(codes, 0.6, 'normal').weights).toEqual([0, 1, 0]);
});
