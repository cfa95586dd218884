/**
 * Turns a source into a problem for a solver: checks the numbers, finds their scale, chooses coordinates. Usually one
 * pass; fewer samples than features are read into memory.
 */
import { breather } from '../core/breathe.ts';
import { inputError } from '../core/errors.ts';
import { hashNumbers } from '../core/hash.ts';
import { type Matrix64, scaleRows, trace } from '../core/matrix.ts';
import { requireScale, scaleWords } from '../core/scale.ts';
import type { Run } from '../engine/run.ts';
import { readAll } from '../engine/source/memory.ts';
import type { Source } from '../engine/source/source.ts';
import type { Conditioning, Kernels } from '../kernels/kernels.ts';
import { conditioned } from '../passes/conditioned.ts';
import { type SecondMoments, secondMomentsPass } from '../passes/second-moments.ts';
import { type Survey, surveyFinite } from '../passes/survey.ts';
import type { CommonSettings } from './common-options.ts';
import { Problem } from './problem.ts';
import { type Remark, remarksOnRank, remarksOnSpread } from './remarks.ts';
import { chooseCoordinates, narrowCoordinates, requireEnough } from './whitening.ts';

export interface Prepared {
  readonly problem: Problem;
  /** Identifies the data: a hash of its shape and moments. */
  readonly fingerprint: string;
  readonly remarks: readonly Remark[];
}

type Wanted = Pick<CommonSettings, 'center' | 'whiten' | 'components'> & {
  /** Keep the atoms in the samples' own coordinates: W = I. */
  readonly raw: boolean;
};

export async function prepare(source: Source, run: Run, wanted: Wanted): Promise<Prepared> {
  const { center, whiten, components, raw } = wanted;
  const { executor, signal, kernels, who } = run;
  requireEnough(who, source, wanted);
  const narrow = !raw && source.rows < source.cols;
  const survey = await surveyFinite(who, source, executor, { moments: !center && !narrow, signal });
  if (survey.largest === 0) throw inputError(who, 'samples', 'different from zero somewhere', 'only zeros');
  requireScale(who, 'samples', survey.largest);
  const { rough, moments, rows, passes } = await momentsOf(source, run, survey, center, narrow);
  const { offset } = rough;
  const rms = Math.sqrt(trace(moments.gram) / (source.rows * source.cols));
  const conditioning = settleConditioning(who, survey, rough, rms);
  const gram = scaled(moments.gram, 1 / rms ** 2);
  const pause = breather(signal);
  const coordinates = rows
    ? await narrowCoordinates(
        who,
        { Y: scaled(rows, 1 / rms), outer: gram, whiten, components: components! },
        kernels,
        pause,
      )
    : await chooseCoordinates(who, { gram, samples: source.rows, whiten, components, raw }, kernels, pause);
  const nonZeroSamples = source.rows - (offset ? 0 : survey.zeroSamples);
  const meanNorm = moments.normSum / rms / nonZeroSamples;
  run.visited.samples += source.rows * passes;
  const problem = new Problem(
    {
      source,
      executor,
      conditioning,
      coordinates,
      // an error of the offset adds as much to the codes of a small sample: it must not count for more there
      sizes: offset ? { meanNorm, leastNorm: meanNorm } : { meanNorm },
      largest: (offset ? 2 : 1) * survey.largest * conditioning.scale,
      nonZeroSamples,
      allSamples: source.rows,
      unit: whiten === 'none' ? conditioning.scale : 1,
      signal,
    },
    run.visited,
  );
  const isPlain = whiten === 'none';
  const remarks = [
    ...(isPlain ? remarksOnSpread(deviations(rows ?? moments.gram, survey, rough, !rows), source.names) : []),
    ...(components === undefined && !raw ? remarksOnRank(coordinates.size, source.cols, isPlain) : []),
  ];
  return { problem, fingerprint: fingerprint(source, survey, moments.gram), remarks };
}

/** Computes second moments after a rough conditioning; from the survey if it has them. `rows`: narrow data in memory. */
async function momentsOf(source: Source, run: Run, survey: Survey, center: boolean, narrow: boolean) {
  const { executor, signal, kernels, who } = run;
  const offset = center ? survey.sum.map((sum) => sum / survey.samples) : undefined;
  if (survey.moments && squaresAreSafe(survey.largest)) {
    return { rough: { offset, scale: 1 }, moments: survey.moments, rows: undefined, passes: 1 };
  }
  const rough: Conditioning = { offset, scale: 1 / survey.largest };
  const rows = narrow ? conditioned(await readAll(source, signal, who), rough) : undefined;
  const moments = rows
    ? narrowMoments(rows, kernels)
    : await executor.sum(secondMomentsPass, { conditioning: rough }, source, signal);
  return { rough, moments, rows, passes: 2 };
}

/** Scales the samples to a root mean square of 1. `rms`: theirs after the rough conditioning. */
function settleConditioning(who: string, { largest }: Survey, { offset, scale: rough }: Conditioning, rms: number) {
  if (offset && !(rms / rough > EQUAL * largest)) {
    throw inputError(who, 'samples', 'different from each other when center is on', 'equal samples');
  }
  const scale = rough / rms;
  if (Number.isFinite(scale)) return { offset, scale };
  throw inputError(who, 'samples', scaleWords(), `deviations of ${rms / rough} from their mean`);
}

/** Returns the standard deviation of every column after the rough conditioning, from Yᵀ Y or from narrow data Y itself. */
function deviations(matrix: Matrix64, survey: Survey, { offset, scale }: Conditioning, isGram: boolean): Float64Array {
  const { rows, cols, data } = matrix;
  return survey.sum.map((sum, k) => {
    let square = isGram ? data[k * cols + k] : 0;
    if (!isGram) for (let j = 0; j < rows; j++) square += data[j * cols + k] ** 2;
    const mean = offset ? 0 : (scale * sum) / survey.samples;
    const variance = square / survey.samples - mean ** 2;
    return variance > ROUNDING * mean ** 2 ? Math.sqrt(variance) : 0;
  });
}

/** Computes Y Yᵀ in place of Yᵀ Y: the same trace and eigenvalues. */
function narrowMoments(Y: Matrix64, kernels: Kernels): SecondMoments {
  const gram = kernels.multiply(Y, Y, 'nt');
  let normSum = 0;
  for (let j = 0; j < Y.rows; j++) normSum += Math.sqrt(gram.data[j * Y.rows + j]);
  return { gram, normSum };
}

const scaled = (matrix: Matrix64, factor: number): Matrix64 =>
  scaleRows(matrix, new Float64Array(matrix.rows).fill(factor));

/** A variance below this share of the squared mean is rounding. */
const ROUNDING = 1e-12;
/** Deviations from the mean below this share of the largest number are rounding. */
const EQUAL = 1e-13;

/** Whether sums of squares of numbers up to `largest` neither overflow nor lose their digits. */
function squaresAreSafe(largest: number): boolean {
  return largest > 1e-100 && largest < 1e100;
}

function fingerprint(source: Source, survey: Survey, gram: Matrix64): string {
  return `${source.rows}x${source.cols}-${hashNumbers([survey.sum, gram.data])}`;
}
