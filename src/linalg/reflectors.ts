/**
 * Products of Householder reflectors, H_k = I − 2 u_kᵀ u_k with u_k a unit row, V = H_1 … H_m.
 *
 *     V = I − Uᵀ T U,   T upper triangular, T_kk = 2,   T_{1..k−1,k} = −2 T_{1..k−1,1..k−1} U_{1..k−1} u_kᵀ
 *
 * the compact WY form (Schreiber & Van Loan 1989): Y V = Y − (Y Uᵀ) W with W = T U costs 4mn operations per sample, as
 * matrix products. The inverse Vᵀ = H_m … H_1 has the same form with the rows of U reversed.
 *
 * Any orthogonal V (n×n) is a product of at most n reflectors: H_k maps column k of the remainder to e_k,
 *
 *     u_k ∝ a − e_k,   a_k − 1 = −Σ_{i>k} a_i²/(1 + a_k) without cancellation where a_k > 0
 *
 * and the remainder after column n − 1 is I or the reflector e_n.
 */
import {
  addScaled,
  copy,
  dot,
  type FloatArray,
  identity,
  type Matrix64,
  row,
  selectRows,
  zeros,
} from '../core/matrix.ts';
import type { ReflectorTransform } from '../kernels/kernels.ts';
import { referenceKernels } from '../kernels/reference.ts';

/** y ← (I − 2uuᵀ) y. */
export function reflect(y: FloatArray, u: Float64Array): void {
  let projection = 0;
  for (let i = 0; i < u.length; i++) projection += u[i] * y[i];
  for (let i = 0; i < u.length; i++) y[i] -= 2 * projection * u[i];
}

/** y ← V y, for one column y: applies H_m first. */
export function reflectForward(reflectors: Matrix64, y: FloatArray): void {
  for (let k = reflectors.rows - 1; k >= 0; k--) reflect(y, row(reflectors, k));
}

/** y ← Vᵀ y: applies H_1 first. */
export function reflectBack(reflectors: Matrix64, y: FloatArray): void {
  for (let k = 0; k < reflectors.rows; k++) reflect(y, row(reflectors, k));
}

/** Y ↦ Y H_1 … H_m, for m×n unit rows. */
export function reflectorTransform(reflectors: Matrix64): ReflectorTransform {
  const { rows: m, cols: n } = reflectors;
  const combined = zeros(m, n);
  const T = zeros(m, m);
  for (let k = 0; k < m; k++) {
    const u = row(reflectors, k);
    const overlaps = Float64Array.from({ length: k }, (_, i) => dot(row(reflectors, i), u));
    for (let i = 0; i < k; i++) {
      let sum = 0;
      for (let l = i; l < k; l++) sum += T.data[i * m + l] * overlaps[l];
      T.data[i * m + k] = -2 * sum;
    }
    T.data[k * m + k] = 2;
    for (let i = 0; i <= k; i++) addTo(row(combined, i), T.data[i * m + k], u);
  }
  return { kind: 'reflectors', reflectors, combined };
}

/** The inverse map, Y ↦ Y H_m … H_1. */
export function inverseReflectors({ reflectors }: ReflectorTransform): ReflectorTransform {
  const backwards = Array.from({ length: reflectors.rows }, (_, k) => reflectors.rows - 1 - k);
  return reflectorTransform(selectRows(reflectors, backwards));
}

/** The matrix A of codes x = A y, n×n: Vᵀ = I − Wᵀ U. */
export function reflectorMatrix({ reflectors, combined }: ReflectorTransform): Matrix64 {
  return addScaled(identity(reflectors.cols), -1, referenceKernels.multiply(combined, reflectors, 'tn'));
}

/** V (m×m, orthogonal) = H_1 … H_k as k×m unit rows, k ≤ m; factors H_k = I are left out. */
export function orthogonalToReflectors(V: Matrix64): Matrix64 {
  const n = V.rows;
  const rest = copy(V);
  const found: Float64Array[] = [];
  for (let k = 0; k < n; k++) {
    const u = new Float64Array(n);
    let below = 0;
    for (let i = k + 1; i < n; i++) {
      u[i] = rest.data[i * n + k];
      below += u[i] * u[i];
    }
    const head = rest.data[k * n + k];
    const norm = Math.sqrt(below + head * head); // 1 to rounding
    u[k] = head > 0 ? -below / (norm + head) : head - norm;
    const length = Math.sqrt(dot(u, u));
    if (length <= Number.EPSILON) continue;
    for (let i = k; i < n; i++) u[i] /= length;
    applyFromLeft(u, k, rest);
    found.push(u);
  }
  const reflectors = zeros(found.length, n);
  found.forEach((u, k) => {
    reflectors.data.set(u, k * n);
  });
  return reflectors;
}

/** target ← (I − 2uuᵀ) target; u is zero before entry k, and target is zero in the columns before k. */
function applyFromLeft(u: Float64Array, k: number, { rows, cols, data }: Matrix64): void {
  const work = new Float64Array(cols);
  for (let i = k; i < rows; i++) {
    const ui = u[i];
    for (let j = k, at = i * cols + k; j < cols; j++, at++) work[j] += ui * data[at];
  }
  for (let i = k; i < rows; i++) {
    const ui = 2 * u[i];
    for (let j = k, at = i * cols + k; j < cols; j++, at++) data[at] -= ui * work[j];
  }
}

function addTo(a: Float64Array, factor: number, b: Float64Array): void {
  for (let i = 0; i < a.length; i++) a[i] += factor * b[i];
}
