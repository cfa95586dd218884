/**
 * Turns a source into a problem for a solver: checks the numbers, finds their scale, chooses coordinates. Usually one
 * pass.
 */
import { inputError } from '../core/errors.ts';
import { hashNumbers } from '../core/hash.ts';
import { type Matrix64, scaleRows, trace } from '../core/matrix.ts';
import type { Run } from '../engine/run.ts';
import type { Source } from '../engine/source.ts';
import type { Conditioning } from '../kernels/kernels.ts';
import { secondMomentsPass } from '../passes/second-moments.ts';
import { type Survey, surveyFinite } from '../passes/survey.ts';
import type { CommonSettings } from './common-options.ts';
import { chooseCoordinates } from './coordinates.ts';
import { Problem } from './problem.ts';

export interface Prepared {
  readonly problem: Problem;
  /** Identifies the data: a hash of its shape and moments. */
  readonly fingerprint: string;
}

type Wanted = Pick<CommonSettings, 'center' | 'whiten' | 'components'> & {
  /** Atoms are in the samples' own coordinates: W = I. */
  readonly raw: boolean;
};

export async function prepare(
  source: Source,
  run: Run,
  { center, whiten, components, raw }: Wanted,
): Promise<Prepared> {
  const { executor, signal, kernels, who } = run;
  const survey = await surveyFinite(who, source, executor, { moments: !center, signal });
  if (survey.largest === 0) throw inputError(who, 'samples', 'different from zero somewhere', 'only zeros');
  const offset = center ? survey.sum.map((sum) => sum / survey.samples) : undefined;
  const plain = survey.moments && squaresAreSafe(survey.largest) ? survey.moments : undefined;
  const rough: Conditioning = { offset, scale: plain ? 1 : 1 / survey.largest };
  const moments = plain ?? (await executor.sum(secondMomentsPass, { conditioning: rough }, source, signal));
  const rms = Math.sqrt(trace(moments.gram) / (source.rows * source.cols));
  if (!(rms > 0)) throw inputError(who, 'samples', 'different from each other when center is on', 'equal samples');

  const conditioning: Conditioning = { offset, scale: rough.scale / rms };
  const gram = scaleRows(moments.gram, new Float64Array(source.cols).fill(1 / rms ** 2));
  const coordinates = chooseCoordinates({ gram, samples: source.rows, whiten, components, raw }, kernels);
  const nonZeroSamples = source.rows - (offset ? 0 : survey.zeroSamples);
  const meanNorm = moments.normSum / rms / nonZeroSamples;
  run.effort.samples += source.rows * (plain ? 1 : 2);
  const problem = new Problem(
    {
      source,
      executor,
      conditioning,
      coordinates,
      // what an error of the offset adds to a code is as large in a small sample: it must not count for more there
      sizes: offset ? { meanNorm, leastNorm: meanNorm } : { meanNorm },
      nonZeroSamples,
      unit: whiten === 'none' ? conditioning.scale : 1,
      signal,
    },
    run.effort,
  );
  return { problem, fingerprint: fingerprint(source, survey, moments.gram) };
}

/** Whether sums of squares of numbers up to `largest` neither overflow nor lose their digits. */
function squaresAreSafe(largest: number): boolean {
  return largest > 1e-100 && largest < 1e100;
}

function fingerprint(source: Source, survey: Survey, gram: Matrix64): string {
  return `${source.rows}x${source.cols}-${hashNumbers([survey.sum, gram.data])}`;
}
