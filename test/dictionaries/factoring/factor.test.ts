/** Factoring an orthogonal matrix into reflectors or rotations: exact with all factors, best or monotone with fewer. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { addScaled, fromRows, identity, type Matrix64, maxDifference, row, transpose } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { factorGivens, fitRotations } from '#src/dictionaries/factoring/factor-givens.ts';
import { factorHouseholder } from '#src/dictionaries/factoring/factor-householder.ts';
import { givensDictionary } from '#src/dictionaries/givens.ts';
import { householderDictionary } from '#src/dictionaries/householder.ts';
import { eigh } from '#src/linalg/eigh.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { rotationMatrix } from '#src/linalg/rotations.ts';
import {
  frobenius,
  product,
  randomPermutation,
  randomReflectors,
  randomRotations,
  symmetrised,
  withSingularValues,
} from '../../helpers/matrices.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(41);
const size = fc.constantFrom(1, 2, 3, 5, 8, 13, 24);
const dataSeed = fc.integer({ min: 0, max: 2 ** 31 });
const runs = { numRuns: 25 };
const distance = (a: Matrix64, b: Matrix64) => frobenius(addScaled(a, -1, b)) / Math.sqrt(a.rows);
const reflected = (n: number) => ({ ...identity(n), data: identity(n).data.map((x) => -x) });

/** Orthogonal matrices of all kinds: Haar, signed permutations (many equal angles), one reflector, I, −I. */
function orthogonal(n: number, data: number): Matrix64 {
  const random = createRandom(data, 'factor');
  const kinds = [
    () => randomOrthogonal(n, random),
    () => randomPermutation(n, random, true),
    () => transpose(householderDictionary({ reflectors: randomReflectors(1, n, random) }).atoms),
    () => identity(n),
    () => reflected(n),
  ];
  return kinds[data % kinds.length]();
}

describe('factorHouseholder', () => {
  it('is exact with as many reflectors as features', async () => {
    await fc.assert(
      fc.asyncProperty(size, dataSeed, async (n, data) => {
        const A = orthogonal(n, data);
        const { reflectors, error } = await factorHouseholder(A, n);
        expect(reflectors.rows).toBeLessThanOrEqual(n);
        expect(maxDifference(householderDictionary({ reflectors }).atoms, A)).toBeLessThan(1e-13);
        expect(error).toBeLessThan(1e-13);
      }),
      runs,
    );
  });

  it('reports its error, which falls with the number of reflectors, and predicts it', async () => {
    await fc.assert(
      fc.asyncProperty(size, dataSeed, async (n, data) => {
        const A = orthogonal(n, data);
        const { curve } = await factorHouseholder(A, n);
        let last = Number.POSITIVE_INFINITY;
        for (let count = 0; count <= n; count++) {
          const { reflectors, error } = await factorHouseholder(A, count);
          expect(reflectors.rows).toBeLessThanOrEqual(count);
          expect(distance(householderDictionary({ reflectors }).atoms, A)).toBeCloseTo(error, 13);
          expect(error).toBeLessThanOrEqual(last + 1e-13);
          // the predicted error comes from a sum of squares
          expect(error ** 2 - (curve.find(({ factors }) => factors === count)?.error ?? error) ** 2).toBeCloseTo(0, 12);
          last = error;
        }
      }),
      { ...runs, numRuns: 15 },
    );
  });

  it('recovers a product of few reflectors', async () => {
    const random = createRandom(seed, 'few');
    const { atoms } = householderDictionary({ reflectors: randomReflectors(3, 20, random) });
    const { reflectors, error } = await factorHouseholder(atoms, 3);
    expect(reflectors.rows).toBe(3);
    expect(error).toBeLessThan(1e-13);
  });

  it('beats choosing one reflector at a time, and any small change of its result', async () => {
    const random = createRandom(seed, 'best');
    for (const n of [6, 15, 30]) {
      const A = randomOrthogonal(n, random);
      for (const count of [1, 2, 3, 5]) {
        const { error, reflectors } = await factorHouseholder(A, count);
        expect(error).toBeLessThanOrEqual(distance(spectralGreedy(A, count), A) + 1e-12);
        for (let trial = 0; trial < 20; trial++) {
          const nearby = addScaled(reflectors, 0.1 ** (1 + (trial % 4)), normalMatrix(reflectors.rows, n, random));
          const other = householderDictionary({ reflectors: unit(nearby) }).atoms;
          expect(error).toBeLessThanOrEqual(distance(other, A) + 1e-12);
        }
      }
    }
  });
});

/** Rusu's choice, one at a time: u is the eigenvector of the smallest eigenvalue of the remainder's symmetric part. */
function spectralGreedy(A: Matrix64, count: number): Matrix64 {
  let rest = A;
  let V = identity(A.rows);
  for (let k = 0; k < count; k++) {
    const { values, vectors } = eigh(symmetrised(rest));
    if (values[A.rows - 1] >= 0) break;
    const u = { rows: 1, cols: A.rows, data: row(vectors, A.rows - 1).slice() };
    const H = householderDictionary({ reflectors: u }).atoms;
    V = product(H, V);
    rest = product(H, rest);
  }
  return transpose(V); // collected as H_k … H_1, and A ≈ H_1 … H_k
}

const unit = (rows: Matrix64): Matrix64 =>
  fromRows(
    Array.from({ length: rows.rows }, (_, k) => {
      const v = row(rows, k);
      return v.map((x) => x / Math.hypot(...v));
    }),
  );

describe('factorGivens', () => {
  it('is exact with n(n−1)/2 rotations', async () => {
    await fc.assert(
      fc.asyncProperty(size, dataSeed, async (n, data) => {
        const A = orthogonal(n, data);
        const { error, ...parts } = await factorGivens(A, (n * (n - 1)) / 2);
        expect(maxDifference(givensDictionary(parts).atoms, A)).toBeLessThan(1e-13);
        expect(error).toBeLessThan(1e-13);
      }),
      runs,
    );
  });

  it('reports its error, which falls with every rotation', async () => {
    await fc.assert(
      fc.asyncProperty(size, dataSeed, async (n, data) => {
        const A = orthogonal(n, data);
        let last = Number.POSITIVE_INFINITY;
        for (let count = 0; count < Math.min(12, (n * (n - 1)) / 2); count++) {
          const { error, curve, ...parts } = await factorGivens(A, count);
          expect(parts.rotations.rows).toBeLessThanOrEqual(count);
          expect(distance(givensDictionary(parts).atoms, A)).toBeCloseTo(error, 13);
          expect(error).toBeLessThanOrEqual(last + 1e-13);
          expect(curve.at(-1)).toEqual({ factors: parts.rotations.rows, error });
          last = error;
        }
      }),
      { ...runs, numRuns: 15 },
    );
  });

  it('needs no rotation for a signed permutation, and one for each of disjoint pairs', async () => {
    const random = createRandom(seed, 'sparse');
    const P = randomPermutation(9, random, true);
    expect((await factorGivens(P, 20)).rotations.rows).toBe(0);
    const angles = [0.3, -0.5, 0.2];
    const rotations = fromRows(angles.map((angle, k) => [2 * k, 2 * k + 1, Math.cos(angle), Math.sin(angle)]));
    const { atoms } = givensDictionary({ ...randomRotations(0, 9, random), rotations });
    const { rotations: found, error } = await factorGivens(atoms, 20);
    expect(found.rows).toBe(3);
    expect(error).toBeLessThan(1e-15);
  });

  it('chooses the pair that gains most: no single rotation is better', async () => {
    const n = 6;
    const A = randomOrthogonal(n, createRandom(seed, 'single'));
    const { error, order, signs } = await factorGivens(A, 1);
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        if (i === j) continue;
        for (let k = 0; k < 180; k++) {
          const angle = (k * Math.PI) / 90;
          const rotations = fromRows([[i, j, Math.cos(angle), Math.sin(angle)]]);
          for (const flip of [1, -1]) {
            const flipped = signs.map((sign, at) => (order[at] === j ? flip * sign : sign));
            best = Math.min(best, distance(givensDictionary({ rotations, order, signs: flipped }).atoms, A));
          }
        }
      }
    }
    expect(error).toBeLessThanOrEqual(best + 1e-12);
  });

  it('takes n = 256 with n log n rotations', async () => {
    const A = randomOrthogonal(256, createRandom(seed, 'time'));
    const { error, ...parts } = await factorGivens(A, 2048);
    expect(parts.rotations.rows).toBe(2048);
    expect(distance(givensDictionary(parts).atoms, A)).toBeCloseTo(error, 12);
  });

  it('can be aborted', async () => {
    const A = randomOrthogonal(200, createRandom(seed, 'abort'));
    await expect(factorGivens(A, 15_000, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });
});

describe('fitRotations', () => {
  it('raises tr(Mᵀ A) with every rotation, for any M', () => {
    const M = normalMatrix(12, 12, createRandom(seed, 'fit'));
    const value = (count: number) => {
      const A = rotationMatrix(fitRotations(M, count));
      return A.data.reduce((sum, a, k) => sum + a * M.data[k], 0);
    };
    const values = [0, 1, 2, 4, 8, 16, 32, 64].map(value);
    values.slice(1).forEach((later, k) => {
      expect(later).toBeGreaterThan(values[k]);
    });
  });
});

describe('both', () => {
  const random = createRandom(seed, 'refuse');
  it.each<[string, Matrix64, RegExp]>([
    ['that is not square', normalMatrix(2, 3, random), /of as many atoms as features; got 2 atoms of 3 features/],
    [
      'that is not orthogonal',
      withSingularValues([1, 0.5, 0.2], random),
      /must be orthogonal; got an orthogonality error/,
    ],
    ['that is not finite', fromRows([[Number.NaN]]), /finite/],
  ])('refuse a matrix %s', async (_, A, pattern) => {
    for (const factor of [factorHouseholder, factorGivens]) {
      const error = await factor(A, 0).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(InputError);
      expect((error as Error).message).toMatch(pattern);
    }
  });

  it.each([-1, 1.5, 7, Number.NaN])('refuse %d factors of a 3×3 matrix', async (count) => {
    await expect(factorHouseholder(identity(3), count)).rejects.toThrow(
      `factor: the number of reflectors must be a whole number from 0 to 3; got ${count}.`,
    );
    await expect(factorGivens(identity(3), count)).rejects.toThrow(
      `factor: the number of rotations must be a whole number from 0 to 3; got ${count}.`,
    );
  });
});
