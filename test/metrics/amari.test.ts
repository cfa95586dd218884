import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRows, identity, zeros } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { amariDistance } from '#src/metrics/amari.ts';
import { complete, disguise, orthogonal } from './dictionaries.ts';

describe('amariDistance', () => {
  it('is zero for the same atoms in another order, sign and length', () => {
    fc.assert(
      fc.property(fc.oneof(orthogonal, complete), fc.integer(), (truth, seed) => {
        expect(amariDistance(disguise(truth, seed, true), truth)).toBeLessThan(1e-12);
      }),
    );
  });

  it('lies in [0, 1] and does not change with order, sign and length on either side', () => {
    fc.assert(
      fc.property(complete, fc.integer(), (truth, seed) => {
        const learned = randomOrthogonal(truth.rows, createRandom(seed, 'learned'));
        const distance = amariDistance(learned, truth);
        expect(distance).toBeGreaterThanOrEqual(0);
        expect(distance).toBeLessThanOrEqual(1);
        expect(amariDistance(disguise(learned, seed, true), truth)).toBeCloseTo(distance, 10);
        expect(amariDistance(learned, disguise(truth, seed, true))).toBeCloseTo(distance, 10);
      }),
    );
  });

  it('agrees with a case by hand', () => {
    // P = (3/5 4/5; −4/5 3/5): every row and column spreads by 3/4, so 4·(3/4) / (2·2·1)
    expect(
      amariDistance(
        fromRows([
          [3, 4],
          [-4, 3],
        ]),
        identity(2),
      ),
    ).toBeCloseTo(0.75, 14);
  });

  it('reaches 1 if all coordinates have equal magnitude, or are zero', () => {
    expect(
      amariDistance(
        fromRows([
          [1, 1],
          [1, -1],
        ]),
        identity(2),
      ),
    ).toBeCloseTo(1, 14);
    expect(amariDistance(zeros(3, 3), identity(3))).toBe(1);
  });

  it('detects an atom that was learned twice', () => {
    expect(
      amariDistance(
        fromRows([
          [1, 0],
          [1, 0],
        ]),
        identity(2),
      ),
    ).toBe(0.5);
  });

  it('is zero in one dimension', () => {
    expect(amariDistance(fromRows([[-2]]), fromRows([[5]]))).toBe(0);
  });

  it('refuses dictionaries that are not square', () => {
    expect(() => amariDistance(fromRows([[1, 0]]), identity(2))).toThrow(
      'amariDistance: learned must be square; got 1×2.',
    );
  });
});
