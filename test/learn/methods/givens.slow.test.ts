import { expect, it } from 'vitest';
import { learn } from '#src/learn/learn.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(75);

it('givens reaches the objective of msp at n = 50, p = 20,000', async () => {
  const { samples } = generate({ samples: 20_000, features: 50, theta: 0.3, seed });
  const options = { refine: 'none', scout: 'none', precision: 'f64', seed } as const;
  const byRotations = await learn(samples, { ...options, method: 'givens' });
  const byProjection = await learn(samples, { ...options, tolerance: 1e-9, objectiveTolerance: 0 });
  expect(byRotations.status).toBe('converged');
  expect(Math.abs(byRotations.objective / byProjection.objective - 1)).toBeLessThan(1e-8);
  // one pass to prepare and one per sweep, none in between
  expect(byRotations.passes).toBeLessThanOrEqual(byRotations.iterations + 4);
});
