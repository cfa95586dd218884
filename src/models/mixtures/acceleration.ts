/**
 * Acceleration of a fixed-point iteration s ← F(s) by its last few steps (Anderson 1965; for expectation maximisation
 * Henderson & Varadhan 2019). With f = F(s) − s, and of the last steps the moves Δs and the changes Δf, as rows:
 *
 *     γ = argmin ‖f − Δfᵀ γ‖,   s ← s + f − (Δs + Δf)ᵀ γ
 *
 * Rows of s that belong to clusters of weight w count as 1/w: ‖s‖² = Σ_k ‖s_k‖²/w_k, which is about Σ_k w_k ‖δμ_k‖² for
 * means that move by δμ.
 */
import { type Matrix64, rowRange, zeros } from '../../core/matrix.ts';
import { solveSymmetric } from '../../linalg/cholesky.ts';

/** Number of steps that are remembered. */
export const DEPTH = 5;
/** Ridge added to the diagonal of Δf Δfᵀ, relative to its mean. */
const RIDGE = 1e-10;

/** Moves and changes of the last steps, oldest first, a flattened matrix in every row. */
export interface History {
  readonly moves: Matrix64;
  readonly changes: Matrix64;
}

export const noHistory = (length: number): History => ({ moves: zeros(0, length), changes: zeros(0, length) });

/** Adds a step to the history, and drops the oldest one if there are too many. */
export const withStep = ({ moves, changes }: History, move: Float64Array, change: Float64Array): History => ({
  moves: appended(moves, move),
  changes: appended(changes, change),
});

function appended(rows: Matrix64, last: Float64Array): Matrix64 {
  const kept = rowRange(rows, Math.max(0, rows.rows + 1 - DEPTH), rows.rows);
  const out = zeros(kept.rows + 1, rows.cols);
  out.data.set(kept.data);
  out.data.set(last, kept.data.length);
  return out;
}

/** The extrapolated step from s; undefined if the history gives none. */
export function extrapolate(f: Matrix64, weights: Float64Array, { moves, changes }: History): Float64Array | undefined {
  const h = moves.rows;
  if (h === 0) return undefined;
  const { data: size, cols } = f;
  const scaled = changes.data.map((x, at) => x / weights[Math.floor((at % changes.cols) / cols)]);
  const rowOf = (rows: Matrix64, i: number) => rows.data.subarray(i * rows.cols, (i + 1) * rows.cols);
  const gram = zeros(h, h);
  const right = zeros(h, 1);
  for (let i = 0; i < h; i++) {
    const left = scaled.subarray(i * changes.cols, (i + 1) * changes.cols);
    for (let j = 0; j < h; j++) gram.data[i * h + j] = dotOf(left, rowOf(changes, j));
    right.data[i] = dotOf(left, size);
  }
  let mean = 0;
  for (let i = 0; i < h; i++) mean += gram.data[i * h + i] / h;
  for (let i = 0; i < h; i++) gram.data[i * h + i] += RIDGE * mean;
  const gamma = solveSymmetric(gram, right);
  if (!gamma) return undefined;
  const step = size.slice();
  for (let i = 0; i < h; i++) {
    const factor = gamma.data[i];
    for (let at = 0; at < step.length; at++) {
      step[at] -= factor * (moves.data[i * step.length + at] + changes.data[i * step.length + at]);
    }
  }
  return step;
}

/** The norm √(Σ_k ‖s_k‖²/w_k) of rows s_k with these weights. */
export function weightedNorm(s: Float64Array, weights: Float64Array): number {
  const cols = s.length / weights.length;
  let sum = 0;
  for (let at = 0; at < s.length; at++) sum += s[at] ** 2 / weights[Math.floor(at / cols)];
  return Math.sqrt(sum);
}

function dotOf(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}
