/**
 * A random complete dictionary with exactly unit atoms and exactly the given condition number κ.
 *
 *     D = W U diag(σ) Vᵀ,   U, V Haar,   σ_k ∝ κ^(−k/(n−1)),   Σσ² = n
 *
 * The squared norms of the rows of U diag(σ) Vᵀ sum to n: if one is below 1, another is above, and rotating the two
 * rows makes the first exactly 1. W is the product of at most n − 1 such rotations, which keep the singular values
 * (Bendel & Mickey 1978, with the formula of Davies & Higham 2000). Dividing rows by their norms would change κ.
 */
import { dot, type Matrix64, row, scaleRows, zeros } from '../core/matrix.ts';
import type { Random } from '../core/random.ts';
import { randomOrthogonal } from '../linalg/qr.ts';

/** A random dictionary of unit rows, n×n. With condition 1 it is orthogonal and Haar distributed. */
export function randomDictionary(n: number, condition: number, random: Random): Matrix64 {
  if (condition === 1) return randomOrthogonal(n, random);
  const spectrum = geometricSpectrum(n, condition);
  const scaled = scaleRows(randomOrthogonal(n, random), spectrum);
  return equalizeRows(multiply(randomOrthogonal(n, random), scaled));
}

/** Singular values σ_0 … σ_(n−1) with σ_0 / σ_(n−1) = condition and Σσ² = n. */
function geometricSpectrum(n: number, condition: number): Float64Array {
  const raw = Float64Array.from({ length: n }, (_, k) => condition ** (-k / (n - 1)));
  const energy = raw.reduce((sum, value) => sum + value ** 2, 0);
  return raw.map((value) => value * Math.sqrt(n / energy));
}

/** Rotates pairs of rows, in place, until all have norm 1. */
function equalizeRows(matrix: Matrix64): Matrix64 {
  const energies = Array.from({ length: matrix.rows }, (_, i) => dot(row(matrix, i), row(matrix, i)));
  const below = energies.flatMap((energy, i) => (energy < 1 ? [i] : []));
  const above = energies.flatMap((energy, i) => (energy < 1 ? [] : [i]));
  let i = below.pop();
  let j = above.pop();
  while (i !== undefined && j !== undefined) {
    rotateToUnit(row(matrix, i), row(matrix, j), energies[i], energies[j]);
    energies[j] += energies[i] - 1;
    if (energies[j] < 1) [i, j] = [j, above.pop()];
    else i = below.pop();
  }
  for (let k = 0; k < matrix.rows; k++) normalize(row(matrix, k));
  return matrix;
}

/** Rotates a (energy < 1) and b (energy ≥ 1) so that ‖a‖ = 1. */
function rotateToUnit(a: Float64Array, b: Float64Array, energyA: number, energyB: number): void {
  const ab = dot(a, b);
  const root = Math.sqrt(Math.max(0, ab * ab - (energyA - 1) * (energyB - 1)));
  // t solves (b² − 1) t² − 2 (a·b) t + (a² − 1) = 0; of a root's two forms, use the one that adds equal signs
  const twin = ab > 0 ? ab + root : ab - root;
  if (twin === 0) return; // both norms are 1 to rounding
  const t = (energyA - 1) / twin;
  const c = 1 / Math.sqrt(1 + t * t);
  const s = c * t;
  for (let k = 0; k < a.length; k++) {
    const [ak, bk] = [a[k], b[k]];
    a[k] = c * ak - s * bk;
    b[k] = s * ak + c * bk;
  }
}

/** Removes the rounding error from a norm that should be 1. */
function normalize(a: Float64Array): void {
  const norm = Math.sqrt(dot(a, a));
  for (let k = 0; k < a.length; k++) a[k] /= norm;
}

function multiply(a: Matrix64, b: Matrix64): Matrix64 {
  const product = zeros(a.rows, b.cols);
  for (let i = 0; i < a.rows; i++) {
    for (let l = 0; l < a.cols; l++) {
      const ail = a.data[i * a.cols + l];
      for (let j = 0; j < b.cols; j++) product.data[i * b.cols + j] += ail * b.data[l * b.cols + j];
    }
  }
  return product;
}
