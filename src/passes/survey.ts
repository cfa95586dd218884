/**
 * The first pass over the data: whether every number is finite, the largest, the sum, and how many samples are zero. On
 * request, the same pass also computes the second moments of the unconditioned samples.
 */
import { inputError } from '../core/errors.ts';
import { firstNotFinite } from '../core/require-matrix.ts';
import type { Executor } from '../engine/executor.ts';
import { accumulate, type Chunk, definePass } from '../engine/pass.ts';
import type { Source } from '../engine/source/source.ts';
import { fileRow } from '../engine/source/views.ts';
import { type SecondMoments, secondMomentsPass } from './second-moments.ts';

/** What the first pass finds out about the samples. */
export interface Survey {
  readonly samples: number;
  readonly zeroSamples: number;
  readonly largest: number;
  /** Sum of all samples. */
  readonly sum: Float64Array;
  /** Moments of the unconditioned samples, on request; invalid if a sample is not finite, or squares overflow or underflow. */
  readonly moments?: SecondMoments;
  /** The first number that is not finite. */
  readonly offender?: { readonly row: number; readonly column: number; readonly value: number };
}

/** Finds whether all numbers are finite, the largest, and sums; on request, second moments. */
export const surveyPass = definePass<{ readonly moments: boolean }, Survey>(import.meta.url, {
  name: 'survey',
  contribute(chunk, { moments }, kernels) {
    const { samples } = chunk;
    const { finite, normSum, gram, ...seen } = kernels.survey(samples, { scale: 1 }, moments);
    const survey = { samples: samples.rows, ...seen, ...(gram && { moments: { gram, normSum } }) };
    return finite ? survey : { ...survey, largest: 0, zeroSamples: 0, offender: findOffender(chunk) };
  },
  add(total, part) {
    accumulate(total.sum, part.sum);
    const offender = total.offender ?? part.offender;
    const moments = total.moments && part.moments && secondMomentsPass.add(total.moments, part.moments);
    return {
      samples: total.samples + part.samples,
      zeroSamples: total.zeroSamples + part.zeroSamples,
      largest: Math.max(total.largest, part.largest),
      sum: total.sum,
      ...(moments && { moments }),
      ...(offender && { offender }),
    };
  },
  example: () => ({ params: { moments: true } }),
});

function findOffender({ samples, start }: Chunk): NonNullable<Survey['offender']> {
  const at = firstNotFinite(samples.data);
  return { row: start + Math.floor(at / samples.cols), column: at % samples.cols, value: samples.data[at] };
}

/** Visits every number once. If one is not finite, throws an error of `who` that says where it is. */
export async function surveyFinite(
  who: string,
  source: Source,
  executor: Executor,
  { moments = false, signal }: { readonly moments?: boolean; readonly signal?: AbortSignal | undefined } = {},
): Promise<Survey> {
  const survey = await executor.sum(surveyPass, { moments }, source, signal);
  requireFiniteSurvey(who, survey, source);
  return survey;
}

export function requireFiniteSurvey(who: string, { offender }: Survey, source: Source): void {
  if (!offender) return;
  const { value, row, column } = offender;
  throw inputError(who, 'samples', 'finite', `${value} at row ${fileRow(source, row)}, column ${column}`);
}
