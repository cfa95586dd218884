/**
 * One score for the loadings of every method: the share of the variance that they explain, adjusted for correlated
 * scores (Zou, Hastie & Tibshirani 2006: the squared diagonal of R in the QR of the scores), on all samples.
 */
import type { Matrix, Matrix64 } from 'orthodict';
import { describeLoadings, type Moments, memorySource, Run, row, rowRange, sampleMoments } from 'orthodict/extend';
import { spanOf } from './span.ts';

export interface Judge extends Moments {
  /** Adjusted variance of unit loadings, as a share of the total. */
  explained(loadings: Matrix64): number;
  /** Variance in the span of loadings, as a share of the total. */
  spanned(loadings: Matrix64): number;
  /** Share of the leading principal components, dense: no m directions have more. */
  readonly principal: number;
  readonly run: Run;
}

/** The mean is subtracted. */
export async function judgeOf(samples: Matrix, components: number): Promise<Judge> {
  const run = await Run.start('reproduce', {});
  const moments = await sampleMoments(memorySource(samples), true, components, run);
  const { R, unit } = moments;
  return {
    ...moments,
    run,
    explained(loadings) {
      const described = describeLoadings(R, loadings, new Float64Array(loadings.rows), unit);
      return described.adjustedVariance.reduce((sum, v) => sum + v, 0) / described.totalVariance;
    },
    spanned: (loadings) => energy(run.kernels.multiply(spanOf(loadings), R, 'nt')) / energy(R),
    principal: energy(rowRange(R, 0, components)) / energy(R),
  };
}

const energy = ({ data }: Matrix64): number => data.reduce((sum, value) => sum + value * value, 0);

export const nonzerosOf = ({ data }: Matrix64): number => data.filter((value) => value !== 0).length;

/** Subtracts the mean row, in place. */
export function centre(samples: Matrix64): Matrix64 {
  const { rows, cols, data } = samples;
  const mean = new Float64Array(cols);
  for (let at = 0; at < data.length; at++) mean[at % cols] += data[at] / rows;
  for (let j = 0; j < rows; j++) {
    const values = row(samples, j);
    for (let k = 0; k < cols; k++) values[k] -= mean[k];
  }
  return samples;
}
