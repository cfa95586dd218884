/**
 * Algorithms 1 to 3 of Dash & Siripuram as their listings have them, for comparison with models/householder/moments.ts:
 *
 *     Algorithm 1:  z = Ȳ/(θμ),  c² = (n − Σz)/2,  u = (1 − z)/(2c)                           O(np)
 *     Algorithm 3:
 *     Z[m+1] = 1;  for i = m … 1:  Z[i] = H_i Z[i+1]
 *     for i = 1 … m:  s = Z[i],  k = (s − Ȳ/(θμ))/2,  u = k/√(k·s),  H_i = I − 2uuᵀ,  Y ← H_iᵀ Y        O(nmp)
 *
 * The text derives s = Q1 = Z[i+1]; the listing takes Z[i]. The listing does not normalise u, so its H_i are not quite
 * orthogonal. It reflects all samples in every step, and has no rule for k·s ≤ 0; here that is H_i = I.
 */

import type { Matrix, Matrix64 } from 'orthodict';
import { copy, reflect, reflectorFromMean, row, toFloat64, zeros } from 'orthodict/extend';
import { unit } from './unit.ts';

/** Algorithm 1: u, not normalised, and c; both 0 if c² ≤ 0. `scaled`: 1 − z, which estimates 2cu. */
export function listedAlgorithm1(samples: Matrix, thetaMu: number) {
  const z = columnMeans(samples, thetaMu);
  const square = (z.length - z.reduce((sum, value) => sum + value, 0)) / 2;
  const c = Math.sqrt(Math.max(square, 0));
  const scaled = z.map((value) => 1 - value);
  return { c, scaled, u: scaled.map((value) => (c > 0 ? value / (2 * c) : 0)) };
}

export interface Listing {
  /** Z[i] as in the listing, or Z[i+1] as in the text. */
  readonly image: 'listing' | 'text';
  readonly normalise: boolean;
}

/** m×n rows u, in the order of the product; a row of zeros is H = I. `start`: m×n, zeros for I. */
export function listedAlgorithm3(samples: Matrix, thetaMu: number, start: Matrix64, listing: Listing): Matrix64 {
  const Y = copy(toFloat64(samples));
  const { rows: m, cols: n } = start;
  const Z = imagesOfOne(start);
  const found = zeros(m, n);
  for (let i = 0; i < m; i++) {
    const z = columnMeans(Y, thetaMu);
    const u = reflectorFromMean(z, Z[listing.image === 'listing' ? i : i + 1]);
    if (u) row(found, i).set(listing.normalise ? unit(u) : u);
    for (let j = 0; j < Y.rows; j++) reflect(row(Y, j), row(found, i));
  }
  return found;
}

/** Z[1] … Z[m+1]. */
function imagesOfOne(start: Matrix64): Float64Array[] {
  const Z = [new Float64Array(start.cols).fill(1)];
  for (let i = start.rows - 1; i >= 0; i--) {
    const next = Z[0].slice();
    reflect(next, row(start, i));
    Z.unshift(next);
  }
  return Z;
}

/** z = Ȳ/(θμ). */
function columnMeans({ rows: p, cols: n, data }: Matrix, thetaMu: number): Float64Array {
  const z = new Float64Array(n);
  for (let j = 0, at = 0; j < p; j++) for (let i = 0; i < n; i++, at++) z[i] += data[at];
  for (let i = 0; i < n; i++) z[i] /= p * thetaMu;
  return z;
}
