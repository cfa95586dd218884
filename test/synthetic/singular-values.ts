/** Singular values by one-sided Jacobi rotations: slow, short, and accurate for small matrices. */
import { type Matrix64, row, toFloat64 } from '#src/core/matrix.ts';

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, k) => sum + value * b[k], 0);

/** Descending. Turns pairs of rows until all are orthogonal; their norms are the singular values. */
export function singularValues(matrix: Matrix64): number[] {
  const work = toFloat64(matrix);
  const rows = Array.from({ length: work.rows }, (_, i) => row(work, i));
  for (let sweep = 0; sweep < 30; sweep++) {
    for (let i = 0; i < rows.length; i++) for (let j = i + 1; j < rows.length; j++) orthogonalize(rows[i], rows[j]);
  }
  return rows.map((r) => Math.sqrt(dot(r, r))).sort((a, b) => b - a);
}

function orthogonalize(a: Float64Array, b: Float64Array): void {
  const angle = 0.5 * Math.atan2(2 * dot(a, b), dot(a, a) - dot(b, b));
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  a.forEach((ak, k) => {
    const bk = b[k];
    a[k] = c * ak + s * bk;
    b[k] = c * bk - s * ak;
  });
}
