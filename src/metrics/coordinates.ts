/**
 * Learned atoms in the coordinates of the true dictionary: A ≈ C D.
 *
 *     D orthonormal:  C = A Dᵀ
 *     otherwise:      Dᵀ = Q R,  C = A Q R⁻ᵀ   (least squares; C = A D⁻¹ where D is square)
 *
 * The learned atoms are true atoms, up to scale, exactly when every row of C has a single non-zero. This holds for
 * non-orthogonal dictionaries too, where A Dᵀ would show the coherence of D instead.
 */
import { inputError } from '../core/errors.ts';
import { type Matrix, type Matrix64, transpose, unitRows } from '../core/matrix.ts';
import { qr } from '../linalg/qr.ts';
import { checkAtoms, innerProducts } from './atoms.ts';

/** If the atoms are this close to orthonormal, the transpose serves as the inverse: the squared difference is below rounding. */
const ORTHONORMAL = 1e-10;

/**
 * Learned atoms in the coordinates of the true ones, atoms as rows: K×M for K×n learned and M ≤ n true atoms, all taken as
 * unit vectors. It is a signed permutation where all atoms are recovered; for an orthogonal dictionary it is A Dᵀ.
 *
 * @example
 * ```js
 * import { fromRows, metrics } from 'orthodict';
 *
 * const truth = fromRows([[1, 0], [0.6, 0.8]]);
 * const { data } = metrics.atomCoordinates(fromRows([[3, 4], [-1, 0]]), truth);
 * console.log(...data.map((c) => Math.round(Math.abs(c)))); // 0 1 1 0
 * ```
 */
export function atomCoordinates(learned: Matrix, truth: Matrix): Matrix64 {
  checkAtoms('atomCoordinates', learned, truth);
  return coordinates('atomCoordinates', unitRows(learned), unitRows(truth));
}

/** K×M coordinates of K×n atoms in M ≤ n linearly independent unit atoms. */
export function coordinates(who: string, atoms: Matrix64, truth: Matrix64): Matrix64 {
  return isOrthonormal(truth) ? innerProducts(atoms, truth) : leastSquares(who, atoms, truth);
}

function isOrthonormal(atoms: Matrix64): boolean {
  if (atoms.rows > atoms.cols) return false;
  const gram = innerProducts(atoms, atoms);
  return gram.data.every((value, at) => Math.abs(value - (at % (atoms.rows + 1) === 0 ? 1 : 0)) <= ORTHONORMAL);
}

function leastSquares(who: string, atoms: Matrix64, truth: Matrix64): Matrix64 {
  const size = truth.rows;
  if (size > truth.cols) {
    throw inputError(who, 'truth', `at most ${truth.cols} atoms of length ${truth.cols}`, `${size} atoms`);
  }
  const { q, r } = qr(transpose(truth));
  const smallest = Math.min(...diagonal(r));
  if (smallest <= size * Number.EPSILON) {
    throw inputError(who, 'truth', 'linearly independent atoms', `a distance of ${smallest} to the span of others`);
  }
  const solution = innerProducts(atoms, transpose(q));
  for (let i = 0; i < solution.rows; i++) backSubstitute(r, solution.data.subarray(i * size, (i + 1) * size));
  return solution;
}

function diagonal(matrix: Matrix64): number[] {
  return Array.from({ length: matrix.rows }, (_, k) => matrix.data[k * (matrix.cols + 1)]);
}

/** b ← R⁻¹ b. */
function backSubstitute(r: Matrix64, b: Float64Array): void {
  const n = r.rows;
  for (let k = n - 1; k >= 0; k--) {
    let sum = b[k];
    for (let l = k + 1; l < n; l++) sum -= r.data[k * n + l] * b[l];
    b[k] = sum / r.data[k * n + k];
  }
}
