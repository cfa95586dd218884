/**
 * One sweep of coordinate descent over the atoms with the codes X fixed: min_D ‖Y − X D‖², which needs only two sums:
 *
 *     A = Xᵀ X,   B = Xᵀ Y,   u = d_k + R_k/A_kk,   R = B − A D,   d_k ← u/max(1, ‖u‖)   or   u/‖u‖
 *
 * R is computed for a block of atoms at a time, as a product. Inside a block it follows every change: R_l ← R_l − A_lk Δd_k.
 */
import { dot, type Matrix64, row, rowRange } from '../../core/matrix.ts';
import type { CodeMoments, Kernels } from '../../kernels/kernels.ts';

/** What a sweep does with the norms of atoms, and with useless ones. */
export interface SweepOptions {
  /** The norm of an atom: exactly 1, or at most 1. */
  readonly norm: 'one' | 'bounded';
  /** Returns what replaces atom k if it is useless. */
  replacement(k: number): Float64Array | undefined;
}

/** Atoms per block: larger blocks leave more to plain loops, smaller ones need more products. */
const BLOCK = 16;

/** Updates one atom after the other, from `moments` Xᵀ X and Xᵀ Y of the codes; returns the new atoms. */
export function sweepAtoms(D: Matrix64, moments: CodeMoments, options: SweepOptions, kernels: Kernels): Matrix64 {
  const { gram, correlation } = moments;
  const next = { ...D, data: D.data.slice() };
  for (let first = 0; first < D.rows; first += BLOCK) {
    const end = Math.min(first + BLOCK, D.rows);
    const R = kernels.multiply(rowRange(gram, first, end), next);
    const B = rowRange(correlation, first, end).data;
    for (let i = 0; i < B.length; i++) R.data[i] = B[i] - R.data[i];
    sweepBlock(next, R, first, gram, options);
  }
  return next;
}

/** Sweeps one block. `R`: rows from number `first` on. */
function sweepBlock(D: Matrix64, R: Matrix64, first: number, gram: Matrix64, options: SweepOptions): void {
  for (let i = 0; i < R.rows; i++) {
    const k = first + i;
    const d = row(D, k);
    const before = d.slice();
    const other = options.replacement(k);
    if (other) d.set(other);
    else renew(d, row(R, i), gram.data[k * gram.cols + k], options.norm);
    for (let l = i + 1; l < R.rows; l++) {
      const weight = gram.data[(first + l) * gram.cols + k];
      const r = row(R, l);
      if (weight !== 0) for (let j = 0; j < r.length; j++) r[j] -= weight * (d[j] - before[j]);
    }
  }
}

/** d ← u/‖u‖ or u/max(1, ‖u‖), u = d + r/`own`. */
function renew(d: Float64Array, r: Float64Array, own: number, norm: SweepOptions['norm']): void {
  if (!(own > 0)) return;
  const u = d.map((value, j) => value + r[j] / own);
  const size = Math.sqrt(dot(u, u));
  const divisor = norm === 'one' ? size : Math.max(1, size);
  if (divisor > 0) for (let j = 0; j < d.length; j++) d[j] = u[j] / divisor;
}

/** Whether each atom is unused: its codes have less energy than a tiny fraction of the mean. */
export function unusedAtoms({ gram }: CodeMoments): boolean[] {
  const energies = Array.from({ length: gram.rows }, (_, k) => gram.data[k * gram.rows + k]);
  const least = (UNUSED * energies.reduce((sum, energy) => sum + energy, 0)) / gram.rows;
  return energies.map((energy) => !(energy > least));
}

const UNUSED = 1e-8;

/** Returns v/‖v‖; undefined if v is zero. */
export function unitVector(v: Float64Array): Float64Array | undefined {
  const size = Math.sqrt(dot(v, v));
  return size > 0 ? v.map((x) => x / size) : undefined;
}
