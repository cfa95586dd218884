/** Cholesky factorisation S = L Lᵀ of a symmetric positive definite matrix, and the solver built on it. */
import { copy, type Matrix64, zeros } from '../core/matrix.ts';

/** The factor L; undefined if S is not positive definite to working precision. */
export function cholesky(S: Matrix64): Matrix64 | undefined {
  const n = S.rows;
  const L = zeros(n, n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = S.data[i * n + j];
      for (let k = 0; k < j; k++) sum -= L.data[i * n + k] * L.data[j * n + k];
      if (i !== j) {
        L.data[i * n + j] = sum / L.data[j * n + j];
      } else {
        if (!(sum > n * Number.EPSILON * S.data[i * n + i])) return undefined;
        L.data[i * n + i] = Math.sqrt(sum);
      }
    }
  }
  return L;
}

/** S⁻¹ B for symmetric positive definite S (n×n) and B (n×m); undefined if S is not positive definite. */
export function solveSymmetric(S: Matrix64, B: Matrix64): Matrix64 | undefined {
  const L = cholesky(S);
  if (!L) return undefined;
  const n = S.rows;
  const m = B.cols;
  const X = copy(B);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) subtractRow(X, i, L.data[i * n + k], k);
    for (let j = 0; j < m; j++) X.data[i * m + j] /= L.data[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) subtractRow(X, i, L.data[k * n + i], k);
    for (let j = 0; j < m; j++) X.data[i * m + j] /= L.data[i * n + i];
  }
  return X;
}

/** row_i −= factor · row_k */
function subtractRow(X: Matrix64, i: number, factor: number, k: number): void {
  const m = X.cols;
  for (let j = 0; j < m; j++) X.data[i * m + j] -= factor * X.data[k * m + j];
}
