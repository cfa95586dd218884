/**
 * A dictionary of more atoms than features, or of dependent atoms. Codes are not unique, and orthogonal matching
 * pursuit finds sparse ones. The `keep` of a selection limits the atoms per sample and overrides the dictionary's own
 * limits.
 */

import { inputError } from '../core/errors.ts';
import { type Matrix, norm, row, scaleRows } from '../core/matrix.ts';
import { requireMatrix, requireObject } from '../core/require-matrix.ts';
import type { PursuitLimits } from '../passes/pursue.ts';
import type { Dictionary } from './dictionary.ts';
import { coding } from './encode.ts';
import { requireMean } from './require-shape.ts';

/** Atoms, and the limits at which the pursuit of a sample stops. */
export interface OvercompleteParts extends PursuitLimits {
  /** K×n; rows are normalised. */
  readonly atoms: Matrix;
  readonly mean?: Float64Array | undefined;
}

/**
 * Makes a dictionary of any number of atoms, whose codes are found by orthogonal matching pursuit.
 *
 * @example
 * ```js
 * import { fromRows, overcompleteDictionary } from 'orthodict';
 *
 * const atoms = fromRows([[1, 0], [0, 1], [0.6, 0.8]]);
 * const codes = await overcompleteDictionary({ atoms, keep: 1 }).encode(fromRows([[3, 4]]));
 * console.log(codes.data.map(Math.round).join(' ')); // 0 0 5
 * ```
 */
export function overcompleteDictionary(parts: OvercompleteParts): Dictionary {
  requireObject('overcompleteDictionary', 'parts', parts, 'an object with atoms');
  const { atoms: given, keep, residual, mean } = parts;
  requireMatrix('overcompleteDictionary', 'atoms', given);
  const norms = Float64Array.from({ length: given.rows }, (_, i) => norm(row(given, i)));
  const empty = norms.indexOf(0);
  if (empty >= 0) throw inputError('dictionary', 'atoms', 'different from zero', `zeros in row ${empty}`);
  // unit rows, up to rounding, stay as they are, so that a file gives back the same bits
  const factors = norms.map((length) => (Math.abs(length - 1) > 4 * Number.EPSILON ? 1 / length : 1));
  const atoms = scaleRows(given, factors);
  requireMean(mean, atoms.cols);
  return {
    components: atoms.rows,
    features: atoms.cols,
    transform: { kind: 'pursuit', atoms, keep, residual },
    atoms,
    encoder: atoms,
    mean,
    ...coding,
  };
}
