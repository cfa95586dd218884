/** How many non-zeros every component may have. */
import { type Matrix64, range, row } from '../../core/matrix.ts';
import type { Sparsity } from './options.ts';

/** Counts for the start, from the principal components, which are the first rows of R. */
export function firstCounts(R: Matrix64, { components, nonzeros, totalNonzeros }: Sparsity): Float64Array {
  if (totalNonzeros !== undefined) return sharedCounts({ ...R, rows: components }, totalNonzeros);
  return new Float64Array(components).fill(nonzeros ?? R.cols);
}

/** How many of the `total` largest magnitudes of P are in each of its rows; the largest of every row always counts. */
export function sharedCounts(P: Matrix64, total: number): Float64Array {
  const counts = new Float64Array(P.rows).fill(1);
  const sorted = range(P.rows).map((i) => row(P, i).map(Math.abs).sort().reverse());
  const rest = sorted.flatMap((sizes, i) => Array.from(sizes.subarray(1, total), (size) => ({ size, i })));
  rest.sort((a, b) => b.size - a.size || a.i - b.i);
  for (const { i } of rest.slice(0, total - P.rows)) counts[i]++;
  return counts;
}
