/**
 * One sweep of coordinate descent over the atoms with the codes X fixed: min_D ‖Y − X D‖², which needs only two sums:
 *
 *     A = Xᵀ X,   B = Xᵀ Y,   u = d_k + (B_k − A_k D)/A_kk,   d_k ← u/max(1, ‖u‖)   or   u/‖u‖
 */
import { dot, type Matrix64, row } from '../../core/matrix.ts';
import type { CodeMoments } from '../../kernels/kernels.ts';

export interface SweepOptions {
  /** The norm of an atom: exactly 1, or at most 1. */
  readonly norm: 'one' | 'bounded';
  /** What replaces atom k if it is useless. `D` already holds the new atoms before k. */
  replacement(k: number, D: Matrix64): Float64Array | undefined;
}

export function sweepAtoms(D: Matrix64, { gram, correlation }: CodeMoments, options: SweepOptions): Matrix64 {
  const [K, n] = [D.rows, D.cols];
  const next = { ...D, data: D.data.slice() };
  const u = new Float64Array(n);
  for (let k = 0; k < K; k++) {
    const d = row(next, k);
    const other = options.replacement(k, next);
    if (other) {
      d.set(other);
      continue;
    }
    const own = gram.data[k * K + k];
    if (!(own > 0)) continue;
    u.set(row(correlation, k));
    for (let l = 0; l < K; l++) {
      const weight = gram.data[k * K + l];
      if (weight !== 0) for (let j = 0, at = l * n; j < n; j++, at++) u[j] -= weight * next.data[at];
    }
    for (let j = 0; j < n; j++) u[j] = d[j] + u[j] / own;
    const size = Math.sqrt(dot(u, u));
    const divisor = options.norm === 'one' ? size : Math.max(1, size);
    if (divisor > 0) for (let j = 0; j < n; j++) d[j] = u[j] / divisor;
  }
  return next;
}

/** Atoms whose codes have less energy than a tiny fraction of the mean. */
export function unusedAtoms({ gram }: CodeMoments): boolean[] {
  const energies = Array.from({ length: gram.rows }, (_, k) => gram.data[k * gram.rows + k]);
  const least = (UNUSED * energies.reduce((sum, energy) => sum + energy, 0)) / gram.rows;
  return energies.map((energy) => !(energy > least));
}

const UNUSED = 1e-8;

/** v/‖v‖; undefined if v is zero. */
export function unitVector(v: Float64Array): Float64Array | undefined {
  const size = Math.sqrt(dot(v, v));
  return size > 0 ? v.map((x) => x / size) : undefined;
}
