/**
 * The lowest eigenvalue of a symmetric operator S known only by its products, by Lanczos' method:
 *
 *     S Q_k = Q_k T_k + β_k q_{k+1} e_kᵀ,   T_k tridiagonal,   T_k s = θ s   ⇒   ‖S(Q_k s) − θ Q_k s‖ = β_k |s_k|
 *
 * with every q made orthogonal to all earlier ones. It ends when that residual is small against the largest |θ|.
 */
import { dot, eigh, zeros } from 'orthodict/extend';

export interface LowestEigen {
  readonly value: number;
  /** The eigenvector, of norm 1. */
  readonly vector: Float64Array;
  /** How often S was applied. */
  readonly products: number;
}

/** T_k is diagonalised after this many steps, and whenever there are half as many again. */
const FIRST_CHECK = 12;

/** Finds the lowest eigenvalue. `start` must not be orthogonal to the eigenvector: use a random vector. `tolerance` is relative to ‖S‖. */
export function lowestEigen(
  multiply: (v: Float64Array) => Float64Array,
  start: Float64Array,
  tolerance = 1e-9,
): LowestEigen {
  const n = start.length;
  const basis = [scaled(start, 1 / Math.sqrt(dot(start, start)))];
  const diagonal: number[] = [];
  const offDiagonal: number[] = [];
  let check = FIRST_CHECK;
  for (let products = 1; ; products++) {
    const q = basis[products - 1];
    const next = multiply(q);
    diagonal.push(dot(q, next));
    orthogonalise(next, basis);
    orthogonalise(next, basis); // once is not enough if little is left
    const beta = Math.sqrt(dot(next, next));
    const scale = Math.max(...diagonal.map(Math.abs), ...offDiagonal);
    const ended = products === n || !(beta > Number.EPSILON * scale);
    if (ended || products >= check) {
      const { value, weights, largest } = lowestOf(diagonal, offDiagonal);
      const residual = beta * Math.abs(weights[products - 1]);
      if (ended || residual <= tolerance * largest) return { value, vector: combine(basis, weights), products };
      check = Math.ceil(1.5 * products);
    }
    offDiagonal.push(beta);
    basis.push(scaled(next, 1 / beta));
  }
}

/** The lowest eigenvalue of a tridiagonal matrix with its eigenvector, and the largest in magnitude. */
function lowestOf(diagonal: readonly number[], offDiagonal: readonly number[]) {
  const k = diagonal.length;
  const T = zeros(k, k);
  for (let i = 0; i < k; i++) {
    T.data[i * k + i] = diagonal[i];
    if (i > 0) {
      T.data[i * k + i - 1] = offDiagonal[i - 1];
      T.data[(i - 1) * k + i] = offDiagonal[i - 1];
    }
  }
  const { values, vectors } = eigh(T);
  const value = values[k - 1];
  return { value, weights: vectors.data.subarray((k - 1) * k), largest: Math.max(values[0], -value) };
}

function orthogonalise(v: Float64Array, basis: readonly Float64Array[]): void {
  for (const q of basis) {
    const share = dot(q, v);
    for (let i = 0; i < v.length; i++) v[i] -= share * q[i];
  }
}

function combine(basis: readonly Float64Array[], weights: Float64Array): Float64Array {
  const sum = new Float64Array(basis[0].length);
  weights.forEach((weight, k) => {
    for (let i = 0; i < sum.length; i++) sum[i] += weight * basis[k][i];
  });
  return scaled(sum, 1 / Math.sqrt(dot(sum, sum)));
}

const scaled = (v: Float64Array, factor: number): Float64Array => v.map((value) => factor * value);
