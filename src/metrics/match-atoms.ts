/**
 * Matches learned atoms to true ones: the one-to-one assignment that maximises Σ |cos(a, d)|.
 *
 *     error of a pair = ‖a − s d‖,  a and d of unit norm, s = sign(a·d)
 *
 * computed as the norm of the difference itself: √(2 − 2|cos|) would lose every error below 1e-8.
 */
import { type Matrix, type Matrix64, row, transpose, unitRows } from '../core/matrix.ts';
import { assign } from '../linalg/assignment.ts';
import { checkAtoms, innerProducts } from './atoms.ts';

/** An atom counts as recovered above this |cosine| (an angle of 8.1°), the usual limit in dictionary learning. */
export const MATCHED_COSINE = 0.99;

/** A learned atom and the true atom that it matches. */
export interface AtomPair {
  /** Row among the learned atoms. */
  readonly learned: number;
  /** Row among the true atoms. */
  readonly truth: number;
  readonly sign: 1 | -1;
  /** |cosine| of the two atoms. */
  readonly cosine: number;
  /** ‖a − sign·d‖ of the unit atoms, 0 … √2. */
  readonly error: number;
}

/** The best one-to-one matching of two dictionaries, up to sign and order. */
export interface AtomMatch {
  /** A pair for each atom of the smaller dictionary, ordered by learned atom. */
  readonly pairs: readonly AtomPair[];
  /** The largest error of a pair. */
  readonly maxAtomError: number;
  /** Number of pairs with |cosine| > MATCHED_COSINE. */
  readonly matched: number;
}

/**
 * Matches learned atoms, K×n, to true ones, M×n, both as rows; the norms of the atoms do not matter.
 *
 * @example
 * ```js
 * import { fromRows, matchAtoms } from 'orthodict';
 *
 * const { pairs } = matchAtoms(fromRows([[0, -1], [1, 0]]), fromRows([[1, 0], [0, 1]]));
 * console.log(pairs.map(({ truth, sign }) => sign * (truth + 1)).join(' ')); // -2 1
 * ```
 */
export function matchAtoms(learned: Matrix, truth: Matrix): AtomMatch {
  checkAtoms('matchAtoms', learned, truth);
  const a = unitRows(learned);
  const d = unitRows(truth);
  const cosines = innerProducts(a, d);
  const pairs = assignedPairs(cosines).map(([i, k]): AtomPair => {
    const cosine = cosines.data[i * cosines.cols + k];
    const sign = cosine < 0 ? -1 : 1;
    return { learned: i, truth: k, sign, cosine: Math.abs(cosine), error: distance(row(a, i), row(d, k), sign) };
  });
  return {
    pairs,
    maxAtomError: pairs.reduce((max, { error }) => Math.max(max, error), 0),
    matched: pairs.filter(({ cosine }) => cosine > MATCHED_COSINE).length,
  };
}

/** Pairs of indices [learned, true], sorted by the learned one. */
function assignedPairs(cosines: Matrix64): [number, number][] {
  const cost = { ...cosines, data: cosines.data.map((cosine) => -Math.abs(cosine)) };
  if (cost.rows <= cost.cols) return Array.from(assign(cost), (k, i) => [i, k]);
  const learnedOf = Array.from(assign(transpose(cost)), (i, k): [number, number] => [i, k]);
  return learnedOf.sort(([i], [j]) => i - j);
}

function distance(a: Float64Array, d: Float64Array, sign: number): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += (a[j] - sign * d[j]) ** 2;
  return Math.sqrt(sum);
}
