import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRows, identity, type Matrix64, row, selectRows, zeros } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { topResidual, topResiduals } from '#src/metrics/top-residual.ts';

/** By reconstruction: sort the codes, sum the kept atoms, subtract. */
function byReconstruction(samples: Matrix64, atoms: Matrix64, k: number): number {
  let [left, total] = [0, 0];
  for (let j = 0; j < samples.rows; j++) {
    const y = row(samples, j);
    const codes = Array.from({ length: atoms.rows }, (_, i) => row(atoms, i).reduce((s, a, f) => s + a * y[f], 0));
    const kept = codes
      .map((_, i) => i)
      .sort((a, b) => Math.abs(codes[b]) - Math.abs(codes[a]))
      .slice(0, k);
    y.forEach((value, f) => {
      left += (value - kept.reduce((sum, i) => sum + codes[i] * row(atoms, i)[f], 0)) ** 2;
      total += value ** 2;
    });
  }
  return left / total;
}

describe('topResidual', () => {
  it('is the residual of the reconstruction, also with fewer atoms than features', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 7 }), fc.integer(), (n, seed) => {
        const random = createRandom(seed, 'top residual');
        const samples = normalMatrix(9, n, random);
        const atoms = randomOrthogonal(n, random);
        const part = selectRows(atoms, [0, 1]);
        for (let k = 0; k <= n; k++) {
          expect(topResidual(samples, atoms, k)).toBeCloseTo(byReconstruction(samples, atoms, k), 12);
        }
        expect(topResidual(samples, part, 1)).toBeCloseTo(byReconstruction(samples, part, 1), 12);
      }),
    );
  });

  it('falls from 1 to 0 as k grows, never below', () => {
    const random = createRandom(4, 'top residual');
    const residuals = topResiduals(normalMatrix(50, 6, random), randomOrthogonal(6, random), [0, 1, 2, 3, 4, 5, 6]);
    expect(residuals[0]).toBe(1);
    expect(residuals).toEqual([...residuals].sort((a, b) => b - a));
    expect(residuals[6]).toBeGreaterThanOrEqual(0);
    expect(residuals[6]).toBeLessThan(1e-14);
  });

  it('agrees with a case by hand, float32 samples', () => {
    const samples = { rows: 2, cols: 2, data: Float32Array.of(3, -4, 0, 1) };
    expect(topResidual(samples, identity(2), 1)).toBeCloseTo(9 / 26, 14);
  });

  it('is 0 for zero samples', () => {
    expect(topResidual(zeros(3, 2), identity(2), 1)).toBe(0);
  });

  it('names the offending parameter', () => {
    expect(() => topResidual(zeros(3, 2), identity(2), 3)).toThrow(
      'topResidual: k must be a whole number from 0 to 2; got 3.',
    );
    expect(() => topResidual(fromRows([[1]]), identity(2), 1)).toThrow(
      'topResidual: samples must be of length 2, like the atoms; got length 1.',
    );
  });
});
