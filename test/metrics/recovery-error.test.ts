import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRows, identity, selectRows, toFloat64, zeros } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { complete, disguise, orthogonal } from './dictionaries.ts';

/** The literal definition: |1 − ‖A Dᵀ‖₄⁴/K|. */
function definition(learned: { rows: number; cols: number; data: Float64Array }, truth: typeof learned): number {
  let g = 0;
  for (let i = 0; i < learned.rows; i++) {
    for (let k = 0; k < truth.rows; k++) {
      let c = 0;
      for (let j = 0; j < learned.cols; j++) c += learned.data[i * learned.cols + j] * truth.data[k * truth.cols + j];
      g += c ** 4 / learned.rows;
    }
  }
  return Math.abs(1 - g);
}

const rotation = (angle: number) =>
  fromRows([
    [Math.cos(angle), Math.sin(angle)],
    [-Math.sin(angle), Math.cos(angle)],
  ]);

describe('recoveryError', () => {
  it('agrees with the definition for orthogonal dictionaries, and for part of the learned atoms', () => {
    fc.assert(
      fc.property(orthogonal, fc.integer(), (truth, seed) => {
        const learned = randomOrthogonal(truth.rows, createRandom(seed, 'learned'));
        const part = selectRows(learned, [1, 0]);
        expect(recoveryError(learned, truth)).toBeCloseTo(definition(learned, truth), 13);
        expect(recoveryError(part, truth)).toBeCloseTo(definition(part, truth), 13);
      }),
    );
  });

  it('is zero to the square of rounding for the same atoms in another order, sign and length', () => {
    fc.assert(
      fc.property(fc.oneof(orthogonal, complete), fc.integer(), (truth, seed) => {
        expect(recoveryError(disguise(truth, seed, true), truth)).toBeLessThan(1e-26);
      }),
    );
  });

  it('does not change with order and signs of either dictionary', () => {
    fc.assert(
      fc.property(orthogonal, fc.integer(), (truth, seed) => {
        const learned = randomOrthogonal(truth.rows, createRandom(seed, 'learned'));
        const error = recoveryError(learned, truth);
        expect(recoveryError(disguise(learned, seed), truth)).toBeCloseTo(error, 13);
        expect(recoveryError(learned, disguise(truth, seed))).toBeCloseTo(error, 13);
      }),
    );
  });

  it.each([0.1, 1e-3, 1e-8, 1e-12])('is accurate for a rotation by %d', (angle) => {
    // 1 − cos⁴ − sin⁴ = 2 cos² sin²
    const exact = 2 * (Math.cos(angle) * Math.sin(angle)) ** 2;
    expect(recoveryError(rotation(angle), identity(2)) / exact).toBeCloseTo(1, 10);
  });

  it('is largest at a Hadamard matrix, 1 − 1/n', () => {
    const hadamard = fromRows([
      [1, 1, 1, 1],
      [1, -1, 1, -1],
      [1, 1, -1, -1],
      [1, -1, -1, 1],
    ]);
    expect(recoveryError(hadamard, identity(4))).toBeCloseTo(0.75, 14);
  });

  it('counts what lies outside the span of an incomplete truth', () => {
    // cos 60° = 1/2 inside: 1 − 1/16
    const learned = fromRows([[0.5, Math.sqrt(0.75), 0]]);
    expect(recoveryError(learned, fromRows([[1, 0, 0]]))).toBeCloseTo(15 / 16, 14);
    expect(
      recoveryError(
        learned,
        fromRows([
          [1, 0, 0],
          [1, 0, 1],
        ]),
      ),
    ).toBeCloseTo(15 / 16, 14);
  });

  it('compares float32 with float64', () => {
    const truth = randomOrthogonal(8, createRandom(3, 'truth'));
    const learned = { ...truth, data: Float32Array.from(truth.data) };
    expect(recoveryError(learned, truth)).toBeLessThan(1e-13);
    expect(recoveryError(toFloat64(learned), learned)).toBeLessThan(1e-26);
  });

  it('counts a zero atom as entirely wrong', () => {
    expect(
      recoveryError(
        fromRows([
          [1, 0],
          [0, 0],
        ]),
        identity(2),
      ),
    ).toBe(0.5);
  });

  it('names the offending parameter', () => {
    expect(() => recoveryError(identity(2), identity(3))).toThrow(
      'recoveryError: learned must be atoms of length 3, as in truth; got length 2.',
    );
    expect(() => recoveryError(fromRows([[1, Number.NaN]]), identity(2))).toThrow(
      'recoveryError: learned must be finite; got NaN at row 0, column 1.',
    );
    expect(() =>
      recoveryError(
        identity(2),
        fromRows([
          [1, 1],
          [2, 2],
        ]),
      ),
    ).toThrow('truth must be linearly independent atoms');
    expect(() =>
      recoveryError(
        identity(2),
        fromRows([
          [1, 0],
          [0, 1],
          [1, 1],
        ]),
      ),
    ).toThrow('truth must be at most 2 atoms of length 2; got 3 atoms.');
    expect(() => recoveryError(zeros(0, 2), identity(2))).toThrow(
      'learned must be at least one row and one column; got 0×2.',
    );
  });
});
