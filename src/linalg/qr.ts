/**
 * Householder QR of an m×n matrix, m ≥ n, and functions built on it.
 *
 *     H_k = I − τ_k v_k v_kᵀ,  v_k = 0 above entry k and 1 at k,  H_n … H_1 A = R,  Q = H_1 … H_n
 *
 * Signs are chosen so that diag(R) ≥ 0. This makes the factorisation of a full-rank matrix unique, and the Q of a
 * matrix of independent normals Haar distributed. Q is orthonormal to rounding for A of any rank.
 */
import { inputError } from '../core/errors.ts';
import { type Matrix, type Matrix64, toFloat64, transpose, zeros } from '../core/matrix.ts';
import { normalMatrix, type Random } from '../core/random.ts';

/** A = Q R: Q orthonormal, R upper triangular. */
export interface QR {
  /** Orthonormal columns, m×n. */
  readonly q: Matrix64;
  /** Upper triangle with non-negative diagonal, n×n. */
  readonly r: Matrix64;
}

/** The thin factorisation A = Q R. */
export function qr(a: Matrix): QR {
  if (a.rows < a.cols) throw inputError('qr', 'a', 'at least as tall as wide', `${a.rows} rows and ${a.cols} columns`);
  const reflectors = reduce(toFloat64(a));
  const q = unitColumns(a.rows, 0, a.cols);
  reflect(reflectors, q);
  const r = zeros(a.cols, a.cols);
  for (let i = 0; i < a.cols; i++) {
    for (let j = i; j < a.cols; j++) r.data[i * a.cols + j] = reflectors.triangle.data[i * a.cols + j];
  }
  makeDiagonalPositive(q, r);
  return { q, r };
}

/** The (n−K)×n orthonormal rows that complete K orthonormal rows of length n to an orthogonal matrix. */
export function orthonormalComplement(rows: Matrix64): Matrix64 {
  const { rows: count, cols: n } = rows;
  if (count > n) throw inputError('orthonormalComplement', 'rows', `at most ${n} rows of length ${n}`, `${count} rows`);
  const rest = unitColumns(n, count, n - count);
  reflect(reduce(transpose(rows)), rest);
  return transpose(rest);
}

/** An n×n orthogonal matrix from the uniform (Haar) distribution. */
export function randomOrthogonal(n: number, random: Random): Matrix64 {
  return qr(normalMatrix(n, n, random)).q;
}

interface Reflectors {
  /** R on and above the diagonal, and v_k below it in column k. */
  readonly triangle: Matrix64;
  readonly tau: Float64Array;
}

/** Reduces `a` to the triangle; overwrites it. */
function reduce(a: Matrix64): Reflectors {
  const { rows, cols, data } = a;
  const tau = new Float64Array(cols);
  const v = new Float64Array(rows);
  const work = new Float64Array(cols);
  for (let k = 0; k < cols; k++) {
    for (let i = k; i < rows; i++) v[i] = data[i * cols + k];
    if (v.subarray(k + 1).every((x) => x === 0)) continue; // already zero below the diagonal: H_k = I
    const head = v[k];
    const norm = norm2(v, k);
    const beta = head > 0 ? -norm : norm;
    tau[k] = (beta - head) / beta;
    v[k] = 1;
    for (let i = k + 1; i < rows; i++) v[i] /= head - beta;
    applyReflector(v, tau[k], k, a, k + 1, work);
    data[k * cols + k] = beta;
    for (let i = k + 1; i < rows; i++) data[i * cols + k] = v[i];
  }
  return { triangle: a, tau };
}

/** target ← H_1 … H_K · target. */
function reflect({ triangle, tau }: Reflectors, target: Matrix64): void {
  const v = new Float64Array(triangle.rows);
  const work = new Float64Array(target.cols);
  for (let k = triangle.cols - 1; k >= 0; k--) {
    if (tau[k] === 0) continue;
    v[k] = 1;
    for (let i = k + 1; i < triangle.rows; i++) v[i] = triangle.data[i * triangle.cols + k];
    applyReflector(v, tau[k], k, target, 0, work);
  }
}

/** target ← (I − τ v vᵀ) target in columns `from` and later, v zero above entry k. Row by row, in memory order. */
function applyReflector(v: Float64Array, tau: number, k: number, target: Matrix64, from: number, work: Float64Array) {
  const { rows, cols, data } = target;
  work.fill(0);
  for (let i = k; i < rows; i++) {
    const vi = v[i];
    if (vi === 0) continue;
    for (let j = from, at = i * cols + from; j < cols; j++, at++) work[j] += vi * data[at];
  }
  for (let i = k; i < rows; i++) {
    const vi = tau * v[i];
    if (vi === 0) continue;
    for (let j = from, at = i * cols + from; j < cols; j++, at++) data[at] -= vi * work[j];
  }
}

/** ‖v[from…]‖₂, safe from overflow and underflow. */
function norm2(v: Float64Array, from: number): number {
  let max = 0;
  for (let i = from; i < v.length; i++) max = Math.max(max, Math.abs(v[i]));
  if (max === 0) return 0;
  let sum = 0;
  for (let i = from; i < v.length; i++) sum += (v[i] / max) ** 2;
  return max * Math.sqrt(sum);
}

/** Columns first … first + count − 1 of the identity. */
function unitColumns(rows: number, first: number, count: number): Matrix64 {
  const columns = zeros(rows, count);
  for (let j = 0; j < count; j++) columns.data[(first + j) * count + j] = 1;
  return columns;
}

function makeDiagonalPositive(q: Matrix64, r: Matrix64): void {
  const n = r.cols;
  for (let k = 0; k < n; k++) {
    if (r.data[k * n + k] >= 0) continue;
    for (let j = k; j < n; j++) r.data[k * n + j] = -r.data[k * n + j];
    for (let i = 0; i < q.rows; i++) q.data[i * n + k] = -q.data[i * n + k];
  }
}
