/**
 * Recovery error |1 − g|, the measure of the ℓ4 papers: 0 exactly when every learned atom is a true atom up to sign.
 *
 *     g = ‖C‖₄⁴ / K,  C = A D⁻¹ with rows of unit norm   (an orthogonal dictionary: D⁻¹ = Dᵀ, g = ‖A Dᵀ‖₄⁴ / n)
 *
 * 1 − g is summed without cancellation. Per row, with m the largest entry and e = Σ_{j≠m} c_j²  (so c_m² = 1 − e):
 *
 *     1 − Σ_j c_j⁴ = e (1 + c_m²) − Σ_{j≠m} c_j⁴  ≥ 0
 *
 * so errors far below 1e-16 are still meaningful. As in the definition, an atom learned twice counts as correct twice;
 * `matchAtoms` detects that.
 */
import { type Matrix, type Matrix64, row, unitRows } from '../core/matrix.ts';
import { checkAtoms } from './atoms.ts';
import { coordinates } from './coordinates.ts';

/**
 * How far learned atoms are from the true ones, up to order and sign: |1 − g| in [0, 1] for K×n learned atoms against M×n
 * true ones, atoms as rows. The M ≤ n true atoms are linearly
 * independent: an entire orthogonal or complete dictionary, or part of one (anything outside their span is error).
 *
 * @example
 * ```js
 * import { fromRows, recoveryError } from 'orthodict';
 *
 * const truth = fromRows([[1, 0], [0, 1]]);
 * console.log(recoveryError(fromRows([[0, -1], [1, 0]]), truth)); // 0
 * console.log(recoveryError(fromRows([[0.6, 0.8], [-0.8, 0.6]]), truth).toFixed(4)); // 0.4608
 * ```
 */
export function recoveryError(learned: Matrix, truth: Matrix): number {
  checkAtoms('recoveryError', learned, truth);
  const atoms = unitRows(learned);
  const trueAtoms = unitRows(truth);
  const C = coordinates('recoveryError', atoms, trueAtoms);
  let sum = 0;
  for (let i = 0; i < C.rows; i++) sum += rowError(row(C, i), outsideEnergy(row(atoms, i), row(C, i), trueAtoms));
  return sum / C.rows;
}

/** 1 − Σ_j c_j⁴ of the row scaled to Σ_j c_j² + outside = 1; 1 for a zero row. */
function rowError(c: Float64Array, outside: number): number {
  const m = largest(c);
  let others2 = outside;
  let others4 = 0;
  for (let j = 0; j < c.length; j++) {
    if (j === m) continue;
    others2 += c[j] ** 2;
    others4 += c[j] ** 4;
  }
  const total = others2 + c[m] ** 2;
  if (total === 0) return 1;
  const e = others2 / total;
  return Math.max(0, e * (1 + c[m] ** 2 / total) - others4 / total ** 2);
}

function largest(c: Float64Array): number {
  let m = 0;
  for (let j = 1; j < c.length; j++) if (Math.abs(c[j]) > Math.abs(c[m])) m = j;
  return m;
}

/** ‖a − c D‖²: zero if D spans the space. */
function outsideEnergy(atom: Float64Array, c: Float64Array, D: Matrix64): number {
  if (D.rows === D.cols) return 0;
  const rest = atom.slice();
  for (let k = 0; k < D.rows; k++) {
    for (let j = 0; j < D.cols; j++) rest[j] -= c[k] * D.data[k * D.cols + j];
  }
  return rest.reduce((sum, value) => sum + value ** 2, 0);
}
