/** Checks and reports shared by the factorisations of an orthogonal dictionary. */

import { InputError, inputError } from '../../core/errors.ts';
import { type Matrix, type Matrix64, toFloat64 } from '../../core/matrix.ts';
import { requireMatrixForm } from '../../core/require-matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { orthogonalityError, polar } from '../../linalg/polar.ts';

/** Error of a product of some factors as an approximation of the atoms. */
export interface Approximation {
  readonly factors: number;
  /** ‖A − Â‖_F/‖A‖_F. */
  readonly error: number;
}

/** Options of a factorisation. */
export interface FactorOptions {
  /** Called from time to time with the share done. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Aborts it: the promise is rejected with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Largest deviation from orthogonality accepted; float32 atoms need it. */
const ORTHOGONAL_TOLERANCE = 1e-5;

/** Returns the atoms, n×n, made orthogonal to rounding; throws if they are not nearly so. */
export function requireOrthogonal(atoms: Matrix, kernels: Kernels): Matrix64 {
  requireMatrixForm('factor', 'the dictionary', atoms);
  const { rows, cols } = atoms;
  if (rows !== cols || rows === 0) {
    throw inputError('factor', 'the dictionary', 'of as many atoms as features', `${rows} atoms of ${cols} features`);
  }
  if (!atoms.data.every(Number.isFinite)) throw inputError('factor', 'the dictionary', 'finite', 'NaN or infinity');
  const A = toFloat64(atoms);
  const error = orthogonalityError(A, kernels);
  if (error > ORTHOGONAL_TOLERANCE) {
    throw new InputError(
      `factor: the dictionary must be orthogonal; got an orthogonality error of ${error.toExponential(1)}. ` +
        'Learn it without whitening, or factor the orthogonal matrix nearest to it.',
    );
  }
  return polar(A, kernels);
}

export function requireCount(count: number, most: number, meaning: string): void {
  if (!(Number.isInteger(count) && count >= 0 && count <= most)) {
    throw inputError('factor', meaning, `a whole number from 0 to ${most}`, count);
  }
}

/** Returns 1, 2, 4, … below `most`, and `most` itself. */
export function powersOfTwoUpTo(most: number): number[] {
  const powers: number[] = [];
  for (let factors = 1; factors < most; factors *= 2) powers.push(factors);
  return [...powers, most];
}

/** Returns ‖A − B‖_F/√n. */
export function relativeDistance(A: Matrix64, B: Matrix64): number {
  let sum = 0;
  for (let i = 0; i < A.data.length; i++) sum += (A.data[i] - B.data[i]) ** 2;
  return Math.sqrt(sum / A.rows);
}
