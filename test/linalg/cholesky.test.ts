/** S = L Lᵀ, and solving with it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identity, maxDifference, transpose, zeros } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { cholesky, solveSymmetric } from '#src/linalg/cholesky.ts';
import { diagonal, geometric, maxAbs, product, scaled, symmetrised, withEigenvalues } from '../helpers/matrices.ts';

const runs = { numRuns: 40 };
const size = fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: 4, max: 40 }));
const dataSeed = fc.integer({ min: 0, max: 2 ** 31 });
const scale = fc.constantFrom(1e-100, 1, 1e100);

describe('cholesky', () => {
  it('gives a lower triangle L with a positive diagonal and L Lᵀ = S', () => {
    fc.assert(
      fc.property(size, dataSeed, scale, (n, dataSeed, factor) => {
        const S = scaled(withEigenvalues(geometric(n, 1e6), createRandom(dataSeed, 'cholesky')), factor);
        const L = cholesky(S)!;
        for (let i = 0; i < n; i++) {
          expect(L.data[i * n + i]).toBeGreaterThan(0);
          for (let j = i + 1; j < n; j++) expect(L.data[i * n + j]).toBe(0);
        }
        // backward stable: n·ε times the matrix
        expect(maxDifference(product(L, transpose(L)), S)).toBeLessThanOrEqual(1e-15 * (n + 10) * maxAbs(S));
      }),
      runs,
    );
  });

  it('takes a pivot for zero up to n ε of the diagonal', () => {
    const withLast = (last: number) => cholesky({ rows: 2, cols: 2, data: Float64Array.of(1, 1, 1, last) });
    const { EPSILON } = Number;
    expect(withLast(1 + 2 * EPSILON)).toBeUndefined();
    expect(withLast(1 + 3 * EPSILON)!.data[3]).toBe(Math.sqrt(3 * EPSILON));
    expect(cholesky({ rows: 1, cols: 1, data: Float64Array.of(0) })).toBeUndefined();
    expect(cholesky({ rows: 1, cols: 1, data: Float64Array.of(Number.NaN) })).toBeUndefined();
    // the diagonal of the pivot counts, not that of others
    expect(cholesky(diagonal([1, 1e-20]))!.data[3]).toBe(1e-10);
  });

  it('returns undefined if the matrix is not positive definite', () => {
    fc.assert(
      fc.property(size, dataSeed, fc.constantFrom(0, -1e-3, -1), (n, dataSeed, last) => {
        const values = geometric(n, 10);
        values[n - 1] = last;
        const random = createRandom(dataSeed, 'cholesky');
        const S = last === 0 ? diagonal(values) : withEigenvalues(values, random);
        expect(cholesky(S)).toBeUndefined();
      }),
      runs,
    );
    expect(cholesky(zeros(3, 3))).toBeUndefined();
    expect(cholesky({ ...identity(2), data: new Float64Array([1, Number.NaN, Number.NaN, 1]) })).toBeUndefined();
  });
});

describe('solveSymmetric', () => {
  it('solves S X = B', () => {
    fc.assert(
      fc.property(size, fc.integer({ min: 1, max: 7 }), dataSeed, (n, m, dataSeed) => {
        const random = createRandom(dataSeed, 'cholesky');
        const S = withEigenvalues(geometric(n, 1e4), random);
        const X = normalMatrix(n, m, random);
        // forward error: condition 1e4 · n · ε, with room
        expect(maxDifference(solveSymmetric(S, product(S, X))!, X)).toBeLessThan(1e-11 * (n + 10));
      }),
      runs,
    );
  });

  it('returns undefined if there is no solution', () => {
    const y = normalMatrix(1, 4, createRandom(1, 'cholesky'));
    expect(solveSymmetric(symmetrised(product(transpose(y), y)), identity(4))).toBeUndefined();
  });
});
