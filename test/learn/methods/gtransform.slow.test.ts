import { expect, it } from 'vitest';
import { learn } from '#src/learn/learn.ts';
import { topResidual } from '#src/metrics/top-residual.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { testSeed } from '../../helpers/seed.ts';

const N = 12;
const { samples } = generate({ samples: 3000, features: N, theta: 0.25, seed: testSeed(9) });
const options = { method: 'gtransform', keep: 3 } as const;

it('gtransform keeps more energy with more rotations, and with all of them as much as Procrustes', async () => {
  const residual = async (rotations: number) => {
    const { dictionary } = await learn(samples, { ...options, rotations });
    return topResidual(samples, dictionary.atoms, 3);
  };
  const [few, many, all] = [await residual(6), await residual(36), await residual((N * (N - 1)) / 2)];
  expect(many).toBeLessThan(few);
  expect(all).toBeLessThan(many);
  const { dictionary } = await learn(samples, { method: 'procrustes', keep: 3, refine: 'none' });
  expect(all).toBeLessThan(1.1 * topResidual(samples, dictionary.atoms, 3));
});
