/**
 * Coefficients that a feature's own zeros do not determine, found from the orthogonality of V.
 *
 * Y = X + A Cᵀ (C with orthonormal columns, C⊥ the complement) and XᵀX = YᵀY give, between C and C⊥,
 *
 *     Aᵀ K = 0,   K = Y C⊥        r(p−r) equations, linear in A
 *
 * A feature with fewer zeros than coefficients has a_i = a_i⁰ + N_i t_i with N_i the null space of its zeros' loadings;
 * the t of all such features together solve Σ N_i t_i K_iᵀ = −A⁰ᵀK by least squares. The residual shows whether to
 * accept the solution.
 */
import { dot, type Matrix64, row, transpose, zeros as zeroMatrix } from '../../core/matrix.ts';
import { cholesky, solveSymmetric } from '../../linalg/cholesky.ts';
import { orthonormalComplement, qr } from '../../linalg/qr.ts';
import { type Features, zeroCount } from './features.ts';
import type { LowRank } from './low-rank.ts';

/** Largest number of unknowns per equation for which the residual means something. */
const MOST_UNKNOWNS = 0.8;
const BELIEVABLE_RESIDUAL = 0.1;

/** Fills in the open coefficients of a low-rank part; returns it unchanged if there are none or too many. */
export function completeByOrthogonality(features: Features, found: LowRank): LowRank {
  const { count: n, samples: p, values } = features;
  const { rank: r, loadings: C, zeros } = found;
  const open: { feature: number; direction: Float64Array }[] = [];
  const most = MOST_UNKNOWNS * r * (p - r);
  const A: Matrix64 = { ...found.coefficients, data: found.coefficients.data.slice() };
  for (let i = 0; i < n && open.length <= most; i++) {
    if (zeroCount(zeros, i, p) >= r) continue;
    for (const direction of openDirections(C, zeros.subarray(i * p, (i + 1) * p))) open.push({ feature: i, direction });
  }
  if (open.length === 0 || open.length > most) return found;

  const K = multiplyRows(values, n, p, orthonormalComplement(transpose(C)));
  const equations = r * (p - r);
  const right = zeroMatrix(equations, 1);
  for (let i = 0; i < n; i++) addOuter(right.data, row(A, i), row(K, i), -1);
  const J = zeroMatrix(open.length, equations);
  open.forEach(({ feature, direction }, t) => {
    addOuter(row(J, t), direction, row(K, feature), 1);
  });
  const t = leastSquares(J, right.data);
  if (!t || residualShare(J, t, right.data) > BELIEVABLE_RESIDUAL) return found;
  open.forEach(({ feature, direction }, k) => {
    const a = row(A, feature);
    for (let l = 0; l < r; l++) a[l] += t[k] * direction[l];
  });
  return { ...found, coefficients: A };
}

/** Orthonormal directions of the coefficients that the marked loadings do not determine. */
function openDirections(C: Matrix64, mask: Uint8Array): Float64Array[] {
  const marked = Array.from(mask.keys()).filter((j) => mask[j]);
  const rows = zeroMatrix(marked.length, C.cols);
  marked.forEach((j, k) => {
    rows.data.set(row(C, j), k * C.cols);
  });
  const basis = marked.length > 0 ? transpose(qr(transpose(rows)).q) : rows;
  const complement = orthonormalComplement(basis);
  return Array.from({ length: complement.rows }, (_, k) => row(complement, k).slice());
}

/** values (n×p) · basisᵀ (basis k×p). */
function multiplyRows(values: Float64Array, n: number, p: number, basis: Matrix64): Matrix64 {
  const product = zeroMatrix(n, basis.rows);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < basis.rows; k++) {
      let sum = 0;
      for (let j = 0; j < p; j++) sum += values[i * p + j] * basis.data[k * p + j];
      product.data[i * basis.rows + k] = sum;
    }
  }
  return product;
}

/** target += sign · a bᵀ, flattened. */
function addOuter(target: Float64Array, a: Float64Array, b: Float64Array, sign: number): void {
  for (let k = 0; k < a.length; k++) {
    for (let l = 0; l < b.length; l++) target[k * b.length + l] += sign * a[k] * b[l];
  }
}

/** t minimising ‖Jᵀt − right‖, J with unknowns as rows: normal equations, refined once. */
function leastSquares(J: Matrix64, right: Float64Array): Float64Array | undefined {
  const gram = zeroMatrix(J.rows, J.rows);
  for (let k = 0; k < J.rows; k++) {
    for (let l = 0; l <= k; l++) {
      gram.data[k * J.rows + l] = dot(row(J, k), row(J, l));
      gram.data[l * J.rows + k] = gram.data[k * J.rows + l];
    }
  }
  if (!cholesky(gram)) return undefined;
  const t = new Float64Array(J.rows);
  for (let round = 0; round < 2; round++) {
    const rest = residual(J, t, right);
    const step = solveSymmetric(gram, {
      rows: J.rows,
      cols: 1,
      data: Float64Array.from(t, (_, k) => dot(row(J, k), rest)),
    })!;
    for (let k = 0; k < t.length; k++) t[k] += step.data[k];
  }
  return t;
}

function residual(J: Matrix64, t: Float64Array, right: Float64Array): Float64Array {
  const rest = right.slice();
  for (let k = 0; k < J.rows; k++) {
    for (let l = 0; l < J.cols; l++) rest[l] -= t[k] * J.data[k * J.cols + l];
  }
  return rest;
}

function residualShare(J: Matrix64, t: Float64Array, right: Float64Array): number {
  const rest = residual(J, t, right);
  return Math.sqrt(dot(rest, rest) / dot(right, right));
}
