import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { fromRows, identity, type Matrix64, unitRows } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { atomCoordinates } from '#src/metrics/coordinates.ts';
import { complete, disguise } from './dictionaries.ts';

const largestDifference = (a: Matrix64, b: Matrix64): number =>
  a.data.reduce((most, value, at) => Math.max(most, Math.abs(value - b.data[at])), 0);

describe('atomCoordinates', () => {
  it('rebuilds the learned atoms from the true ones', () => {
    fc.assert(
      fc.property(complete, fc.integer(), (truth, seed) => {
        const learned = randomOrthogonal(truth.rows, createRandom(seed, 'learned'));
        const rebuilt = referenceKernels.multiply(atomCoordinates(learned, truth), unitRows(truth));
        // a few ulps times the condition of the dictionary
        expect(largestDifference(rebuilt, learned)).toBeLessThan(1e-10);
      }),
    );
  });

  it('is a signed permutation for the true atoms in another order, sign and length', () => {
    fc.assert(
      fc.property(complete, fc.integer(), (truth, seed) => {
        const C = atomCoordinates(disguise(truth, seed, true), truth);
        const squares = referenceKernels.multiply(C, C, 'nt');
        expect(largestDifference(squares, identity(truth.rows))).toBeLessThan(1e-10);
        expect(C.data.filter((value) => Math.abs(value) > 0.5)).toHaveLength(truth.rows);
      }),
    );
  });

  it('names itself where the atoms do not fit', () => {
    const refuse = () => atomCoordinates(identity(2), fromRows([[1, 0, 0]]));
    expect(refuse).toThrow(InputError);
    expect(refuse).toThrow(/^atomCoordinates: learned must be atoms of length 3/);
  });
});
