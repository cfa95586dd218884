/**
 * A dictionary that is a product of plane rotations, followed by a permutation and sign changes (linalg/rotations.ts).
 * The codes of a sample are
 *
 *     y_i, y_j ← c y_i + s y_j, c y_j − s y_i   for each rotation (i, j, c, s) in turn, then x_k = signs_k · y[order_k]
 *
 * 6 operations per rotation and sample instead of 2n² per sample. Every orthogonal matrix is such a product of n(n−1)/2
 * rotations.
 */

import { inputError } from '../core/errors.ts';
import { type Matrix, row, toFloat64 } from '../core/matrix.ts';
import { requireMatrixForm, requireNumbers, requireObject } from '../core/require-matrix.ts';
import { rotationMatrix } from '../linalg/rotations.ts';
import type { Dictionary } from './dictionary.ts';
import { shape } from './require-shape.ts';
import { structuredDictionary } from './structured.ts';

/** Plane rotations, applied in turn, then a permutation with signs. */
export interface GivensProduct {
  /** G×4; a row is (i, j, c, s): two different features, counted from 0, then cosine and sine of the angle. */
  readonly rotations: Matrix;
  /** A permutation of 0 … n−1. */
  readonly order: ArrayLike<number>;
  /** n numbers, 1 or −1. */
  readonly signs: ArrayLike<number>;
  readonly mean?: Float64Array | undefined;
}

/** Largest deviation of c² + s² from 1 accepted, for float32; it is then normalised to rounding. */
const UNIT_TOLERANCE = 1e-5;

/**
 * Makes a dictionary that is a product of G plane rotations: encodes a sample in O(G) operations.
 *
 * @example
 * ```js
 * import { fromRows, givensDictionary } from 'orthodict';
 *
 * const product = { rotations: fromRows([[0, 1, 0.6, 0.8]]), order: [0, 1], signs: [1, 1] };
 * const codes = await givensDictionary(product).encode(fromRows([[3, 4]]));
 * console.log(codes.data.map(Math.round).join(' ')); // 5 0
 * ```
 */
export function givensDictionary(product: GivensProduct): Dictionary {
  const who = 'givensDictionary';
  requireObject(who, 'product', product, 'an object with rotations, order and signs');
  const { rotations, order, signs, mean } = product;
  requireMatrixForm(who, 'rotations', rotations);
  requireNumbers(who, 'order', order);
  requireNumbers(who, 'signs', signs);
  const n = order.length;
  if (n < 1 || rotations.cols !== 4)
    throw inputError('dictionary', 'rotations', 'G×4: rows of i, j, c, s', shape(rotations));
  requirePermutation(order);
  if (signs.length !== n) throw inputError('dictionary', 'signs', `of length ${n}, like order`, signs.length);
  const offender = Array.from(signs).findIndex((sign) => sign !== 1 && sign !== -1);
  if (offender >= 0) throw inputError('dictionary', 'signs', '1 or −1', `${signs[offender]} at ${offender}`);
  const transform = {
    kind: 'rotations',
    rotations: unitRotations(rotations, n),
    order: Int32Array.from(order),
    signs: Float64Array.from(signs),
  } as const;
  return structuredDictionary(n, transform, () => rotationMatrix(transform), mean);
}

function requirePermutation(order: ArrayLike<number>): void {
  const seen = new Set<number>();
  for (let k = 0; k < order.length; k++) {
    const place = order[k];
    if (!(Number.isInteger(place) && place >= 0 && place < order.length) || seen.has(place)) {
      throw inputError('dictionary', 'order', `a permutation of 0 to ${order.length - 1}`, `${place} at ${k}`);
    }
    seen.add(place);
  }
}

function unitRotations(rotations: Matrix, n: number) {
  const units = toFloat64(rotations);
  const isFeature = (i: number) => Number.isInteger(i) && i >= 0 && i < n;
  for (let r = 0; r < units.rows; r++) {
    const rotation = row(units, r);
    const [i, j, c, s] = rotation;
    if (!(isFeature(i) && isFeature(j) && i !== j)) {
      throw inputError(
        'dictionary',
        'rotations',
        `of two different features from 0 to ${n - 1}`,
        `${i}, ${j} in row ${r}`,
      );
    }
    const norm = Math.hypot(c, s);
    if (!(Math.abs(norm - 1) <= UNIT_TOLERANCE)) {
      throw inputError('dictionary', 'rotations', 'rows with c² + s² = 1', `c ${c}, s ${s} in row ${r}`);
    }
    if (Math.abs(norm - 1) > 4 * Number.EPSILON) rotation.set([c / norm, s / norm], 2);
  }
  return units;
}
