/**
 * How well a few elements of an orthonormal basis represent a picture.
 *
 * A picture y keeps either the k codes of the atoms with the most energy over all pictures (leading), or its own k
 * largest codes (largest). The residual is Σ ‖y − ŷ‖² / Σ ‖y‖². If there is a mean, it is part of ŷ and costs no code.
 */

import type { FloatArray, Matrix, Matrix64 } from 'orthodict';
import { cumulatedEnergies, dot, type Kernels, row, rowRange } from 'orthodict/extend';

/** Numbers of atoms kept, as in figure 11. */
export const KEPT = [1, 2, 3, 4, 5, 10, 25];
/** Number of top atoms to judge. */
export const TOP = 25;

export interface Basis {
  /** Sorted by descending energy. */
  readonly atoms: Matrix64;
  readonly mean?: Float64Array | undefined;
  /** Residuals, one per k of {@link KEPT}. */
  readonly leading: readonly number[];
  readonly largest: readonly number[];
  /** Σ x⁴ / Σ ‖y‖⁴: 1 if every picture is a multiple of an atom. */
  readonly fourthPowers: number;
  /** Mean over the top atoms of the largest |cos| between an atom and any picture: 1 if atoms are pictures. */
  readonly likeness: number;
}

/** Number of pictures whose codes are in memory at a time. */
const CHUNK = 1000;

export function judgeBasis(pictures: Matrix, atoms: Matrix64, mean: Float64Array | undefined, kernels: Kernels): Basis {
  const left = { leading: KEPT.map(() => 0), largest: KEPT.map(() => 0) };
  const likeness = new Float64Array(atoms.rows);
  let [energy, fourth, fourthNorms] = [0, 0, 0];
  for (let start = 0; start < pictures.rows; start += CHUNK) {
    const chunk = rowRange(pictures, start, Math.min(start + CHUNK, pictures.rows));
    const codes = kernels.project(chunk, atoms, { offset: mean, scale: 1 }, 'f64');
    for (let j = 0; j < chunk.rows; j++) {
      const whole = squaredDistance(row(chunk, j));
      const rest = squaredDistance(row(chunk, j), mean);
      const squares = Float64Array.from(row(codes, j), (x) => x * x);
      energy += whole;
      fourthNorms += whole * whole;
      for (let i = 0; i < squares.length; i++) {
        fourth += squares[i] * squares[i];
        if (rest > 0) likeness[i] = Math.max(likeness[i], squares[i] / rest);
      }
      const first = cumulated(squares);
      const { smallest } = cumulatedEnergies(squares);
      KEPT.forEach((k, at) => {
        left.leading[at] += Math.max(0, rest - first[k]);
        left.largest[at] += Math.max(0, rest - (smallest[squares.length] - smallest[squares.length - k]));
      });
    }
  }
  return {
    atoms,
    mean,
    leading: left.leading.map((value) => value / energy),
    largest: left.largest.map((value) => value / energy),
    fourthPowers: fourth / fourthNorms,
    likeness: likeness.subarray(0, TOP).reduce((sum, value) => sum + Math.sqrt(value), 0) / TOP,
  };
}

/** ŷ of the pictures, each from its k leading or k largest codes. */
export function reconstruct(
  pictures: Matrix,
  { atoms, mean }: Basis,
  k: number,
  kept: 'leading' | 'largest',
): Float64Array[] {
  return Array.from({ length: pictures.rows }, (_, j) => {
    const y = Float64Array.from(row(pictures, j), (value, i) => value - (mean?.[i] ?? 0));
    const codes = Float64Array.from({ length: atoms.rows }, (_, i) => dot(row(atoms, i), y));
    const order = Array.from(codes.keys());
    if (kept === 'largest') order.sort((a, b) => Math.abs(codes[b]) - Math.abs(codes[a]));
    const again = Float64Array.from(mean ?? new Float64Array(y.length));
    for (const i of order.slice(0, k)) {
      row(atoms, i).forEach((value, at) => {
        again[at] += codes[i] * value;
      });
    }
    return again;
  });
}

function cumulated(squares: Float64Array): Float64Array {
  const sums = new Float64Array(squares.length + 1);
  squares.forEach((value, k) => {
    sums[k + 1] = sums[k] + value;
  });
  return sums;
}

/** Squared distance from the mean, or from zero. */
function squaredDistance(y: FloatArray, mean?: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < y.length; i++) sum += (y[i] - (mean ? mean[i] : 0)) ** 2;
  return sum;
}
