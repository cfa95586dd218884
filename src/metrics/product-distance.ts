/** ‖V − W‖_F of two products of reflectors, column by column: O(n) memory, and exact when they nearly agree. */

import { demand } from '../core/errors.ts';
import type { Matrix64 } from '../core/matrix.ts';
import { requireMatrixForm } from '../core/require-matrix.ts';
import { reflectForward } from '../linalg/reflectors.ts';

/** Distance of two products of reflectors, each given by any number of unit rows of length n; no rows means the identity. */
export function productDistance(v: Matrix64, w: Matrix64): number {
  for (const [name, reflectors] of Object.entries({ v, w })) requireMatrixForm('productDistance', name, reflectors);
  const n = v.cols;
  demand(w.cols === n, 'productDistance', 'w', `of ${n} features, as v`, w.cols);
  const [a, b] = [new Float64Array(n), new Float64Array(n)];
  let sum = 0;
  for (let i = 0; i < n; i++) {
    for (const [column, reflectors] of [
      [a, v],
      [b, w],
    ] as const) {
      column.fill(0);
      column[i] = 1;
      reflectForward(reflectors, column);
    }
    for (let k = 0; k < n; k++) sum += (a[k] - b[k]) ** 2;
  }
  return Math.sqrt(sum);
}
