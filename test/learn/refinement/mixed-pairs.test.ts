/** With few atoms half of them can be mixtures of two, which have zeros of their own: no run may report these as exact. */
import { expect, it } from 'vitest';
import { learn } from '#src/learn/learn.ts';
import { matchAtoms } from '#src/metrics/match-atoms.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';

/** Features, theta, seed of the data, seed of the start: runs that once ended as mixtures. */
const RUNS = [
  [4, 0.2, 112, 1, true],
  [4, 0.1, 114, 1, true],
  [6, 0.2, 1007, 7, false], // a saddle of the whole objective: only parting the pair leads on
  [6, 0.2, 1007, 7, true],
  [8, 0.2, 1003, 3, true],
  [12, 0.1, 1005, 5, true],
] as const;

it.each(RUNS)('%i features, theta %d, seeds %i and %i, centred: %s', async (features, theta, data, seed, center) => {
  const { samples, atoms } = generate({ samples: 20_000, features, theta, seed: data });
  const { dictionary, refined } = await learn(samples, { seed, center });
  expect(refined).toBe(true);
  expect(matchAtoms(dictionary.atoms, atoms).maxAtomError).toBeLessThan(1e-8); // exact but for rounding; a mixture errs by .4 or more
});
