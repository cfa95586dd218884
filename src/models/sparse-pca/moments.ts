/**
 * Samples as few rows: R (r×n) with RᵀR = YᵀY/p, rows orthogonal and by descending norm (the principal components times their
 * standard deviations), r = max(rank, m). Rotating the samples among themselves changes nothing about their second moments, so
 * coordinates of U in the samples' space beyond these r are never needed.
 *
 *     n ≤ p:  YᵀY = Vᵀ Λ V,  R = (Λ/p)^½ V           n > p:  YYᵀ = Vᵀ Λ V,  R = V Y/√p
 *
 * Numbers are divided by `unit`, the largest one, so that squares neither overflow nor underflow.
 */
import { inputError } from '../../core/errors.ts';
import { type Matrix64, row, zeros } from '../../core/matrix.ts';
import { type Executor, sumOver } from '../../engine/executor.ts';
import type { Source } from '../../engine/source.ts';
import { chunkRanges } from '../../engine/source.ts';
import type { Conditioning } from '../../kernels/kernels.ts';
import { eigh } from '../../linalg/eigh.ts';
import { secondMomentsPass } from '../../passes/second-moments.ts';
import { surveyPass } from '../../passes/survey.ts';
import { WHO } from './options.ts';

export interface Moments {
  /** r×n, of the samples divided by `unit`. */
  readonly R: Matrix64;
  readonly unit: number;
  /** Subtracted from the samples; zeros where nothing was. */
  readonly mean: Float64Array;
  readonly samples: number;
}

/** Eigenvalues below this share of the largest are rounding of the products. */
const NEGLIGIBLE = 1e-14;

export async function sampleMoments(
  source: Source,
  center: boolean,
  leastRows: number,
  executor: Executor,
  signal?: AbortSignal,
): Promise<Moments> {
  const { sum, largest, offender } = await sumOver(executor, surveyPass, { moments: false }, source, signal);
  if (offender) {
    throw inputError(WHO, 'samples', 'finite', `${offender.value} at row ${offender.row}, column ${offender.column}`);
  }
  if (largest === 0) throw inputError(WHO, 'samples', 'different from zero somewhere', 'only zeros');
  const mean = center ? sum.map((value) => value / source.rows) : new Float64Array(source.cols);
  const conditioning = { offset: center ? mean : undefined, scale: 1 / largest };
  const tall = source.cols <= source.rows;
  const R = tall
    ? await rowsFromCovariance(source, conditioning, leastRows, executor, signal)
    : await rowsFromSamples(source, conditioning, leastRows, executor, signal);
  if (!R.data.some((value) => value !== 0)) {
    throw inputError(WHO, 'samples', 'different from each other when the mean is subtracted', 'equal samples');
  }
  return { R, unit: largest, mean, samples: source.rows };
}

async function rowsFromCovariance(
  source: Source,
  conditioning: Conditioning,
  leastRows: number,
  executor: Executor,
  signal?: AbortSignal,
): Promise<Matrix64> {
  const { gram } = await sumOver(executor, secondMomentsPass, { conditioning }, source, signal);
  const { values, vectors } = eigh(gram, executor.kernels);
  const R = zeros(Math.max(rankOf(values), leastRows), source.cols);
  for (let k = 0; k < Math.min(R.rows, values.length); k++) {
    const length = Math.sqrt(Math.max(values[k], 0) / source.rows);
    row(R, k).set(row(vectors, k).map((v) => v * length));
  }
  return R;
}

async function rowsFromSamples(
  source: Source,
  { offset, scale }: Conditioning,
  leastRows: number,
  executor: Executor,
  signal?: AbortSignal,
): Promise<Matrix64> {
  const { rows, cols } = source;
  const Y = zeros(rows, cols);
  for (const { start, end } of chunkRanges(rows, cols)) {
    signal?.throwIfAborted();
    Y.data.set((await source.read(start, end)).data, start * cols);
  }
  const factor = scale / Math.sqrt(rows);
  for (let at = 0; at < Y.data.length; at++) Y.data[at] = (Y.data[at] - (offset ? offset[at % cols] : 0)) * factor;
  const { values, vectors } = eigh(executor.kernels.multiply(Y, Y, 'nt'), executor.kernels);
  const rank = rankOf(values);
  const leading = { rows: rank, cols: rows, data: vectors.data.subarray(0, rank * rows) };
  const R = zeros(Math.max(rank, leastRows), cols);
  R.data.set(executor.kernels.multiply(leading, Y, 'nn').data);
  return R;
}

const rankOf = (values: Float64Array): number => values.filter((value) => value > NEGLIGIBLE * values[0]).length;
