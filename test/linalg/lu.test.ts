/** M⁻¹ B by elimination with partial pivoting. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRows, identity, maxDifference, zeros } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { solve } from '#src/linalg/lu.ts';
import { geometric, product, randomPermutation, scaled, withSingularValues } from '../helpers/matrices.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(25);
const runs = { numRuns: 40 };
const size = fc.oneof(fc.constantFrom(1, 2, 3), fc.integer({ min: 4, max: 40 }));
const dataSeed = fc.integer({ min: 0, max: 2 ** 31 });

describe('solve', () => {
  it('finds X from M and M X, at any scale', () => {
    fc.assert(
      fc.property(
        size,
        fc.integer({ min: 1, max: 7 }),
        dataSeed,
        fc.constantFrom(1e-150, 1, 1e150),
        (n, m, dataSeed, factor) => {
          const random = createRandom(dataSeed, 'lu');
          const M = scaled(withSingularValues(geometric(n, 1e4), random), factor);
          const X = normalMatrix(n, m, random);
          // forward error: condition 1e4 · growth · n · ε, with room
          expect(maxDifference(solve(M, product(M, X))!, X)).toBeLessThan(1e-11 * (n + 10));
        },
      ),
      runs,
    );
  });

  it('pivots: permutations are solved exactly', () => {
    fc.assert(
      fc.property(size, dataSeed, (n, dataSeed) => {
        const random = createRandom(dataSeed, 'lu');
        const P = randomPermutation(n, random, true);
        const X = normalMatrix(n, 3, random);
        expect(maxDifference(solve(P, product(P, X))!, X)).toBe(0);
      }),
      runs,
    );
  });

  it('does not change its arguments', () => {
    const random = createRandom(seed, 'lu');
    const [M, B] = [normalMatrix(6, 6, random), normalMatrix(6, 2, random)];
    const before = [M.data.slice(), B.data.slice()];
    solve(M, B);
    expect([M.data, B.data]).toEqual(before);
  });

  it('returns undefined if the matrix is singular or not finite', () => {
    expect(solve(zeros(3, 3), identity(3))).toBeUndefined();
    const twice = fromRows([
      [1, 2],
      [2, 4],
    ]);
    expect(solve(twice, identity(2))).toBeUndefined();
    const spoiled = identity(3);
    spoiled.data[4] = Number.NaN;
    expect(solve(spoiled, identity(3))).toBeUndefined();
  });
});
