/**
 * Turns a source into a problem for a solver: checks the numbers, finds their scale, chooses coordinates. Usually one
 * pass.
 */
import { inputError } from '../core/errors.ts';
import { hashNumbers } from '../core/hash.ts';
import { type Matrix64, scaleRows, trace } from '../core/matrix.ts';
import { requireScale, scaleWords } from '../core/scale.ts';
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
  requireScale(who, 'samples', survey.largest);
  const offset = center ? survey.sum.map((sum) => sum / survey.samples) : undefined;
  const plain = survey.moments && squaresAreSafe(survey.largest) ? survey.moments : undefined;
  const rough: Conditioning = { offset, scale: plain ? 1 : 1 / survey.largest };
  const moments = plain ?? (await executor.sum(secondMomentsPass, { conditioning: rough }, source, signal));
  const rms = Math.sqrt(trace(moments.gram) / (source.rows * source.cols));
  if (offset && !(rms / rough.scale > EQUAL * survey.largest)) {
    throw inputError(who, 'samples', 'different from each other when center is on', 'equal samples');
  }
  const conditioning: Conditioning = { offset, scale: rough.scale / rms };
  if (!Number.isFinite(conditioning.scale)) {
    throw inputError(who, 'samples', scaleWords(), `deviations of ${rms / rough.scale} from their mean`);
  }
  const gram = scaleRows(moments.gram, new Float64Array(source.cols).fill(1 / rms ** 2));
  const coordinates = chooseCoordinates({ gram, samples: source.rows, whiten, components, raw }, kernels);
  const nonZeroSamples = source.rows - (offset ? 0 : survey.zeroSamples);
  run.effort.samples += source.rows * (plain ? 1 : 2);
  const problem = new Problem(
    {
      source,
      executor,
      conditioning,
      coordinates,
      largest: (offset ? 2 : 1) * survey.largest * conditioning.scale,
      meanNorm: moments.normSum / rms / nonZeroSamples,
      nonZeroSamples,
      allSamples: source.rows,
      unit: whiten === 'none' ? conditioning.scale : 1,
      signal,
    },
    run.effort,
  );
  return { problem, fingerprint: fingerprint(source, survey, moments.gram) };
}

/** Deviations from the mean below this share of the largest number are rounding. */
const EQUAL = 1e-13;

/** Whether sums of squares of numbers up to `largest` neither overflow nor lose their digits. */
function squaresAreSafe(largest: number): boolean {
  return largest > 1e-100 && largest < 1e100;
}

function fingerprint(source: Source, survey: Survey, gram: Matrix64): string {
  return `${source.rows}x${source.cols}-${hashNumbers([survey.sum, gram.data])}`;
}
