/**
 * A dictionary that is a product of a few Householder reflectors, V = H_1 … H_M with H = I − 2uᵀu, samples as rows:
 *
 *     y = x Vᵀ = x H_M … H_1,   codes x = y V = y H_1 … H_M,   atom i = column i of V
 *
 * 4Mn operations per sample instead of 2n².
 */

import { inputError } from '../core/errors.ts';
import { type Matrix, norm, row, toFloat64 } from '../core/matrix.ts';
import { requireMatrixForm, requireObject } from '../core/require-matrix.ts';
import { reflectorMatrix, reflectorTransform } from '../linalg/reflectors.ts';
import type { Dictionary } from './dictionary.ts';
import { shape } from './require-shape.ts';
import { structuredDictionary } from './structured.ts';

/** Reflectors H = I − 2uᵀu, whose product is the dictionary. */
export interface HouseholderProduct {
  /** M×n, M ≤ n, unit rows u_1 … u_M. */
  readonly reflectors: Matrix;
  readonly mean?: Float64Array | undefined;
}

/** Largest deviation of a row from unit length accepted, for float32; rows are then normalised to rounding. */
const UNIT_TOLERANCE = 1e-5;

/**
 * Makes a dictionary that is a product of M Householder reflectors: encodes a sample of length n in O(Mn) operations.
 *
 * @example
 * ```js
 * import { fromRows, householderDictionary } from 'orthodict';
 *
 * const dictionary = householderDictionary({ reflectors: fromRows([[0.6, 0.8]]) });
 * const codes = await dictionary.encode(fromRows([[3, 4]]));
 * console.log(codes.data.map(Math.round).join(' ')); // -3 -4
 * ```
 */
export function householderDictionary(product: HouseholderProduct): Dictionary {
  requireObject('householderDictionary', 'product', product, 'an object with reflectors');
  const { reflectors, mean } = product;
  requireMatrixForm('householderDictionary', 'reflectors', reflectors);
  const { rows: M, cols: n } = reflectors;
  if (n < 1 || M > n) throw inputError('dictionary', 'reflectors', 'at most as many as features', shape(reflectors));
  const units = toFloat64(reflectors);
  for (let k = 0; k < M; k++) {
    const u = row(units, k);
    const length = norm(u);
    if (!(Math.abs(length - 1) <= UNIT_TOLERANCE)) {
      throw inputError('dictionary', 'reflectors', 'rows of length 1', `${length} in row ${k}`);
    }
    if (Math.abs(length - 1) > 4 * Number.EPSILON) for (let i = 0; i < n; i++) u[i] /= length;
  }
  const transform = reflectorTransform(units);
  return structuredDictionary(n, transform, () => reflectorMatrix(transform), mean);
}
