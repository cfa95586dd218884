/** Orthonormal rows with the span of others. */

import type { Matrix64 } from 'orthodict';
import { dot, row, zeros } from 'orthodict/extend';

/** Share of a row that rounding may leave of one within the span of others. */
const ROUNDING = 1e-10;

/** The result has as many rows as T has independent ones. */
export function spanOf(T: Matrix64): Matrix64 {
  const Q = zeros(T.rows, T.cols);
  let count = 0;
  for (let i = 0; i < T.rows; i++) {
    const rest = row(T, i).slice();
    const before = dot(rest, rest);
    for (let twice = 0; twice < 2; twice++) subtractSpan(rest, { ...Q, rows: count });
    const square = dot(rest, rest);
    if (square > ROUNDING ** 2 * before) row(Q, count++).set(rest.map((x) => x / Math.sqrt(square)));
  }
  return { rows: count, cols: T.cols, data: Q.data.subarray(0, count * T.cols) };
}

/** Computes in place: v ← v − (v Qᵀ) Q, one row of Q after the other. */
function subtractSpan(v: Float64Array, { rows, cols, data }: Matrix64): void {
  for (let at = 0; at < rows * cols; at += cols) {
    let inner = 0;
    for (let l = 0; l < cols; l++) inner += v[l] * data[at + l];
    for (let l = 0; l < cols; l++) v[l] -= inner * data[at + l];
  }
}
