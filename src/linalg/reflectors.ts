/**
 * Products of Householder reflectors, V = H_1 … H_M with H = I − 2uuᵀ, kept as the unit rows u of an M×n matrix.
 *
 *     y ← H y = y − 2(u·y) u          V y applies H_M first, Vᵀ y applies H_1 first: O(nM), no n×n matrix
 *
 * An orthogonal r×r matrix is a product of at most r reflectors: H_1 maps its first column to e_1, u ∝ r_1 − e_1, which leaves
 * an orthogonal matrix of one size less. A column that is e_1 already needs no reflector.
 */
import { type FloatArray, type Matrix64, row, selectRows, toFloat64, zeros } from '../matrix.ts';

/** y ← (I − 2uuᵀ) y. */
export function reflect(y: FloatArray, u: Float64Array): void {
  let projection = 0;
  for (let i = 0; i < u.length; i++) projection += u[i] * y[i];
  for (let i = 0; i < u.length; i++) y[i] -= 2 * projection * u[i];
}

/** y ← V y. */
export function reflectForward(reflectors: Matrix64, y: FloatArray): void {
  for (let k = reflectors.rows - 1; k >= 0; k--) reflect(y, row(reflectors, k));
}

/** y ← Vᵀ y. */
export function reflectBack(reflectors: Matrix64, y: FloatArray): void {
  for (let k = 0; k < reflectors.rows; k++) reflect(y, row(reflectors, k));
}

/** Unit rows u of at most r reflectors whose product is the r×r orthogonal matrix. */
export function reflectorsOf(orthogonal: Matrix64): Matrix64 {
  const r = orthogonal.rows;
  const rest = toFloat64(orthogonal);
  const reflectors = zeros(r, r);
  const used: number[] = [];
  const column = new Float64Array(r);
  for (let k = 0; k < r; k++) {
    const u = row(reflectors, k);
    for (let i = k; i < r; i++) u[i] = rest.data[i * r + k];
    if (!towardsUnit(u, k)) continue;
    used.push(k);
    for (let j = k; j < r; j++) {
      for (let i = 0; i < r; i++) column[i] = rest.data[i * r + j];
      reflect(column, u);
      for (let i = 0; i < r; i++) rest.data[i * r + j] = column[i];
    }
  }
  return selectRows(reflectors, used);
}

/** Makes u = (u − e_k)/‖u − e_k‖ of a unit vector u; false where u is e_k to rounding. */
function towardsUnit(u: Float64Array, k: number): boolean {
  let others = 0;
  for (let i = k + 1; i < u.length; i++) others += u[i] ** 2;
  // u_k − 1 without cancellation: ‖u‖ = 1
  u[k] = u[k] > 0 ? -others / (1 + u[k]) : u[k] - 1;
  const norm = Math.sqrt(others + u[k] ** 2);
  if (!(norm > u.length * Number.EPSILON)) return false;
  for (let i = k; i < u.length; i++) u[i] /= norm;
  return true;
}
