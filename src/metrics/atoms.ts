/** Shared by the dictionary metrics: checks and inner products. Atoms are rows. */
import { inputError } from '../core/errors.ts';
import { type Matrix, type Matrix64, row, zeros } from '../core/matrix.ts';
import { requireFiniteMatrix } from '../core/require-matrix.ts';

/** Checks that both dictionaries have the same features and only finite entries. */
export function checkAtoms(who: string, learned: Matrix, truth: Matrix): void {
  requireFiniteMatrix(who, 'learned', learned);
  requireFiniteMatrix(who, 'truth', truth);
  if (learned.cols !== truth.cols) {
    throw inputError(who, 'learned', `atoms of length ${truth.cols}, as in truth`, `length ${learned.cols}`);
  }
}

/** A Bᵀ: the inner product of every row of a with every row of b. */
export function innerProducts(a: Matrix64, b: Matrix64): Matrix64 {
  const products = zeros(a.rows, b.rows);
  for (let i = 0; i < a.rows; i++) {
    const left = row(a, i);
    for (let j = 0; j < b.rows; j++) products.data[i * b.rows + j] = dotAt(left, b.data, j * b.cols);
  }
  return products;
}

/** Computes Σ_j a_j b_(offset + j) in four partial sums: faster, and with less rounding error. */
function dotAt(a: Float64Array, b: Float64Array, offset: number): number {
  const whole = a.length - (a.length % 4);
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let j = 0, k = offset; j < whole; j += 4, k += 4) {
    s0 += a[j] * b[k];
    s1 += a[j + 1] * b[k + 1];
    s2 += a[j + 2] * b[k + 2];
    s3 += a[j + 3] * b[k + 3];
  }
  for (let j = whole; j < a.length; j++) s0 += a[j] * b[offset + j];
  return s0 + s1 + (s2 + s3);
}
