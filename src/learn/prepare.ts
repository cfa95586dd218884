/** From a source to a problem a solver can work on: check the numbers, find their scale, choose coordinates. One pass as a rule. */
import { inputError } from '../core/errors.ts';
import { type Matrix64, scaleRows } from '../core/matrix.ts';
import { type Executor, sumOver } from '../engine/executor.ts';
import type { Source } from '../engine/source.ts';
import type { Conditioning } from '../kernels/kernels.ts';
import { secondMomentsPass } from '../passes/second-moments.ts';
import { type Survey, surveyPass } from '../passes/survey.ts';
import { chooseCoordinates } from './coordinates.ts';
import type { LearnSettings } from './options.ts';
import { Problem } from './problem.ts';

export interface Prepared {
  readonly problem: Problem;
  /** Tells other data from this, with all but certainty. */
  readonly fingerprint: string;
}

export async function prepare(
  source: Source,
  executor: Executor,
  settings: LearnSettings,
  signal?: AbortSignal,
): Promise<Prepared> {
  const survey = await requireFinite('learn', source, executor, signal, !settings.center);
  if (survey.largest === 0) throw inputError('learn', 'samples', 'different from zero somewhere', 'only zeros');
  const offset = settings.center ? survey.sum.map((sum) => sum / survey.samples) : undefined;
  const plain = survey.moments && squaresAreSafe(survey.largest) ? survey.moments : undefined;
  const rough: Conditioning = { offset, scale: plain ? 1 : 1 / survey.largest };
  const moments = plain ?? (await sumOver(executor, secondMomentsPass, { conditioning: rough }, source, signal));
  const rms = rootMeanSquare(moments.gram, source.rows);
  if (!(rms > 0)) throw inputError('learn', 'samples', 'different from each other when center is on', 'equal samples');

  const conditioning: Conditioning = { offset, scale: rough.scale / rms };
  const gram = scaleRows(moments.gram, new Float64Array(source.cols).fill(1 / rms ** 2));
  const { whiten, components } = settings;
  const coordinates = chooseCoordinates({ gram, samples: source.rows, whiten, components }, executor.kernels);
  const nonZeroSamples = source.rows - (offset ? 0 : survey.zeroSamples);
  const problem = new Problem({
    source,
    executor,
    conditioning,
    coordinates,
    meanNorm: moments.normSum / rms / nonZeroSamples,
    nonZeroSamples,
    unit: whiten === 'none' ? conditioning.scale : 1,
    signal,
  });
  problem.effort.samples = source.rows * (plain ? 1 : 2);
  return { problem, fingerprint: fingerprint(source, survey, moments.gram) };
}

/** Looks at every number once; one that is not finite is an error that tells where it is. */
export async function requireFinite(
  who: string,
  source: Source,
  executor: Executor,
  signal?: AbortSignal,
  moments = false,
): Promise<Survey> {
  const survey = await sumOver(executor, surveyPass, { moments }, source, signal);
  if (survey.offender) {
    const { row, column, value } = survey.offender;
    throw inputError(who, 'samples', 'finite', `${value} at row ${row}, column ${column}`);
  }
  return survey;
}

/** Whether sums of squares of numbers up to `largest` neither overflow nor lose their digits. */
function squaresAreSafe(largest: number): boolean {
  return largest > 1e-100 && largest < 1e100;
}

function rootMeanSquare(gram: Matrix64, samples: number): number {
  let trace = 0;
  for (let i = 0; i < gram.rows; i++) trace += gram.data[i * gram.rows + i];
  return Math.sqrt(trace / (samples * gram.rows));
}

/** Shape, and a hash of the first and second moments. */
function fingerprint(source: Source, survey: Survey, gram: Matrix64): string {
  return `${source.rows}x${source.cols}-${hashNumbers([survey.sum, gram.data])}`;
}

/** Two 32-bit FNV-1a hashes over the bytes. */
export function hashNumbers(arrays: readonly Float64Array[]): string {
  const hashes = [0x811c9dc5, 0x01234567].map((start) => {
    let h = start;
    for (const array of arrays) {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      for (let i = 0; i < bytes.length; i++) h = Math.imul(h ^ bytes[i], 0x01000193);
    }
    return (h >>> 0).toString(16).padStart(8, '0');
  });
  return hashes.join('');
}
