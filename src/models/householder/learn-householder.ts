/**
 * Learns V = H_1 … H_M, a product of Householder reflectors, from samples y = V x with sparse codes x of non-zero mean.
 *
 * One pass computes the mean sample for Algorithms 1-3 (moments.ts), O(np + nM). Then, unless refine is none, the zeros
 * of the codes of at most a few hundred samples make V exact if they can (refine.ts). No n×n matrix is formed.
 */
import { breather } from '../../core/breathe.ts';
import { inputError } from '../../core/errors.ts';
import { hashNumbers } from '../../core/hash.ts';
import { fromRows, type Matrix, type Matrix64, type Precision, unitRows, zeros } from '../../core/matrix.ts';
import { createRandom, normalMatrix } from '../../core/random.ts';
import { requireScale } from '../../core/scale.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import { sourceOf } from '../../engine/source/memory.ts';
import type { Source } from '../../engine/source/source.ts';
import type { Status } from '../../engine/stop.ts';
import { requireFiniteSurvey } from '../../passes/survey.ts';
import {
  estimateThetaMu,
  type FirstMoments,
  firstMomentsPass,
  type MomentReflectors,
  meanSample,
  NO_REFLECTOR,
  reflectorsFromMean,
} from './moments.ts';
import type { HouseholderOptions } from './option-types.ts';
import { type HouseholderSettings, householderOptions, requireFit } from './options.ts';
import type { RestOfSamples } from './rank-one-posterior.ts';
import { type RefineOutcome, refineReflectors } from './refine.ts';

/** Reflectors, and how they were learned. */
export interface HouseholderResult {
  /** Unit rows u of the identified reflectors (of all, with a given start): V = H_1 … H_M. */
  readonly reflectors: Matrix64;
  /** How many reflectors the data determines. */
  readonly identified: number;
  /** Why no more were identified. */
  readonly reason: string;
  /** θμ as given or estimated; undefined if the mean of the codes cannot be distinguished from zero. */
  readonly thetaMu: number | undefined;
  readonly refined: boolean;
  /** Whether the zeros of the codes are zero up to rounding: then V is exact. */
  readonly exact: boolean;
  /** What the refinement did, or why it did nothing. */
  readonly refinement: string;
  readonly status: Status;
  /** Iterations of the refinement. */
  readonly iterations: number;
  readonly passes: number;
  readonly samples: number;
  readonly features: number;
  /** Precision of the samples, and of the model in a file. */
  readonly precision: Precision;
  readonly seconds: number;
}

/**
 * The refinement starts with `first` samples plus some per reflector; it uses at most `samples` samples (`single` for
 * one reflector, where the mean of the others counts too) and `numbers` numbers.
 */
const REFINING = { first: 48, perReflector: 4, samples: 512, single: 128, numbers: 1 << 24 };

/**
 * Learns V = H_1 … H_M, a product of Householder reflectors, from samples y = V x with sparse codes x of non-zero
 * mean.
 *
 * @example
 * ```js
 * import { generateHouseholder, learnHouseholder, metrics } from 'orthodict';
 *
 * const data = generateHouseholder({ samples: 5000, features: 50, theta: 0.3, reflectors: 2, seed: 1 });
 * const { reflectors } = await learnHouseholder(data.samples, { reflectors: 2 });
 * console.log(metrics.productDistance(reflectors, data.reflectors)); // below 1e-6
 * ```
 */
export async function learnHouseholder(
  samples: Matrix | Source,
  options: HouseholderOptions = {},
  run: RunOptions = {},
): Promise<HouseholderResult> {
  const settings = householderOptions.settle('learnHouseholder', options);
  const source = sourceOf('learnHouseholder', samples);
  return learnReflectors(source, settings, await Run.start('learnHouseholder', run));
}

/** `learnHouseholder` inside a run, also for `learn`. It has no loops, so a resumed run repeats it. */
export async function learnReflectors(
  source: Source,
  settings: HouseholderSettings,
  run: Run,
): Promise<HouseholderResult> {
  const { who } = run;
  requireFit(who, settings, source);
  run.begin('mean of the samples');
  const moments = requireUsable(who, source, await run.executor.sum(firstMomentsPass, null, source, run.signal));
  run.visited.samples += source.rows;
  const { start, ...options } = settings;
  await run.open({ data: `${source.rows}x${source.cols}-${hashNumbers([moments.sum])}`, options });

  const estimate = estimateFromMoments(moments, settings, source.cols);
  if (settings.refine !== 'none') run.begin('zeros of the codes');
  const refinement =
    settings.refine === 'none'
      ? unrefined(estimate.reflectors, 'not asked for')
      : await refine(source, moments, estimate, settings, run);
  if (!refinement.refined && !refinement.aborted && estimate.lacking !== undefined) {
    throw inputError(who, 'samples', estimate.lacking, `${estimate.reason}; use method msp`);
  }
  if (refinement.aborted) await run.save();
  const { refined, exact, reflectors } = refinement;
  return {
    reflectors,
    identified: refined ? reflectors.rows : estimate.identified,
    reason: refined ? refinement.note : estimate.reason,
    thetaMu: estimate.thetaMu,
    refined,
    exact,
    refinement: refinement.note,
    status: refinement.aborted ? 'aborted' : 'converged',
    iterations: refinement.iterations,
    passes: 1,
    samples: source.rows,
    features: source.cols,
    precision: source.precision,
    seconds: run.seconds,
  };
}

function requireUsable(who: string, source: Source, moments: FirstMoments): FirstMoments {
  const { largest } = moments;
  requireFiniteSurvey(who, moments, source);
  if (largest === 0) throw inputError(who, 'samples', 'different from zero somewhere', 'only zeros');
  requireScale(who, 'samples', largest);
  return moments;
}

interface Estimate {
  readonly reflectors: Matrix64;
  readonly identified: number;
  readonly reason: string;
  readonly thetaMu: number | undefined;
  /** If nothing is known about the reflectors: what the samples would have to be. */
  readonly lacking?: string;
}

function estimateFromMoments(moments: FirstMoments, settings: HouseholderSettings, n: number): Estimate {
  const { largest, samples, energy } = moments;
  const { reflectors: steps, theta, mean } = settings;
  const sample = meanSample(
    moments.sum.map((value) => value / largest),
    energy,
    samples,
  );
  const relative = theta === undefined ? estimateThetaMu(sample) : (theta * mean!) / largest;
  const start = startingReflectors(settings, n);
  if (relative === undefined) {
    const reason = 'a mean that codes with zero mean could also have';
    const lacking = 'of codes with non-zero mean, or with zeros clear enough to refine with';
    return { reflectors: start ?? zeros(0, n), identified: 0, reason, lacking, thetaMu: undefined };
  }
  const found = reflectorsFromMean(sample, relative, steps, start);
  const { identified } = found;
  return { reflectors: unitReflectors(found, n), identified, ...judge(found, start), thetaMu: relative * largest };
}

/** Rejects an empty result, unless the given reflectors already explain the mean. */
function judge({ identified, reason }: MomentReflectors, start?: Matrix64): Pick<Estimate, 'reason' | 'lacking'> {
  if (identified > 0) return { reason };
  if (start && reason !== NO_REFLECTOR) return { reason: 'the start explains the mean of the samples up to noise' };
  if (start) {
    const lacking =
      'of a dictionary that the start and one more reflector explain, or with zeros clear enough to refine with';
    return { reason, lacking };
  }
  return {
    reason: 'a mean sample that is constant up to noise',
    lacking: 'of a dictionary that moves the vector of ones, or with zeros clear enough to refine with',
  };
}

/** The reflectors that were found, as unit rows. */
function unitReflectors({ reflectors }: MomentReflectors, n: number): Matrix64 {
  const found = reflectors.filter((u) => u !== undefined);
  return found.length === 0 ? zeros(0, n) : unitRows(fromRows(found));
}

function startingReflectors({ start, reflectors, seed }: HouseholderSettings, n: number): Matrix64 | undefined {
  if (start === 'identity') return undefined;
  return unitRows(start === 'random' ? normalMatrix(reflectors, n, createRandom(seed, 'start reflectors')) : start);
}

interface Refinement extends RefineOutcome {
  readonly aborted: boolean;
}

function unrefined(reflectors: Matrix64, note: string, aborted = false): Refinement {
  return { reflectors, refined: false, exact: false, iterations: 0, note, aborted };
}

/** Refines in units of the largest number, so that squares neither overflow nor underflow. */
async function refine(
  source: Source,
  { largest, sum }: FirstMoments,
  { reflectors: estimate, thetaMu }: Estimate,
  { reflectors }: HouseholderSettings,
  { kernels, signal }: Run,
): Promise<Refinement> {
  const breathe = breather(signal);
  const pause = async () => {
    await breathe();
    signal?.throwIfAborted();
  };
  const room = Math.max(Math.floor(REFINING.numbers / source.cols), 2);
  const most = Math.min(source.rows, reflectors === 1 ? REFINING.single : REFINING.samples, room);
  const first = Math.min(most, REFINING.first + REFINING.perReflector * reflectors);
  const attempt = async (count: number) => {
    const samples = await readSpread(source, count, signal);
    for (let at = 0; at < samples.data.length; at++) samples.data[at] /= largest;
    const rest = restOf(
      sum.map((value) => value / largest),
      source.rows,
      samples,
    );
    const exactOnly = count < most;
    const input = { samples, estimate, thetaMu: thetaMu && thetaMu / largest, reflectors, rest, exactOnly };
    return refineReflectors(input, kernels, pause);
  };
  try {
    const few = await attempt(first);
    const enough = few.exact || first === most;
    return { ...(enough ? few : await attempt(most)), aborted: false };
  } catch (error) {
    if (!signal?.aborted) throw error;
    return unrefined(estimate, 'aborted', true);
  }
}

/** The mean of the samples that were not picked. */
function restOf(sum: Float64Array, samples: number, picked: Matrix64): RestOfSamples | undefined {
  const count = samples - picked.rows;
  if (count === 0) return undefined;
  const mean = sum.slice();
  for (let at = 0; at < picked.data.length; at++) mean[at % picked.cols] -= picked.data[at];
  return { mean: mean.map((value) => value / count), count };
}

/** Samples from all over the source, at equal distances, in float64. */
async function readSpread(source: Source, count: number, signal?: AbortSignal): Promise<Matrix64> {
  const { rows, cols } = source;
  const picked = zeros(count, cols);
  for (let k = 0; k < count; k++) {
    signal?.throwIfAborted();
    const at = Math.floor((k * rows) / count);
    picked.data.set((await source.read(at, at + 1)).data, k * cols);
  }
  return picked;
}
