/** K-SVD finds a planted dictionary. */
import { expect, it } from 'vitest';
import { learn } from '#src/learn/learn.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(3);

it('ksvd finds the dictionary of Table 2 (a): n=25, p=10,000, θ=.3', async () => {
  const { samples, atoms } = generate({ samples: 10_000, features: 25, theta: 0.3, seed });
  const result = await learn(samples, { seed, method: 'ksvd' });
  expect([result.status, result.refined]).toEqual(['converged', false]);
  // fewer codes than θn = 7.5: the largest are found with certainty
  expect(recoveryError(result.dictionary.atoms, atoms)).toBeLessThan(2e-3);
  expect(result.iterations).toBeLessThanOrEqual(60);
});
