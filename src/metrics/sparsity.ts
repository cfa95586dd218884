/**
 * Sparsity of codes, by measures that need no ground truth. Codes are p×K, one sample per row.
 *
 *     density         share of |x| > tolerance
 *     Hoyer (2004)    (√K − ‖x‖₁/‖x‖₂) / (√K − 1) per sample: 0 for equal entries, 1 for a single one
 *     kurtosis        N Σx⁴ / (Σx²)² over all N entries: 3 for normal codes, 3/θ for Bernoulli-Gaussian ones
 */

import type { Matrix } from '../core/matrix.ts';
import { requireMatrixForm } from '../core/require-matrix.ts';

/** The share of entries with |x| > tolerance. */
export function density(codes: Matrix, tolerance = 0): number {
  requireMatrixForm('density', 'codes', codes);
  let count = 0;
  for (let i = 0; i < codes.data.length; i++) if (Math.abs(codes.data[i]) > tolerance) count++;
  return count / codes.data.length;
}

/** The mean Hoyer sparsity of the non-zero rows; NaN if there are none. 1 for rows of a single entry. */
export function hoyerSparsity(codes: Matrix): number {
  requireMatrixForm('hoyerSparsity', 'codes', codes);
  const { rows, cols, data } = codes;
  let total = 0;
  let counted = 0;
  for (let i = 0; i < rows; i++) {
    let l1 = 0;
    let squares = 0;
    for (let j = 0; j < cols; j++) {
      l1 += Math.abs(data[i * cols + j]);
      squares += data[i * cols + j] ** 2;
    }
    if (squares === 0) continue;
    total += cols === 1 ? 1 : (Math.sqrt(cols) - l1 / Math.sqrt(squares)) / (Math.sqrt(cols) - 1);
    counted++;
  }
  return total / counted;
}

/** N ‖x‖₄⁴ / ‖x‖₂⁴ over all entries, about zero rather than the mean: from 1 (all |x| equal) to N (one entry). */
export function kurtosis(codes: Matrix): number {
  requireMatrixForm('kurtosis', 'codes', codes);
  const { data } = codes;
  let squares = 0;
  let fourths = 0;
  for (let i = 0; i < data.length; i++) {
    squares += data[i] ** 2;
    fourths += data[i] ** 4;
  }
  return (data.length * fourths) / squares ** 2;
}
