/**
 * The lasso by coordinate descent with covariance updates (Friedman, Hastie & Tibshirani 2010): for every sample y
 *
 *     min_x ½‖y − Σ_k x_k d_k‖² + λ‖x‖₁,   r = D y − G x,   G = D Dᵀ
 *     x_k ← soft(r_k + G_kk x_k, λ)/G_kk,   r ← r − Δx_k G_k
 *
 * A change costs one row of G, regardless of the sample length. Sweeps over the non-zero codes alternate with sweeps
 * over all codes, until a full sweep changes nothing.
 */
import type { Matrix64 } from '../../core/matrix.ts';
import type { SparseCodes } from '../kernels.ts';

/** A code that moves by less than this fraction of λ counts as unchanged. */
const STILL = 1e-4;
const MOST_ROUNDS = 1000;
/** Sweeps over the non-zero codes before the next full sweep: with too many non-zeros they converge slowly. */
const MOST_SWEEPS = 10;

/** `correlations`: Y Dᵀ, b×K. `energies`: ‖y‖², b. `gram`: G, K×K. */
export function lasso(correlations: Matrix64, energies: Float64Array, gram: Matrix64, lambda: number): SparseCodes {
  const { rows, cols: K } = correlations;
  const starts = new Int32Array(rows + 1);
  const atoms: number[] = [];
  const values: number[] = [];
  const residuals = energies.slice();
  const x = new Float64Array(K);
  for (let j = 0; j < rows; j++) {
    const Dy = correlations.data.subarray(j * K, (j + 1) * K);
    const r = Dy.slice();
    x.fill(0);
    lassoOf(r, x, gram.data, lambda);
    for (let k = 0; k < K; k++) {
      if (x[k] === 0) continue;
      atoms.push(k);
      values.push(x[k]);
      residuals[j] -= x[k] * (Dy[k] + r[k]); // ‖y‖² − 2 x·D y + x·G x
    }
    starts[j + 1] = atoms.length;
    residuals[j] = Math.max(0, residuals[j]);
  }
  return { starts, atoms: Int32Array.from(atoms), values: Float64Array.from(values), residuals };
}

/** Finds the codes of one sample, starting from x = 0 and r = D y. */
function lassoOf(r: Float64Array, x: Float64Array, G: Float64Array, lambda: number): void {
  const still = STILL * lambda;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    if (sweep(r, x, G, lambda, false) <= still) return;
    for (let sweeps = 0; sweeps < MOST_SWEEPS && sweep(r, x, G, lambda, true) > still; sweeps++);
  }
}

/** Updates every code once; returns the largest change. */
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
