/** G = Uᵀ diag(σ) V with singular vectors as rows of `left` and `right`. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Matrix64, maxDifference, scaleRows, transpose, zeros } from '#src/core/matrix.ts';
import { createRandom, normalMatrix, type Random } from '#src/core/random.ts';
import { svd } from '#src/linalg/svd.ts';
import {
  geometric,
  lowRank,
  orthonormalityError,
  product,
  randomPermutation,
  scaled,
  withSingularValues,
} from '../helpers/matrices.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(23);
const runs = { numRuns: 30 };
const size = fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: 4, max: 30 }));
const dataSeed = fc.integer({ min: 0, max: 2 ** 31 });

const kinds: Record<string, (n: number, random: Random) => Matrix64> = {
  'normal entries': (n, random) => normalMatrix(n, n, random),
  'condition 1e10': (n, random) => withSingularValues(geometric(n, 1e10), random),
  'rank 1': (n, random) => lowRank(n, 1, random),
  'half the rank': (n, random) => lowRank(n, Math.ceil(n / 2), random),
  'repeated singular values': (n, random) =>
    withSingularValues(
      Float64Array.from({ length: n }, (_, i) => (i % 2 ? 1 : 4)),
      random,
    ),
  'signed permutation': (n, random) => randomPermutation(n, random, true),
  zero: (n) => zeros(n, n),
  'tiny (1e-150)': (n, random) => scaled(normalMatrix(n, n, random), 1e-150),
  'huge (1e150)': (n, random) => scaled(normalMatrix(n, n, random), 1e150),
};

describe.each(Object.entries(kinds))('svd of %s', (_, make) => {
  it('has orthonormal vectors, descending values, and reconstructs the matrix', () => {
    fc.assert(
      fc.property(size, dataSeed, (n, dataSeed) => {
        const G = make(n, createRandom(dataSeed, 'svd'));
        const { left, values, right } = svd(G);
        expect(orthonormalityError(left)).toBeLessThanOrEqual(1e-14 * (n + 10));
        expect(orthonormalityError(right)).toBeLessThanOrEqual(1e-14 * (n + 10));
        for (let i = 0; i < n; i++) expect(values[i]).toBeGreaterThanOrEqual(0);
        for (let i = 1; i < n; i++) expect(values[i]).toBeLessThanOrEqual(values[i - 1]);
        const again = product(transpose(left), scaleRows(right, values));
        expect(maxDifference(again, G)).toBeLessThanOrEqual(1e-14 * (n + 10) * values[0]);
      }),
      runs,
    );
  });
});

describe('svd', () => {
  it('finds the singular values a matrix was made with', () => {
    fc.assert(
      fc.property(size, dataSeed, (n, dataSeed) => {
        const wanted = geometric(n, 1e3);
        const { values } = svd(withSingularValues(wanted, createRandom(dataSeed, 'svd')));
        for (let i = 0; i < n; i++) expect(Math.abs(values[i] - wanted[i])).toBeLessThanOrEqual(1e-14 * (n + 10));
      }),
      runs,
    );
  });

  it('is accurate for small singular values of a matrix with rows of very different size', () => {
    // diag(d)·Q has nearly orthogonal scaled rows: one-sided Jacobi keeps relative accuracy where bidiagonalisation
    // would not
    const G = scaleRows(normalMatrix(2, 2, createRandom(seed, 'svd')), [1, 1e-20]);
    const determinant = Math.abs(G.data[0] * G.data[3] - G.data[1] * G.data[2]);
    const { values } = svd(G);
    expect(Math.abs((values[0] * values[1]) / determinant - 1)).toBeLessThan(1e-13);
  });
});
