/**
 * The lasso by coordinate descent with covariance updates (Friedman, Hastie & Tibshirani 2010): for every sample y
 *
 *     min_x ½‖y − Σ_k x_k d_k‖² + λ‖x‖₁,   r = D y − G x,   G = D Dᵀ
 *     x_k ← soft(r_k + G_kk x_k, λ)/G_kk,   r ← r − Δx_k G_k
 *
 * A change costs one row of G, regardless of the sample length. Sweeps over the non-zero codes alternate with sweeps
 * over all codes, until a full sweep changes nothing.
 */
import type { Matrix64 } from '../core/matrix.ts';

/** A code that moves by less than this fraction of λ counts as unchanged. */
const STILL = 1e-4;
const MOST_ROUNDS = 1000;
/** Sweeps over the non-zero codes before the next full sweep: with too many non-zeros they converge slowly. */
const MOST_SWEEPS = 10;

/** `correlations`: Y Dᵀ, b×K, overwritten by the codes. `gram`: G, K×K. Returns Σ‖x‖₁. */
export function lasso(correlations: Matrix64, gram: Matrix64, lambda: number): number {
  const K = gram.rows;
  const x = new Float64Array(K);
  let sum = 0;
  for (let j = 0; j < correlations.rows; j++) {
    const r = correlations.data.subarray(j * K, (j + 1) * K);
    x.fill(0);
    lassoOf(r, x, gram.data, lambda);
    r.set(x);
    for (let k = 0; k < K; k++) sum += Math.abs(x[k]);
  }
  return sum;
}

/** Starts from x = 0 and r = D y. */
function lassoOf(r: Float64Array, x: Float64Array, G: Float64Array, lambda: number): void {
  const still = STILL * lambda;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (sweep(r, x, G, lambda, false) <= still) return;
    for (let sweeps = 0; sweeps < MOST_SWEEPS && sweep(r, x, G, lambda, true) > still; sweeps++);
  }
}

/** Returns the largest change of a code. */
function sweep(r: Float64Array, x: Float64Array, G: Float64Array, lambda: number, active: boolean): number {
  const K = x.length;
  let largest = 0;
  for (let k = 0; k < K; k++) {
    const old = x[k];
    if (active && old === 0) continue;
    const diagonal = G[k * K + k];
    const z = r[k] + diagonal * old;
    const next = z > lambda ? (z - lambda) / diagonal : z < -lambda ? (z + lambda) / diagonal : 0;
    const change = next - old;
    if (change === 0) continue;
    x[k] = next;
    for (let l = 0, at = k * K; l < K; l++, at++) r[l] -= change * G[at];
    if (Math.abs(change) > largest) largest = Math.abs(change);
  }
  return largest;
}
