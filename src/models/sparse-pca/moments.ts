/**
 * Samples as few rows: R (r×n) with RᵀR = YᵀY/p, rows orthogonal and by descending norm (the principal components times
 * their standard deviations), r = max(rank, m). Rotations of the samples do not change their second moments, so U needs
 * no coordinates beyond these r.
 *
 *     n ≤ p:  YᵀY = Vᵀ Λ V,  R = (Λ/p)^½ V           n > p:  YYᵀ = Vᵀ Λ V,  R = V Y/√p
 *
 * Numbers are divided by `unit`, the largest one, so that squares neither overflow nor underflow.
 */
import { inputError } from '../../core/errors.ts';
import { type Matrix64, row, zeros } from '../../core/matrix.ts';
import { requireScale } from '../../core/scale.ts';
import type { Run } from '../../engine/run.ts';
import { readAll } from '../../engine/source/memory.ts';
import type { Source } from '../../engine/source/source.ts';
import type { Conditioning, Kernels } from '../../kernels/kernels.ts';
import { eigh } from '../../linalg/eigh.ts';
import { secondMomentsPass } from '../../passes/second-moments.ts';
import { surveyFinite } from '../../passes/survey.ts';

/** R with RᵀR = the second moments of the samples, and their mean. */
export interface Moments {
  /** R of the samples divided by `unit`, r×n. */
  readonly R: Matrix64;
  readonly unit: number;
  /** Mean that was subtracted from the samples; zeros if none was. */
  readonly mean: Float64Array;
  readonly samples: number;
}

/** Eigenvalues below this share of the largest are rounding of the products. */
const NEGLIGIBLE = 1e-14;

/** The second moments of a source. */
export async function sampleMoments(source: Source, center: boolean, leastRows: number, run: Run): Promise<Moments> {
  const { who, executor, signal } = run;
  run.begin('moments');
  const { sum, largest } = await surveyFinite(who, source, executor, { signal });
  if (largest === 0) throw inputError(who, 'samples', 'different from zero somewhere', 'only zeros');
  requireScale(who, 'samples', largest, 2);
  const mean = center ? sum.map((value) => value / source.rows) : new Float64Array(source.cols);
  const conditioning = { offset: center ? mean : undefined, scale: 1 / largest };
  const tall = source.cols <= source.rows;
  const R = tall
    ? await rowsFromCovariance(source, conditioning, leastRows, run)
    : await rowsFromSamples(source, conditioning, leastRows, run);
  if (!R.data.some((value) => value !== 0)) {
    throw inputError(who, 'samples', 'different from each other when the mean is subtracted', 'equal samples');
  }
  return { R, unit: largest, mean, samples: source.rows };
}

async function rowsFromCovariance(
  source: Source,
  conditioning: Conditioning,
  leastRows: number,
  { executor, signal }: Run,
): Promise<Matrix64> {
  const { gram } = await executor.sum(secondMomentsPass, { conditioning }, source, signal);
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
  { who, kernels, signal }: Run,
): Promise<Matrix64> {
  const { rows, cols } = source;
  const { data } = await readAll(source, signal, who);
  const factor = scale / Math.sqrt(rows);
  const Y = { rows, cols, data: data.map((y, at) => (y - (offset ? offset[at % cols] : 0)) * factor) };
  return principalRows(Y, leastRows, kernels);
}

/** Orthogonal rows with the second moments YᵀY, by descending norm. */
export function principalRows(Y: Matrix64, leastRows: number, kernels: Kernels): Matrix64 {
  const { rows, cols } = Y;
  const { values, vectors } = eigh(kernels.multiply(Y, Y, 'nt'), kernels);
  const rank = rankOf(values);
  const leading = { rows: rank, cols: rows, data: vectors.data.subarray(0, rank * rows) };
  const R = zeros(Math.max(rank, leastRows), cols);
  R.data.set(kernels.multiply(leading, Y, 'nn').data);
  return R;
}

const rankOf = (values: Float64Array): number => values.filter((value) => value > NEGLIGIBLE * values[0]).length;
