/**
 * Samples that are far apart, as means to start from (k-means++, Arthur & Vassilvitskii 2007): each is drawn with a
 * probability that grows with the square of its distance from those before, and is the best of a few draws.
 */
import { type Matrix64, selectRows } from '../../core/matrix.ts';
import type { Random } from '../../core/random.ts';
import { isotropic, type Mixture } from './statistics.ts';

/** A mixture of common variance whose means are far samples; undefined if there are fewer than k different samples. */
export function fromFarSamples(X: Matrix64, k: number, floor: number, random: Random): Mixture | undefined {
  const draws = 2 + Math.floor(Math.log(k));
  const chosen = [random.integer(X.rows)];
  let squares = squaresFrom(X, chosen[0]);
  while (chosen.length < k) {
    const total = squares.reduce((sum, square) => sum + square, 0);
    if (!(total > 0)) return undefined;
    let best: { at: number; squares: Float64Array; total: number } | undefined;
    for (let draw = 0; draw < draws; draw++) {
      const at = drawn(squares, random.uniform() * total);
      const next = squaresFrom(X, at, squares);
      const rest = next.reduce((sum, square) => sum + square, 0);
      if (!best || rest < best.total) best = { at, squares: next, total: rest };
    }
    chosen.push(best!.at);
    squares = best!.squares;
  }
  const variance = squares.reduce((sum, square) => sum + square, 0) / X.data.length;
  const weights = new Float64Array(k).fill(1 / k);
  return isotropic({ means: selectRows(X, chosen), weights }, Math.max(variance, floor), 'common');
}

/** Squared distances from a sample, or the smaller ones that were already known. */
function squaresFrom({ rows, cols, data }: Matrix64, from: number, known?: Float64Array): Float64Array {
  const out = new Float64Array(rows);
  const first = from * cols;
  for (let l = 0, at = 0; l < rows; l++) {
    let sum = 0;
    for (let c = first; c < first + cols; c++, at++) sum += (data[at] - data[c]) ** 2;
    out[l] = known && known[l] < sum ? known[l] : sum;
  }
  return out;
}

/** Index of the part at which the cumulative sum reaches `target`. */
function drawn(parts: Float64Array, target: number): number {
  let sum = 0;
  for (let at = 0; at < parts.length; at++) {
    sum += parts[at];
    if (sum > target) return at;
  }
  return parts.findLastIndex((part) => part > 0);
}
