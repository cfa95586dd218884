import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRows, identity, row, selectRows } from '#src/core/matrix.ts';
import { matchAtoms } from '#src/metrics/match-atoms.ts';
import { complete, disguise, orthogonal } from './dictionaries.ts';

describe('matchAtoms', () => {
  it('ignores order, sign and length', () => {
    fc.assert(
      fc.property(fc.oneof(orthogonal, complete), fc.integer(), (truth, seed) => {
        const learned = disguise(truth, seed, true);
        const { pairs, maxAtomError, matched } = matchAtoms(learned, truth);
        expect(maxAtomError).toBeLessThan(1e-14);
        expect(matched).toBe(truth.rows);
        expect(new Set(pairs.map((pair) => pair.truth)).size).toBe(truth.rows);
        for (const pair of pairs) {
          const j = row(truth, pair.truth).findIndex((value) => Math.abs(value) > 0.1);
          expect(Math.sign(row(learned, pair.learned)[j] * row(truth, pair.truth)[j])).toBe(pair.sign);
        }
      }),
    );
  });

  it('is exactly zero for equal dictionaries', () => {
    fc.assert(
      fc.property(orthogonal, (truth) => {
        expect(matchAtoms(truth, truth).maxAtomError).toBe(0);
      }),
    );
  });

  it.each([0.3, 1e-5, 1e-10, 1e-15])('is accurate for a rotation by %d', (angle) => {
    const learned = fromRows([
      [Math.cos(angle), Math.sin(angle)],
      [Math.sin(angle), -Math.cos(angle)],
    ]);
    const { maxAtomError, pairs } = matchAtoms(learned, identity(2));
    expect(maxAtomError / (2 * Math.sin(angle / 2))).toBeCloseTo(1, 5);
    expect(pairs.map(({ sign }) => sign)).toEqual([1, -1]);
  });

  it('maximises the sum of |cosines|, not each one', () => {
    // a greedy choice would give atom 0 its best match (truth 0) and leave atom 1 with nothing
    const learned = fromRows([
      [0.8, 0.6],
      [1, 0],
    ]);
    expect(matchAtoms(learned, identity(2)).pairs.map((pair) => pair.truth)).toEqual([1, 0]);
  });

  it.each([
    [2, 4],
    [4, 2],
  ])('matches %d learned with %d true atoms', (learnedCount, trueCount) => {
    const order = [3, 1, 0, 2];
    const learned = selectRows(identity(4), order.slice(0, learnedCount));
    const truth = selectRows(identity(4), [0, 1, 2, 3].slice(0, trueCount));
    const { pairs, matched } = matchAtoms(learned, truth);
    expect(matched).toBe(2);
    expect(pairs.map((pair) => pair.learned)).toEqual(pairs.map((pair) => pair.learned).sort());
    for (const pair of pairs) expect(order[pair.learned]).toBe(pair.truth);
  });

  it('counts as matched above a cosine of .99', () => {
    const turned = (cosine: number) => fromRows([[cosine, Math.sqrt(1 - cosine ** 2)]]);
    expect(matchAtoms(turned(0.991), identity(2)).matched).toBe(1);
    expect(matchAtoms(turned(0.989), identity(2)).matched).toBe(0);
  });

  it('matches a zero atom with an error of 1', () => {
    const { pairs, matched } = matchAtoms(
      fromRows([
        [0, 0],
        [0, 2],
      ]),
      identity(2),
    );
    expect(pairs.map(({ truth, error }) => [truth, error])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(matched).toBe(1);
  });
});
