/** Scores T = (Y − mean) Zᵀ of samples, chunk by chunk; costs only the non-zero loadings. */
import { demand } from '../../core/errors.ts';
import { type Matrix, type Matrix64, type Precision, precisionOf, row, toFloat32, zeros } from '../../core/matrix.ts';
import { requireMatrix, requireMatrixForm, requireNumbers } from '../../core/require-matrix.ts';
import { fitsFloat32 } from '../../core/scale.ts';
import { chunkRanges, type Source } from '../../engine/source/source.ts';
import { sparseVector } from './sparse-vector.ts';

/**
 * Scores T = (Y − mean) Zᵀ of samples, p×m, in the precision of the samples if that can hold them, at a cost of only
 * the non-zero loadings.
 *
 * @example
 * ```js
 * import { fromRows, scoresOf } from 'orthodict';
 *
 * const scores = scoresOf(fromRows([[3, 4, 9]]), Float64Array.of(0, 0, 9), fromRows([[0.6, 0.8, 0]]));
 * console.log(Math.round(scores.data[0])); // 5
 * ```
 */
export function scoresOf(samples: Matrix, mean: Float64Array, loadings: Matrix64): Matrix {
  const { cols } = requireMatrix('scoresOf', 'samples', samples);
  requireMatrixForm('scoresOf', 'loadings', loadings);
  requireNumbers('scoresOf', 'mean', mean);
  const features = loadings.cols;
  demand(cols === features, 'scoresOf', 'samples', `of ${features} features, like the loadings`, cols);
  demand(mean.length === features, 'scoresOf', 'mean', `${features} numbers, like the loadings`, mean.length);
  return inPrecisionOf(precisionOf(samples), project(samples, mean, loadings));
}

/** Converts scores to the precision of the samples, if that can hold them. */
export const inPrecisionOf = (precision: Precision, scores: Matrix64): Matrix =>
  precision === 'f32' && fitsFloat32(scores.data) ? toFloat32(scores) : scores;

function project(samples: Matrix, mean: Float64Array, loadings: Matrix64): Matrix64 {
  const { rows: m, cols: n } = loadings;
  const T = zeros(samples.rows, m);
  for (let i = 0; i < m; i++) {
    const { size, at, values } = sparseVector(row(loadings, i));
    for (let j = 0; j < samples.rows; j++) {
      let sum = 0;
      for (let l = 0; l < size; l++) sum += values[l] * (samples.data[j * n + at[l]] - mean[at[l]]);
      T.data[j * m + i] = sum;
    }
  }
  return T;
}

export async function* scoreChunks(
  source: Source,
  mean: Float64Array,
  loadings: Matrix64,
  signal?: AbortSignal,
): AsyncGenerator<Matrix64> {
  for (const { start, end } of chunkRanges(source.rows, source.cols)) {
    signal?.throwIfAborted();
    yield project(await source.read(start, end), mean, loadings);
  }
}
