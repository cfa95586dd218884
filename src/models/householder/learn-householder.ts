/**
 * Learning V = H_1 … H_M, a product of Householder reflectors, from samples y = V x with sparse codes x of non-zero mean.
 *
 * One pass for the mean sample and Algorithms 1-3 (solvers/householder/moments.ts), O(np + nM); then, unless told otherwise, the
 * zeros of the codes of at most a few hundred samples make it exact where they can (solvers/householder/refine.ts). No n×n matrix.
 */
import { inputError } from '../../core/errors.ts';
import { type Matrix, type Matrix64, row, zeros } from '../../core/matrix.ts';
import { createRandom } from '../../core/random.ts';
import { type Executor, sumOver } from '../../engine/executor.ts';
import { inlineExecutor } from '../../engine/inline.ts';
import { memorySource } from '../../engine/memory.ts';
import type { Source } from '../../engine/source.ts';
import type { Status } from '../../engine/stop.ts';
import { selectKernels } from '../../kernels/select.ts';
import { type FirstMoments, firstMomentsPass } from './first-moments.ts';
import { estimateThetaMu, type MomentReflectors, meanSample, reflectorsFromMean, unit } from './moments.ts';
import { type HouseholderOptions, type HouseholderSettings, settleHouseholderOptions } from './options.ts';
import { type RefineOutcome, refineReflectors } from './refine.ts';

export interface HouseholderRun {
  /** Default: the calling thread with the fastest kernels there are. */
  readonly executor?: Executor | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told what it is about to do. */
  readonly say?: ((words: string) => void) | undefined;
}

export interface HouseholderResult {
  /** Unit rows u of the reflectors that carry information (with a given start: of all): V = H_1 … H_M. */
  readonly reflectors: Matrix64;
  /** How many reflectors the data told. */
  readonly identified: number;
  /** Why it ended there. */
  readonly reason: string;
  /** θμ as given or estimated; undefined where the codes have no mean to speak of. */
  readonly thetaMu: number | undefined;
  readonly refined: boolean;
  /** Whether the zeros of the codes became zeros to rounding: V is known exactly. */
  readonly exact: boolean;
  /** What the refinement did or why it did nothing. */
  readonly refinement: string;
  readonly status: Status;
  /** Of the refinement. */
  readonly iterations: number;
  readonly passes: number;
  readonly samples: number;
  readonly features: number;
  readonly seconds: number;
}

/** The refinement looks at so many samples first, plus some for every reflector; at so many, and so many numbers, at the most. */
const REFINING = { first: 48, perReflector: 4, samples: 512, numbers: 1 << 24 };
const BREATH_MILLISECONDS = 50;
const WHO = 'householder';

export async function learnHouseholder(
  samples: Matrix | Source,
  options: HouseholderOptions = {},
  run: HouseholderRun = {},
): Promise<HouseholderResult> {
  const started = performance.now();
  const source = 'data' in samples ? memorySource(samples) : samples;
  const settings = settleHouseholderOptions(options, source.rows, source.cols);
  const executor = run.executor ?? inlineExecutor(await selectKernels('auto'));
  run.say?.('mean of the samples …');
  const moments = requireUsable(await sumOver(executor, firstMomentsPass, null, source, run.signal));

  const estimate = estimateFromMoments(moments, settings, source.cols);
  if (settings.refine !== 'none') run.say?.('zeros of the codes …');
  const refinement =
    settings.refine === 'none'
      ? unrefined(estimate.reflectors, 'not asked for')
      : await refine(source, moments.largest, estimate, settings, executor, run.signal);
  if (!refinement.refined && !refinement.aborted && estimate.identified === 0) {
    throw inputError(WHO, 'samples', estimate.lacking!, `${estimate.reason}; use method msp`);
  }
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
    seconds: (performance.now() - started) / 1000,
  };
}

function requireUsable(moments: FirstMoments): FirstMoments {
  const { offender, largest, sum } = moments;
  if (offender) {
    throw inputError(WHO, 'samples', 'finite', `${offender.value} at row ${offender.row}, column ${offender.column}`);
  }
  if (largest === 0) throw inputError(WHO, 'samples', 'different from zero somewhere', 'only zeros');
  if (!sum.every(Number.isFinite)) throw inputError(WHO, 'samples', 'small enough for their sum to be finite', largest);
  return moments;
}

interface Estimate {
  readonly reflectors: Matrix64;
  readonly identified: number;
  readonly reason: string;
  readonly thetaMu: number | undefined;
  /** What samples would have to be, where nothing was identified. */
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
    const reason = 'a mean that cannot be told from that of codes with zero mean';
    const lacking = 'of codes whose mean is not zero, or with zeros clear enough to refine with';
    return { reflectors: start ?? zeros(0, n), identified: 0, reason, lacking, thetaMu: undefined };
  }
  const found = reflectorsFromMean(sample, relative, steps, start);
  const lacking = 'of a dictionary that moves the vector of ones, or with zeros clear enough to refine with';
  const reason = found.identified === 0 ? 'a mean sample that is constant but for chance' : found.reason;
  return { reflectors: unitRows(found, n), identified: found.identified, reason, lacking, thetaMu: relative * largest };
}

function unitRows({ reflectors }: MomentReflectors, n: number): Matrix64 {
  const found = reflectors.filter((u) => u !== undefined);
  const rows = zeros(found.length, n);
  found.forEach((u, k) => {
    rows.data.set(u, k * n);
  });
  return normalised(rows);
}

function startingReflectors({ start, reflectors, seed }: HouseholderSettings, n: number): Matrix64 | undefined {
  if (start === 'identity') return undefined;
  const rows = zeros(reflectors, n);
  if (start === 'random') {
    const random = createRandom(seed, 'start reflectors');
    for (let at = 0; at < rows.data.length; at++) rows.data[at] = random.normal();
  } else rows.data.set(start.data);
  return normalised(rows);
}

/** Rows divided by their norms, in place. */
function normalised(rows: Matrix64): Matrix64 {
  for (let k = 0; k < rows.rows; k++) row(rows, k).set(unit(row(rows, k)));
  return rows;
}

interface Refinement extends RefineOutcome {
  readonly aborted: boolean;
}

function unrefined(reflectors: Matrix64, note: string, aborted = false): Refinement {
  return { reflectors, refined: false, exact: false, iterations: 0, note, aborted };
}

/** In units of the largest number, so that squares neither overflow nor underflow. */
async function refine(
  source: Source,
  largest: number,
  { reflectors: estimate, thetaMu }: Estimate,
  { reflectors }: HouseholderSettings,
  executor: Executor,
  signal?: AbortSignal,
): Promise<Refinement> {
  const room = Math.max(Math.floor(REFINING.numbers / source.cols), 2);
  const most = Math.min(source.rows, REFINING.samples, room);
  const first = Math.min(most, REFINING.first + REFINING.perReflector * reflectors);
  const attempt = async (count: number) => {
    const samples = await readSpread(source, count, signal);
    for (let at = 0; at < samples.data.length; at++) samples.data[at] /= largest;
    const input = { samples, estimate, thetaMu: thetaMu && thetaMu / largest, reflectors };
    return refineReflectors(input, executor.kernels, breather(signal));
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

/** Lets the event loop breathe now and then, so that aborts get through. */
function breather(signal?: AbortSignal): () => Promise<void> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last > BREATH_MILLISECONDS) {
      await new Promise((resolve) => setTimeout(resolve));
      last = performance.now();
    }
    signal?.throwIfAborted();
  };
}
