/**
 * The second moments that components do not explain. With loadings Z, images Z C and G = Z C Zᵀ = L Lᵀ (Cholesky),
 *
 *     D = C − WᵀW,   W = L⁻¹ Z C             the second moments of what their scores do not explain
 *
 * L_ii² is what component i adds to the variance that those before it explain. A component that adds nothing but
 * rounding has L_ii = 0 and no part in W.
 */
import { type Matrix64, row, zeros } from '../../core/matrix.ts';
import type { CovarianceOperator } from './covariance.ts';
import { addRows, fullVector, type SparseVector, sparseDot } from './sparse-vector.ts';

/** An explained combination of features may keep this share of its variance, by rounding. */
export const ROUNDING = 1e-12;

export interface Rest {
  readonly C: CovarianceOperator;
  readonly W: Matrix64;
  /** Buffer for −W x. */
  readonly explained: SparseVector;
  /** Buffer for the entries of a component, n numbers. */
  readonly p: Float64Array;
}

/** L of the components named by `order`, in that order. */
export function factorOf(G: Matrix64, order: readonly number[]): Matrix64 {
  const L = zeros(order.length, order.length);
  const { data, cols } = L;
  for (let i = 0; i < cols; i++) {
    const variance = G.data[order[i] * G.cols + order[i]];
    let left = variance;
    for (let j = 0; j < i; j++) {
      const pivot = data[j * cols + j];
      if (pivot === 0) continue;
      let sum = G.data[order[i] * G.cols + order[j]];
      for (let k = 0; k < j; k++) sum -= data[i * cols + k] * data[j * cols + k];
      sum /= pivot;
      data[i * cols + j] = sum;
      left -= sum * sum;
    }
    data[i * cols + i] = left > ROUNDING * variance ? Math.sqrt(left) : 0;
  }
  return L;
}

/** The rest that the components named by `order` leave; images: m×n. */
export function restOf(C: CovarianceOperator, images: Matrix64, G: Matrix64, order: readonly number[]): Rest {
  const L = factorOf(G, order);
  const W = zeros(order.length, images.cols);
  const explained = fullVector(W.rows);
  for (let i = 0; i < L.rows; i++) {
    const pivot = L.data[i * L.cols + i];
    if (pivot === 0) continue;
    const w = row(W, i);
    w.set(row(images, order[i]));
    for (let j = 0; j < i; j++) explained.values[j] = -L.data[i * L.cols + j];
    explained.size = i;
    addRows(explained, W, w);
    const factor = 1 / pivot;
    for (let k = 0; k < w.length; k++) w[k] *= factor;
  }
  explained.size = W.rows;
  return { C, W, explained, p: new Float64Array(W.cols) };
}

/** Sets out ← D x; returns ‖W x‖², the explained variance of x. */
export function timesRest({ C, W, explained }: Rest, x: SparseVector, out: Float64Array): number {
  C.times(x, out);
  let square = 0;
  for (let i = 0; i < W.rows; i++) {
    const inner = sparseDot(x, W.data, i * W.cols);
    explained.values[i] = -inner;
    square += inner * inner;
  }
  addRows(explained, W, out);
  return square;
}

/** The variances D_kk that are left. */
export function variancesLeft({ C, W }: Rest): Float64Array {
  const left = C.variances.slice();
  for (let i = 0, at = 0; i < W.rows; i++) {
    for (let k = 0; k < W.cols; k++, at++) left[k] -= W.data[at] * W.data[at];
  }
  return left;
}
