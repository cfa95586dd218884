/**
 * The sums that ICA with fitted scores needs: the correlation ψ(X)ᵀ Y, where ψ is a function for every atom that is given by its
 * values on a grid and linear between them, and how many codes of every atom lie in every interval of the grid.
 *
 * The grid covers codes of white data, which have variance 1, up to REACH. Codes beyond it count in the outermost intervals,
 * where ψ is constant: a few outliers cannot pull.
 */
import { firstRows, type Matrix64, rowRange, zeros } from '../../../core/matrix.ts';
import { accumulate } from '../../../engine/pass.ts';
import { definePass } from '../../../engine/registry.ts';
import type { Conditioning } from '../../../kernels/kernels.ts';
import { conditioned } from '../../../passes/conditioned.ts';

/** The grid goes from −REACH to REACH. */
export const REACH = 8;
/** Its intervals. */
export const INTERVALS = 512;
const PER_UNIT = INTERVALS / (2 * REACH);
/** Codes beyond the grid are taken for this place in the last interval. */
const LAST = INTERVALS - 0.5;
/** Samples that are worked on at once: few enough to stay in the cache. */
const BLOCK_ROWS = 512;
/** Points of the grid. */
export const GRID = Float64Array.from({ length: INTERVALS + 1 }, (_, b) => b / PER_UNIT - REACH);
/** Width of an interval. */
export const WIDTH = 1 / PER_UNIT;

export interface ScoreCorrelationParams {
  /** K×n. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  /** ψ on the grid, a row per atom; equal at both ends of an outermost interval. */
  readonly scores: Matrix64;
}

export interface ScoreCorrelation {
  /** Σ ψ(x) yᵀ, K×n. */
  readonly correlation: Matrix64;
  /** Codes in every interval, K×INTERVALS. */
  readonly counts: Float64Array;
}

export const scoreCorrelationPass = definePass<ScoreCorrelationParams, ScoreCorrelation>(import.meta.url, {
  name: 'score-correlation',
  effort: 3,
  contribute({ samples }, { atoms, conditioning, scores }, kernels) {
    const { rows, cols } = samples;
    const K = atoms.rows;
    const correlation = zeros(K, cols);
    const counts = new Float64Array(K * INTERVALS);
    const most = Math.min(rows, BLOCK_ROWS);
    const room = { Y: zeros(most, cols), X: zeros(most, K), C: zeros(K, cols) };
    for (let start = 0; start < rows; start += BLOCK_ROWS) {
      const block = rowRange(samples, start, Math.min(start + BLOCK_ROWS, rows));
      const Y = conditioned(block, conditioning, rowRange(room.Y, 0, block.rows));
      const X = kernels.multiply(Y, atoms, 'nt', rowRange(room.X, 0, block.rows));
      replaceByScores(X, scores.data, counts);
      accumulate(correlation.data, kernels.multiply(X, Y, 'tn', room.C).data);
    }
    return { correlation, counts };
  },
  add(total, part) {
    accumulate(total.correlation.data, part.correlation.data);
    accumulate(total.counts, part.counts);
    return total;
  },
  example(samples) {
    const atoms = firstRows(samples);
    const scores = { rows: atoms.rows, cols: INTERVALS + 1, data: zeros(atoms.rows, INTERVALS + 1).data };
    scores.data.forEach((_, at) => {
      scores.data[at] = Math.tanh(GRID[Math.min(Math.max(at % (INTERVALS + 1), 1), INTERVALS - 1)]);
    });
    return { params: { atoms, conditioning: { scale: 1 }, scores } };
  },
});

/** x ← ψ(x), counting codes in intervals. */
function replaceByScores({ cols, data }: Matrix64, scores: Float64Array, counts: Float64Array): void {
  for (let at = 0; at < data.length; at += cols) {
    for (let i = 0; i < cols; i++) {
      const place = Math.min(Math.max((data[at + i] + REACH) * PER_UNIT, 0), LAST);
      const interval = place | 0;
      const from = i * (INTERVALS + 1) + interval;
      counts[i * INTERVALS + interval]++;
      data[at + i] = scores[from] + (place - interval) * (scores[from + 1] - scores[from]);
    }
  }
}
