/** Solves square systems by Gaussian elimination with partial pivoting. */
import { copy, type Matrix64 } from '../core/matrix.ts';

/** M⁻¹ B for square M (n×n) and B (n×m); undefined if M is singular to working precision. */
export function solve(M: Matrix64, B: Matrix64): Matrix64 | undefined {
  const n = M.rows;
  const m = B.cols;
  const A = copy(M);
  const X = copy(B);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(A.data[i * n + k]) > Math.abs(A.data[pivot * n + k])) pivot = i;
    if (!(Math.abs(A.data[pivot * n + k]) > 0)) return undefined;
    swapRows(A, k, pivot);
    swapRows(X, k, pivot);
    for (let i = k + 1; i < n; i++) {
      const factor = A.data[i * n + k] / A.data[k * n + k];
      if (factor === 0) continue;
      for (let j = k; j < n; j++) A.data[i * n + j] -= factor * A.data[k * n + j];
      for (let j = 0; j < m; j++) X.data[i * m + j] -= factor * X.data[k * m + j];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) {
      const factor = A.data[i * n + k];
      for (let j = 0; j < m; j++) X.data[i * m + j] -= factor * X.data[k * m + j];
    }
    for (let j = 0; j < m; j++) X.data[i * m + j] /= A.data[i * n + i];
  }
  return X.data.every(Number.isFinite) ? X : undefined;
}

function swapRows({ data, cols }: Matrix64, i: number, k: number): void {
  if (i === k) return;
  for (let j = 0; j < cols; j++) {
    const held = data[i * cols + j];
    data[i * cols + j] = data[k * cols + j];
    data[k * cols + j] = held;
  }
}
