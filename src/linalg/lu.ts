/** Gaussian elimination with partial pivoting: square systems, and the sign of a determinant. */
import { copy, type Matrix64, zeros } from '../core/matrix.ts';

/** M⁻¹ B for square M (n×n) and B (n×m); undefined if M is singular to working precision. */
export function solve(M: Matrix64, B: Matrix64): Matrix64 | undefined {
  const [n, m] = [M.rows, B.cols];
  const [A, X] = [copy(M), copy(B)];
  if (eliminate(A, X) === 0) return undefined;
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) {
      const factor = A.data[i * n + k];
      for (let j = 0; j < m; j++) X.data[i * m + j] -= factor * X.data[k * m + j];
    }
    for (let j = 0; j < m; j++) X.data[i * m + j] /= A.data[i * n + i];
  }
  return X.data.every(Number.isFinite) ? X : undefined;
}

/** The sign of det M: 1, −1, or 0 for a singular matrix. */
export function determinantSign(M: Matrix64): number {
  return eliminate(copy(M), zeros(M.rows, 0));
}

/** Makes A upper triangular in place, X along with it; returns the sign of det A, 0 if a pivot is missing. */
function eliminate(A: Matrix64, X: Matrix64): number {
  const [n, m] = [A.rows, X.cols];
  let sign = 1;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(A.data[i * n + k]) > Math.abs(A.data[pivot * n + k])) pivot = i;
    const head = A.data[pivot * n + k];
    if (!(Math.abs(head) > 0)) return 0;
    if (head < 0 !== (pivot !== k)) sign = -sign;
    swapRows(A, k, pivot);
    swapRows(X, k, pivot);
    for (let i = k + 1; i < n; i++) {
      const factor = A.data[i * n + k] / head;
      if (factor === 0) continue;
      for (let j = k; j < n; j++) A.data[i * n + j] -= factor * A.data[k * n + j];
      for (let j = 0; j < m; j++) X.data[i * m + j] -= factor * X.data[k * m + j];
    }
  }
  return sign;
}

function swapRows({ data, cols }: Matrix64, i: number, k: number): void {
  if (i === k) return;
  for (let j = 0; j < cols; j++) {
    const held = data[i * cols + j];
    data[i * cols + j] = data[k * cols + j];
    data[k * cols + j] = held;
  }
}
