/** S = Vᵀ diag(λ) V, eigenvectors as rows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identity, type Matrix64, maxDifference, scaleRows, transpose, zeros } from '#src/core/matrix.ts';
import { createRandom, normalMatrix, type Random } from '#src/core/random.ts';
import { eigenvalues, eigh, symmetricPower } from '#src/linalg/eigh.ts';
import {
  diagonal,
  geometric,
  orthonormalityError,
  product,
  scaled,
  symmetrised,
  withEigenvalues,
} from '../helpers/matrices.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(22);
const runs = { numRuns: 40 };
const size = fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: 4, max: 40 }));
const dataSeed = fc.integer({ min: 0, max: 2 ** 31 });

const kinds: Record<string, (n: number, random: Random) => Matrix64> = {
  'normal entries': (n, random) => symmetrised(normalMatrix(n, n, random)),
  'a covariance': (n, random) => {
    const Y = normalMatrix(n + 3, n, random);
    return symmetrised(product(transpose(Y), Y));
  },
  'of rank 1': (n, random) => {
    const y = normalMatrix(1, n, random);
    return symmetrised(product(transpose(y), y));
  },
  'of condition 1e12': (n, random) => withEigenvalues(geometric(n, 1e12), random),
  'with repeated eigenvalues': (n, random) =>
    withEigenvalues(
      Float64Array.from({ length: n }, (_, i) => (i < n / 2 ? 2 : -1)),
      random,
    ),
  'a multiple of the identity': (n) => scaled(identity(n), -3),
  diagonal: (n, random) => diagonal(Float64Array.from({ length: n }, () => random.normal())),
  'diagonal with zeros': (n) => diagonal(Float64Array.from({ length: n }, (_, i) => i % 3)),
  tridiagonal: (n, random) => {
    const S = diagonal(Float64Array.from({ length: n }, () => random.normal()));
    for (let i = 1; i < n; i++) S.data[i * n + i - 1] = S.data[(i - 1) * n + i] = random.normal();
    return S;
  },
  zero: (n) => zeros(n, n),
  'tiny (1e-150)': (n, random) => scaled(symmetrised(normalMatrix(n, n, random)), 1e-150),
  'huge (1e150)': (n, random) => scaled(symmetrised(normalMatrix(n, n, random)), 1e150),
};

describe.each(Object.entries(kinds))('eigh of a matrix %s', (_, make) => {
  it('has orthonormal eigenvectors, descending eigenvalues, and reconstructs the matrix', () => {
    fc.assert(
      fc.property(size, dataSeed, (n, dataSeed) => {
        const S = make(n, createRandom(dataSeed, 'eigh'));
        const { values, vectors } = eigh(S);
        expect([values.length, vectors.rows, vectors.cols]).toEqual([n, n, n]);
        // reflections and rotations are orthogonal to rounding, and O(n) of them affect an entry
        expect(orthonormalityError(vectors)).toBeLessThanOrEqual(1e-14 * (n + 4));
        for (let i = 1; i < n; i++) expect(values[i]).toBeLessThanOrEqual(values[i - 1]);
        const rounding = 1e-14 * (n + 4) * Math.max(...values.map(Math.abs));
        const again = product(transpose(vectors), scaleRows(vectors, values));
        expect(maxDifference(again, S)).toBeLessThanOrEqual(rounding);
      }),
      runs,
    );
  });
});

describe('eigh', () => {
  it('finds the eigenvalues a matrix was made with', () => {
    fc.assert(
      fc.property(size, dataSeed, (n, dataSeed) => {
        const random = createRandom(dataSeed, 'eigh');
        const wanted = Float64Array.from({ length: n }, () => random.normal())
          .sort()
          .reverse();
        const { values } = eigh(withEigenvalues(wanted, random));
        for (let i = 0; i < n; i++) expect(Math.abs(values[i] - wanted[i])).toBeLessThanOrEqual(1e-14 * (n + 10));
      }),
      runs,
    );
  });

  it('converges for rank-deficient matrices with features of very different energy', () => {
    const [samples, n] = [60, 150];
    const Y = normalMatrix(samples, n, createRandom(seed, 'eigh graded'));
    const weights = Float64Array.from({ length: n }, (_, j) => 10 ** (-8 * Math.abs((2 * j) / n - 1)));
    const graded = { ...Y, data: Y.data.map((y, at) => y * weights[at % n]) };
    const S = symmetrised(product(transpose(graded), graded));
    const { values, vectors } = eigh(S);
    expect(orthonormalityError(vectors)).toBeLessThanOrEqual(1e-14 * (n + 4));
    const again = product(transpose(vectors), scaleRows(vectors, values));
    expect(maxDifference(again, S)).toBeLessThanOrEqual(1e-14 * (n + 4) * values[0]);
    expect(maxDifference({ rows: 1, cols: n, data: eigenvalues(S) }, { rows: 1, cols: n, data: values })).toBeLessThan(
      1e-13 * values[0],
    );
  });

  it('does not change its argument', () => {
    const S = symmetrised(normalMatrix(5, 5, createRandom(seed, 'eigh')));
    const before = S.data.slice();
    eigh(S);
    expect(S.data).toEqual(before);
  });

  it('rejects non-finite numbers instead of running for ever', () => {
    const S = identity(4);
    S.data[1] = S.data[4] = Number.NaN;
    expect(() => eigh(S)).toThrow(/finite/);
  });
});

describe('symmetricPower', () => {
  it('has powers that add up: S^a S^b = S^(a+b)', () => {
    fc.assert(
      fc.property(size, dataSeed, (n, dataSeed) => {
        const S = withEigenvalues(geometric(n, 100), createRandom(dataSeed, 'eigh'));
        const eigen = eigh(S);
        const root = symmetricPower(eigen, 0.5);
        expect(maxDifference(product(root, root), S)).toBeLessThan(1e-14 * (n + 10));
        const inverseRoot = symmetricPower(eigen, -0.5);
        const white = product(product(inverseRoot, S), inverseRoot);
        expect(maxDifference(white, identity(n))).toBeLessThan(1e-12 * (n + 10)); // condition 100 · n · ε, with room
        expect(maxDifference(symmetricPower(eigen, 1), S)).toBeLessThan(1e-14 * (n + 10));
      }),
      { ...runs, numRuns: 15 },
    );
  });
});
