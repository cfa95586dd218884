/**
 * Eigenvalues and eigenvectors of a symmetric matrix, S = Vᵀ diag(λ) V with eigenvectors as the rows of V.
 *
 * Householder reflections H_k = I − 2 v vᵀ reduce S to tridiagonal T = Qᵀ S Q, Q = H_0 … H_{n−3}; implicit QL steps
 * with Wilkinson's shift diagonalise T. Their plane rotations act on the rows of Qᵀ, which are contiguous. An
 * off-diagonal entry counts as zero if |e_m| ≤ ε max(|d| + |e|), over all of T and not just its neighbours: if S is
 * rank-deficient, T has blocks of pure rounding noise, and every step creates more.
 */
import { atOnce, type Steps, withPauses } from '../core/breathe.ts';
import { type Matrix64, selectRows, transpose, zeros } from '../core/matrix.ts';
import type { Kernels, SymmetricEigen } from '../kernels/kernels.ts';

const MAX_QL_STEPS = 60;

/** Eigenvalues in descending order and eigenvectors of a symmetric matrix. */
export function eigh(symmetric: Matrix64, kernels?: Kernels): SymmetricEigen {
  requireFinite(symmetric);
  return kernels?.eigen?.(symmetric) ?? atOnce(eighByQL(symmetric));
}

/** Computes the same bits as `eigh`, but often awaits `pause`, which may throw to end it. */
export async function eighWithPauses(
  symmetric: Matrix64,
  kernels: Kernels,
  pause: () => Promise<void> | undefined,
): Promise<SymmetricEigen> {
  requireFinite(symmetric);
  return kernels.eigen?.(symmetric) ?? (await withPauses(eighByQL(symmetric), pause));
}

function* eighByQL(symmetric: Matrix64): Steps<SymmetricEigen> {
  const { diagonal, offDiagonal, reflectors } = yield* tridiagonalise(symmetric);
  const vectors = transpose(yield* accumulate(reflectors, symmetric.rows));
  yield* diagonaliseQL(diagonal, offDiagonal, vectors);
  const order = Array.from(diagonal.keys()).sort((a, b) => diagonal[b] - diagonal[a]);
  return { values: Float64Array.from(order, (i) => diagonal[i]), vectors: selectRows(vectors, order) };
}

/** Eigenvalues only, descending, at a fraction of the work of `eigh`. */
export function eigenvalues(symmetric: Matrix64): Float64Array {
  requireFinite(symmetric);
  return atOnce(valuesByQL(symmetric));
}

export async function eigenvaluesWithPauses(
  symmetric: Matrix64,
  pause: () => Promise<void> | undefined,
): Promise<Float64Array> {
  requireFinite(symmetric);
  return withPauses(valuesByQL(symmetric), pause);
}

function* valuesByQL(symmetric: Matrix64): Steps<Float64Array> {
  const { diagonal, offDiagonal } = yield* tridiagonalise(symmetric);
  yield* diagonaliseQL(diagonal, offDiagonal, undefined);
  return diagonal.sort().reverse();
}

function requireFinite({ data }: Matrix64): void {
  if (!data.every(Number.isFinite)) throw new Error('eigh: the matrix must be finite.');
}

/** S^power of a positive semidefinite S, from its eigendecomposition; eigenvalues should be positive. */
export function symmetricPower({ values, vectors }: SymmetricEigen, power: number): Matrix64 {
  const n = vectors.cols;
  const out = zeros(n, n);
  for (let k = 0; k < values.length; k++) {
    const factor = values[k] ** power;
    const v = vectors.data.subarray(k * n, (k + 1) * n);
    for (let i = 0; i < n; i++) {
      const scaled = factor * v[i];
      for (let j = 0; j < n; j++) out.data[i * n + j] += scaled * v[j];
    }
  }
  return out;
}

interface Tridiagonal {
  diagonal: Float64Array;
  /** `offDiagonal[i]` couples i and i+1; one spare zero at the end. */
  offDiagonal: Float64Array;
  /** The vectors v of H_0, H_1, …, whose product is Q. */
  reflectors: Float64Array[];
}

function* tridiagonalise(symmetric: Matrix64): Steps<Tridiagonal> {
  const n = symmetric.rows;
  const S = symmetric.data.slice();
  const reflectors: Float64Array[] = [];
  const diagonal = new Float64Array(n);
  const offDiagonal = new Float64Array(n);
  for (let k = 0; k < n - 2; k++) {
    const v = new Float64Array(n);
    for (let i = k + 1; i < n; i++) v[i] = S[k * n + i];
    offDiagonal[k] = makeReflector(v, k + 1);
    reflectors.push(v);
    rankTwoUpdate(S, n, v, k + 1);
    yield;
  }
  if (n > 1) offDiagonal[n - 2] = S[(n - 2) * n + n - 1];
  for (let i = 0; i < n; i++) diagonal[i] = S[i * n + i];
  return { diagonal, offDiagonal, reflectors };
}

/** Turns x (from `first` on) into the unit v with (I − 2vvᵀ)x = α e_first; returns α. v = 0 if x is α e_first. */
function makeReflector(x: Float64Array, first: number): number {
  let largest = 0;
  for (let i = first; i < x.length; i++) largest = Math.max(largest, Math.abs(x[i]));
  let tail = 0;
  for (let i = first + 1; i < x.length; i++) tail = Math.max(tail, Math.abs(x[i]));
  if (tail === 0) {
    const alpha = x[first];
    x.fill(0);
    return alpha;
  }
  let sum = 0;
  for (let i = first; i < x.length; i++) sum += (x[i] / largest) ** 2;
  const alpha = -Math.sign(x[first] || 1) * largest * Math.sqrt(sum);
  x[first] -= alpha;
  let norm = 0;
  for (let i = first; i < x.length; i++) norm += (x[i] / largest) ** 2;
  norm = largest * Math.sqrt(norm);
  for (let i = first; i < x.length; i++) x[i] /= norm;
  return alpha;
}

/** S ← H S H on the trailing block: with w = Sv − (vᵀSv)v, S − 2(v wᵀ + w vᵀ). */
function rankTwoUpdate(S: Float64Array, n: number, v: Float64Array, first: number): void {
  const w = new Float64Array(n);
  for (let i = first; i < n; i++) {
    let sum = 0;
    for (let j = first; j < n; j++) sum += S[i * n + j] * v[j];
    w[i] = sum;
  }
  let vSv = 0;
  for (let i = first; i < n; i++) vSv += v[i] * w[i];
  for (let i = first; i < n; i++) w[i] -= vSv * v[i];
  for (let i = first; i < n; i++) {
    const vi = 2 * v[i];
    const wi = 2 * w[i];
    for (let j = first; j < n; j++) S[i * n + j] -= vi * w[j] + wi * v[j];
  }
}

/** Q = H_0 … H_{m−1}. */
function* accumulate(reflectors: Float64Array[], n: number): Steps<Matrix64> {
  const Q = zeros(n, n);
  for (let i = 0; i < n; i++) Q.data[i * n + i] = 1;
  const dots = new Float64Array(n);
  for (let k = reflectors.length - 1; k >= 0; k--) {
    const v = reflectors[k];
    dots.fill(0);
    for (let i = k + 1; i < n; i++) {
      for (let j = k + 1; j < n; j++) dots[j] += v[i] * Q.data[i * n + j];
    }
    for (let i = k + 1; i < n; i++) {
      const factor = 2 * v[i];
      for (let j = k + 1; j < n; j++) Q.data[i * n + j] -= factor * dots[j];
    }
    yield;
  }
  return Q;
}

function* diagonaliseQL(d: Float64Array, e: Float64Array, vectors: Matrix64 | undefined): Steps<void> {
  const n = d.length;
  const largest = d.reduce((most, value, i) => Math.max(most, Math.abs(value) + Math.abs(e[i])), 0);
  for (let l = 0; l < n; l++) {
    for (let steps = 0; ; steps++) {
      let m = l;
      while (m < n - 1 && Math.abs(e[m]) > Number.EPSILON * largest) m++;
      if (m === l) break;
      if (steps === MAX_QL_STEPS) throw new Error('eigh: no convergence.');
      stepQL(d, e, vectors, l, m);
      yield;
    }
  }
}

/** One implicit QL sweep on the unreduced block l..m. */
function stepQL(d: Float64Array, e: Float64Array, vectors: Matrix64 | undefined, l: number, m: number): void {
  let g = (d[l + 1] - d[l]) / (2 * e[l]);
  let r = Math.hypot(g, 1);
  g = d[m] - d[l] + e[l] / (g + (g >= 0 ? r : -r));
  let s = 1;
  let c = 1;
  let p = 0;
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i];
    const b = c * e[i];
    r = Math.hypot(f, g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] -= p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    r = (d[i] - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    if (vectors) rotateRows(vectors, i, c, s);
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0;
}

/** Rows i and i+1 become c·row_i − s·row_{i+1} and s·row_i + c·row_{i+1}. */
function rotateRows({ data, cols }: Matrix64, i: number, c: number, s: number): void {
  const a = i * cols;
  const b = a + cols;
  for (let k = 0; k < cols; k++) {
    const x = data[a + k];
    const y = data[b + k];
    data[a + k] = c * x - s * y;
    data[b + k] = s * x + c * y;
  }
}
