import { describe, expect, it } from 'vitest';
import { fromRows } from '#src/core/matrix.ts';
import type { Progress } from '#src/engine/stop.ts';
import { learn } from '#src/learn/learn.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { PAIR_RULES } from '#src/rotations/pairs.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { orthonormalityError } from '../../helpers/matrices.ts';
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

  it('ends in mixed precision where it ends in float64, and close to it in float32', async () => {
    const { samples } = generate({ samples: 42_000, features: 20, theta: 0.25, seed });
    const common = { method: 'givens', refine: 'none', seed } as const;
    const end = async (precision: 'mixed' | 'f32' | 'f64', tolerance: number) => {
      const objectives: number[] = [];
      const onProgress = ({ iteration, objective }: Progress) => void (iteration > 0 && objectives.push(objective));
      const options = { ...common, precision, tolerance, objectiveTolerance: 0 };
      const { objective, status } = await learn(samples, options, { onProgress });
      expect(status).toBe('converged');
      // in float32 a value is right to some 1e-7/√(number of codes)
      objectives.slice(1).forEach((value, k) => {
        expect(value).toBeGreaterThan(objectives[k] * (1 - (precision === 'f32' ? 1e-8 : 1e-13)));
      });
      return objective;
    };
    const exact = await end('f64', 1e-12);
    expect(Math.abs((await end('mixed', 1e-12)) / exact - 1)).toBeLessThan(1e-13);
    expect(Math.abs((await end('f32', 1e-5)) / exact - 1)).toBeLessThan(1e-7);
  });

  it.each(['f32', 'f64'] as const)('leaves planes alone in which every angle is as good: %s', async (precision) => {
    const angle = (k: number) => (2 * Math.PI * k) / 1000;
    const sample = (k: number) => [Math.cos(angle(k)), Math.sin(angle(k)), k % 5 === 0 ? 3 : 0]; // and a sparse code
    const samples = fromRows(Array.from({ length: 5000 }, (_, k) => sample(k)));
    const { status, iterations } = await learn(samples, { method: 'givens', refine: 'none', precision, seed });
    expect(status).toBe('converged');
    expect(iterations).toBeLessThan(10);
  });

  it.each([1, 2, 3])('has nothing to do or little: %d features', async (features) => {
    const { samples } = generate({ samples: 50, features, theta: 0.4, seed });
    const { dictionary, status } = await learn(samples, { method: 'givens', refine: 'none', seed });
    expect(status).toBe('converged');
    expect(orthonormalityError(dictionary.atoms)).toBeLessThan(1e-13);
  });

  it('ends at the same maximum in every order of the planes, after different steps', async () => {
    const { samples } = generate({ samples: 2000, features: 10, theta: 0.25, seed });
    const ends: number[] = [];
    const first: number[] = [];
    for (const pairs of PAIR_RULES) {
      const onProgress = ({ iteration, objective }: Progress) => void (iteration === 1 && first.push(objective));
      const options = {
        method: 'givens',
        pairs,
        refine: 'none',
        precision: 'f64',
        tolerance: 1e-9,
        objectiveTolerance: 0,
        seed,
      } as const;
      ends.push((await learn(samples, options, { onProgress })).objective);
    }
    for (const end of ends) expect(Math.abs(end / ends[0] - 1)).toBeLessThan(1e-9); // the atoms move by 1e-9 at the end
    expect(new Set(first).size).toBe(PAIR_RULES.length);
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
    await expect(learn(samples, { pairs: 'cyclic' } as never)).rejects.toThrow(
      'pairs must be given with method givens only',
    );
    const large = { rows: 1e8, cols: 100, precision: 'f64', read: async () => samples } as const;
    await expect(learn(large, { method: 'givens' })).rejects.toThrow(/at most 2\^29 .* use method msp/);
  });
});
