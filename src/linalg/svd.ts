/**
 * Singular value decomposition of a square matrix by one-sided Jacobi rotations, G = U diag(σ) Vᵀ.
 *
 * Rotations from the left make the rows of J G orthogonal: J G = diag(σ) Vᵀ, hence U = Jᵀ. Slow (O(n³) per sweep), but
 * accurate to the last digits of small singular values, which `polar` needs from its fallback.
 */
import { copy, identity, type Matrix64, norm, row, selectRows, stackRows, zeros } from '../core/matrix.ts';
import { orthonormalComplement } from './qr.ts';

export interface SingularValues {
  /** Left singular vectors as rows: row k of `left` is column k of U. */
  readonly left: Matrix64;
  /** Singular values, descending. */
  readonly values: Float64Array;
  /** Right singular vectors as rows, completed to an orthogonal matrix where singular values vanish. */
  readonly right: Matrix64;
}

const MAX_SWEEPS = 60;

export function svd(square: Matrix64): SingularValues {
  const n = square.rows;
  const largest = square.data.reduce((max, x) => Math.max(max, Math.abs(x)), 0);
  const G = copy(square);
  if (largest > 0) for (let i = 0; i < G.data.length; i++) G.data[i] /= largest; // squares must not overflow
  const J = identity(n);
  for (let sweep = 0; sweep < MAX_SWEEPS && orthogonaliseRows(G, J) > 0; sweep++);

  const norms = Float64Array.from({ length: n }, (_, i) => norm(row(G, i)));
  const order = Array.from(norms.keys()).sort((a, b) => norms[b] - norms[a]);
  const negligible = (norms[order[0]] ?? 0) * n * Number.EPSILON;
  const rank = order.filter((i) => norms[i] > negligible).length;
  const range = zeros(rank, n);
  for (let k = 0; k < rank; k++) {
    const source = row(G, order[k]);
    for (let j = 0; j < n; j++) range.data[k * n + j] = source[j] / norms[order[k]];
  }
  return {
    left: selectRows(J, order),
    values: Float64Array.from(order, (i) => norms[i] * largest),
    right: rank < n ? stackRows(range, orthonormalComplement(range)) : range,
  };
}

/** One sweep over all pairs; returns the number of rotations. */
function orthogonaliseRows(G: Matrix64, J: Matrix64): number {
  const n = G.rows;
  let rotations = 0;
  for (let i = 0; i < n - 1; i++) {
    for (let k = i + 1; k < n; k++) {
      let a = 0;
      let b = 0;
      let d = 0;
      for (let j = 0; j < n; j++) {
        const x = G.data[i * n + j];
        const y = G.data[k * n + j];
        a += x * x;
        b += y * y;
        d += x * y;
      }
      if (Math.abs(d) <= 4 * Number.EPSILON * Math.sqrt(a * b) || a * b === 0) continue;
      rotations++;
      const zeta = (b - a) / (2 * d);
      const t = Math.sign(zeta || 1) / (Math.abs(zeta) + Math.hypot(1, zeta));
      const c = 1 / Math.hypot(1, t);
      rotate(G, i, k, c, c * t);
      rotate(J, i, k, c, c * t);
    }
  }
  return rotations;
}

function rotate({ data, cols }: Matrix64, i: number, k: number, c: number, s: number): void {
  for (let j = 0; j < cols; j++) {
    const x = data[i * cols + j];
    const y = data[k * cols + j];
    data[i * cols + j] = c * x - s * y;
    data[k * cols + j] = s * x + c * y;
  }
}
