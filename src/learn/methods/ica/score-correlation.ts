/**
 * The sums that ICA with fitted scores needs: the correlation ψ(X)ᵀ Y, where ψ is a function for every atom that is given by its
 * values on a grid and linear between them, and how many codes of every atom lie in every interval of the grid.
 *
 * The grid covers codes of white data, which have variance 1, up to REACH. Codes beyond it count in the outermost intervals,
 * where ψ is constant, so a few outliers have little effect.
 */
import { asFloat64, dot, firstRows, type Matrix64, row, rowRange, zeros } from '../../../core/matrix.ts';
import { accumulate, definePass } from '../../../engine/pass.ts';
import type { Conditioning } from '../../../kernels/kernels.ts';

/** End of the grid, which begins at −REACH. */
export const REACH = 8;
/** Number of intervals of the grid. */
export const INTERVALS = 512;
const PER_UNIT = INTERVALS / (2 * REACH);
/** Place in the last interval where codes beyond the grid count. */
const LAST = INTERVALS - 0.5;
/** Samples per block: few enough to stay in the cache. */
const BLOCK_ROWS = 1024;
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
  /** Number of codes in every interval, K×INTERVALS. */
  readonly counts: Float64Array;
}

export const scoreCorrelationPass = definePass<ScoreCorrelationParams, ScoreCorrelation>(import.meta.url, {
  name: 'score-correlation',
  effort: 2,
  contribute({ samples }, { atoms, conditioning, scores }, kernels) {
    const { rows, cols } = samples;
    const K = atoms.rows;
    const { scaled, shifts } = atomsOnRawSamples(atoms, conditioning);
    const correlation = zeros(K, cols);
    const counts = new Float64Array(K * INTERVALS);
    const sums = new Float64Array(K);
    const room = { X: new Float64Array(K * Math.min(rows, BLOCK_ROWS)), C: zeros(K, cols) };
    for (let start = 0; start < rows; start += BLOCK_ROWS) {
      const Y = asFloat64(rowRange(samples, start, Math.min(start + BLOCK_ROWS, rows)));
      const into = { rows: K, cols: Y.rows, data: room.X.subarray(0, K * Y.rows) };
      const X = kernels.multiply(scaled, Y, 'nt', into); // an atom's codes are neighbours
      for (let i = 0; i < K; i++) {
        const own = counts.subarray(i * INTERVALS, (i + 1) * INTERVALS);
        sums[i] += replaceByScores(row(X, i), shifts[i], row(scores, i), own);
      }
      accumulate(correlation.data, kernels.multiply(X, Y, 'nn', room.C).data);
    }
    return { correlation: conditionedCorrelation(correlation, sums, conditioning), counts };
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

/** Returns x = s A (y − m) = (s A) y − shift. The sums lose as many digits as the mean m has more than the spread of the samples. */
function atomsOnRawSamples(A: Matrix64, { offset, scale }: Conditioning) {
  const scaled = { ...A, data: A.data.map((a) => a * scale) };
  const shifts = Float64Array.from({ length: A.rows }, (_, i) => (offset ? dot(row(scaled, i), offset) : 0));
  return { scaled, shifts };
}

/** Returns Σ ψ(x) s (y − m)ᵀ from Σ ψ(x) yᵀ and Σ ψ(x). */
function conditionedCorrelation(C: Matrix64, sums: Float64Array, { offset, scale }: Conditioning): Matrix64 {
  for (let i = 0, at = 0; i < C.rows; i++) {
    for (let k = 0; k < C.cols; k++, at++) C.data[at] = scale * (C.data[at] - (offset ? sums[i] * offset[k] : 0));
  }
  return C;
}

/** Replaces x by ψ(x − shift) for the codes of one atom and counts them by interval; returns Σ ψ. */
function replaceByScores(codes: Float64Array, shift: number, scores: Float64Array, counts: Float64Array): number {
  const from = (REACH - shift) * PER_UNIT;
  let sum = 0;
  for (let j = 0; j < codes.length; j++) {
    let place = codes[j] * PER_UNIT + from;
    if (!(place > 0)) place = 0;
    else if (place > LAST) place = LAST;
    const interval = place | 0;
    const low = scores[interval];
    const score = low + (place - interval) * (scores[interval + 1] - low);
    counts[interval]++;
    sum += score;
    codes[j] = score;
  }
  return sum;
}
