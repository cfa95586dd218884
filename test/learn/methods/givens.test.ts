import { describe, expect, it } from 'vitest';
import { learn } from '#src/learn/learn.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(75);

describe('givens', () => {
  it.each([{ whiten: 'zca' }, { components: 8 }, { center: true }] as const)('works with %j', async (more) => {
    const { samples } = generate({ samples: 3000, features: 12, theta: 0.25, seed });
    const options = { refine: 'none', scout: 'none', precision: 'f64', seed, ...more } as const;
    const [rotated, projected] = [
      await learn(samples, { ...options, method: 'givens' }),
      await learn(samples, { ...options, shift: 'none', tolerance: 1e-9, objectiveTolerance: 1e-14 }),
    ];
    // other local maxima are possible if components are left out
    expect(rotated.objective).toBeGreaterThan(projected.objective * ('components' in more ? 0.97 : 1 - 1e-8));
  });

  it('is refined to the truth', async () => {
    const { samples, atoms } = generate({ samples: 3000, features: 12, theta: 0.25, seed });
    const { dictionary, refined } = await learn(samples, { method: 'givens', seed });
    expect(refined).toBe(true);
    expect(recoveryError(dictionary.atoms, atoms)).toBeLessThan(1e-12);
  });

  it('refuses other norms, a shift, and more codes than it may hold', async () => {
    const { samples } = generate({ samples: 100, features: 4, theta: 0.3, seed });
    await expect(learn(samples, { method: 'givens', norm: 6 })).rejects.toThrow(
      'norm must be 4 with method givens; got 6',
    );
    await expect(learn(samples, { method: 'givens', shift: 1 } as never)).rejects.toThrow(
      'shift must be given with method msp only',
    );
    const large = { rows: 1e8, cols: 100, precision: 'f64', read: async () => samples } as const;
    await expect(learn(large, { method: 'givens' })).rejects.toThrow(/at most 2\^29 .* use method msp/);
  });
});
