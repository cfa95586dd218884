/**
 * Matches found rows to true ones where length and sign matter: the one-to-one assignment of least total distance,
 * Σ|a − b| (l1, for distributions) or ‖a − b‖ (l2, for points).
 */
import { type Matrix, row, transpose, zeros } from '../core/matrix.ts';
import { assign } from '../linalg/assignment.ts';
import { checkAtoms } from './atoms.ts';

/** A row that was found and the true row that it matches. */
export interface RowPair {
  readonly found: number;
  readonly truth: number;
  readonly distance: number;
}

/** The best one-to-one matching of the rows of two matrices. */
export interface RowMatch {
  /** A pair for each row of the smaller matrix, ordered by found row. */
  readonly pairs: readonly RowPair[];
  readonly meanDistance: number;
  readonly maxDistance: number;
}

/** Matches found rows, K×n, to true ones, M×n. */
export function matchRows(found: Matrix, truth: Matrix, norm: 'l1' | 'l2'): RowMatch {
  checkAtoms('matchRows', found, truth);
  const cost = zeros(found.rows, truth.rows);
  for (let i = 0; i < found.rows; i++) {
    const a = row(found, i);
    for (let j = 0; j < truth.rows; j++) {
      const b = row(truth, j);
      let sum = 0;
      for (let c = 0; c < a.length; c++) sum += norm === 'l1' ? Math.abs(a[c] - b[c]) : (a[c] - b[c]) ** 2;
      cost.data[i * cost.cols + j] = norm === 'l1' ? sum : Math.sqrt(sum);
    }
  }
  const matched: [number, number][] =
    cost.rows <= cost.cols
      ? Array.from(assign(cost), (j, i) => [i, j])
      : Array.from(assign(transpose(cost)), (i, j): [number, number] => [i, j]).sort(([a], [b]) => a - b);
  const pairs = matched.map(([i, j]) => ({ found: i, truth: j, distance: cost.data[i * cost.cols + j] }));
  return {
    pairs,
    meanDistance: pairs.reduce((sum, { distance }) => sum + distance, 0) / pairs.length,
    maxDistance: pairs.reduce((most, { distance }) => Math.max(most, distance), 0),
  };
}
