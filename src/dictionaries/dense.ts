/** A dictionary that stores its atoms as a matrix. */

import { inputError } from '../core/errors.ts';
import { type Matrix, toFloat64 } from '../core/matrix.ts';
import { requireMatrix, requireObject } from '../core/require-matrix.ts';
import type { Dictionary } from './dictionary.ts';
import { coding } from './encode.ts';
import { requireMean, shape } from './require-shape.ts';

/** Matrices of a dense dictionary. */
export interface DenseParts {
  /** K×n. */
  readonly atoms: Matrix;
  /** K×n; absent if the atoms are orthonormal. */
  readonly encoder?: Matrix | undefined;
  readonly mean?: Float64Array | undefined;
}

/**
 * Makes a dictionary of stored atoms; with an `encoder` they need not be orthonormal.
 *
 * @example
 * ```js
 * import { denseDictionary, fromRows } from 'orthodict';
 *
 * const dictionary = denseDictionary({ atoms: fromRows([[0.6, 0.8], [-0.8, 0.6]]) });
 * const codes = await dictionary.encode(fromRows([[3, 4]]), { keep: 1 });
 * console.log(Math.round(codes.data[0]), codes.data[1]); // 5 0
 * ```
 */
export function denseDictionary(parts: DenseParts): Dictionary {
  requireObject('denseDictionary', 'parts', parts, 'an object with atoms');
  requireMatrix('denseDictionary', 'atoms', parts.atoms);
  if (parts.encoder) requireMatrix('denseDictionary', 'encoder', parts.encoder);
  const atoms = toFloat64(parts.atoms);
  const encoder = parts.encoder ? toFloat64(parts.encoder) : atoms;
  const { mean } = parts;
  if (encoder.rows !== atoms.rows || encoder.cols !== atoms.cols) {
    throw inputError('dictionary', 'encoder', `${shape(atoms)}, like the atoms`, shape(encoder));
  }
  requireMean(mean, atoms.cols);
  return {
    components: atoms.rows,
    features: atoms.cols,
    transform: { kind: 'dense', encoder },
    atoms,
    encoder,
    mean,
    ...coding,
  };
}
