/**
 * Amari distance between two complete dictionaries (Amari, Cichocki & Yang 1996), scaled to [0, 1].
 *
 *     P = A D⁻¹ of unit atoms
 *     d = 1/(2n(n−1)) · [Σ_i (Σ_j |p_ij| / max_j |p_ij| − 1) + Σ_j (Σ_i |p_ij| / max_i |p_ij| − 1)]
 *
 * Unlike the recovery error it considers both rows and columns, so it detects a true atom that was learned twice.
 */
import { inputError } from '../core/errors.ts';
import { type Matrix, type Matrix64, transpose, unitRows } from '../core/matrix.ts';
import { checkAtoms } from './atoms.ts';
import { coordinates } from './coordinates.ts';

/** The Amari distance: 0 if the atoms agree up to order, sign and length; at worst 1. Both are n×n, atoms as rows, truth invertible. */
export function amariDistance(learned: Matrix, truth: Matrix): number {
  checkAtoms('amariDistance', learned, truth);
  checkSquare('learned', learned);
  checkSquare('truth', truth);
  const n = truth.rows;
  if (n === 1) return 0;
  const P = coordinates('amariDistance', unitRows(learned), unitRows(truth));
  return (spread(P) + spread(transpose(P))) / (2 * n * (n - 1));
}

/** Σ_i (Σ_j |p_ij| / max_j |p_ij| − 1); a zero row counts like a row of equal entries. */
function spread({ rows, cols, data }: Matrix64): number {
  let total = 0;
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    let max = 0;
    for (let j = 0; j < cols; j++) {
      const size = Math.abs(data[i * cols + j]);
      sum += size;
      max = Math.max(max, size);
    }
    total += max === 0 ? cols - 1 : (sum - max) / max;
  }
  return total;
}

function checkSquare(parameter: string, { rows, cols }: Matrix): void {
  if (rows !== cols) throw inputError('amariDistance', parameter, 'square', `${rows}×${cols}`);
}
