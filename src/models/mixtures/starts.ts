/**
 * Where expectation maximisation starts: the estimate by moments (moments.ts), repaired if need be (repair.ts), and
 * samples that are far apart (far-samples.ts). Each climbs for a few steps on some of the samples, and the likeliest
 * is kept. Clusters that have shrunk to next to nothing count against a start, however likely it is.
 */
import { inputError } from '../../core/errors.ts';
import { type Matrix64, zeros } from '../../core/matrix.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { inlineExecutor } from '../../engine/inline.ts';
import { memorySource } from '../../engine/memory.ts';
import { readAll } from '../../engine/read-all.ts';
import type { Run } from '../../engine/run.ts';
import type { Solver } from '../../engine/solver.ts';
import { stopAfterIterations, stopWhenChangeBelow } from '../../engine/stop.ts';
import { cholesky } from '../../linalg/cholesky.ts';
import {
  expectationMaximisation,
  type MaximisationState,
  type MixtureData,
  mixtureAt,
} from './expectation-maximisation.ts';
import { describe, inFrame } from './expectation-pass.ts';
import { type Covariance, covarianceOf, families } from './families.ts';
import { fromFarSamples } from './far-samples.ts';
import type { FramedData } from './frame.ts';
import type { MixtureSettings } from './options.ts';
import { repairMixture } from './repair.ts';
import { sampledRowsPass } from './sampled-rows.ts';
import { isotropic, type Mixture, meanVarianceOf, widthOf } from './statistics.ts';

/** Starts are tried on about so many samples, and so many for each cluster. */
const SAMPLES = 5000;
const SAMPLES_PER_CLUSTER = 250;
/** Steps of every start. */
const STEPS = 10;
/** Starts agree if their mean log-likelihoods differ by less. */
const AGREEMENT = 1e-3;
/** Starts from far samples beside the moments: these, and more where all together are no more work than this. */
const FEWEST = 3;
const CHEAP = 1 << 20;
/** Steps of the kept one on some of the samples, before all of them count. */
const ROUGH = { steps: 100, tolerance: 1e-3 };

/** Samples to start with. */
export interface Part {
  /** In the frame of the data. */
  readonly X: Matrix64;
  /** For mixtures of the kind of the run, and for those of common variance. */
  readonly data: MixtureData;
  readonly common: MixtureData;
  /** Whether these are all samples. */
  readonly whole: boolean;
}

export async function partOf(data: FramedData, kind: Covariance, clusters: number, { who }: Run): Promise<Part> {
  const { source, executor, signal, frame } = data;
  const most = Math.max(SAMPLES, SAMPLES_PER_CLUSTER * clusters);
  const whole = source.rows <= most;
  const rows = whole
    ? await readAll(source, signal, who)
    : await executor.sum(sampledRowsPass, { share: most / source.rows }, source, signal);
  const X = inFrame(rows, frame);
  const common = describedData(X, 'common', data);
  return { X, whole, common, data: kind === 'common' ? common : describedData(X, kind, data) };
}

/** More numbers than these are not kept as t(x). */
const MOST_NUMBERS = 1 << 24;

/** Samples in their frame, kept as t(x), in the calling thread: they are few. */
function describedData(X: Matrix64, kind: Covariance, { executor, signal, floor }: MixtureData): MixtureData {
  const { kernels } = executor;
  const gram = kernels.multiply(X, X, 'tn');
  const frame = { offset: new Float64Array(X.cols), inverse: new Float64Array(X.cols).fill(1) };
  const width = widthOf(kind, X.cols);
  const described = width * X.rows <= MOST_NUMBERS ? kind : undefined;
  const T = described ? zeros(X.rows, width) : X;
  if (described) describe(X, frame, kind, T);
  return {
    source: memorySource(T),
    executor: inlineExecutor(kernels),
    signal,
    frame,
    described,
    scatter: { ...gram, data: gram.data.map((x) => x / X.rows) },
    floor,
  };
}

/** The likeliest start, and what was repaired. */
export interface Start extends Climbed {
  readonly repaired: number;
  readonly repair: string;
}

/** `byMoments`: if there is one; `doubt`: why it may be wrong. */
export async function likeliestStart(
  part: Part,
  byMoments: Mixture | undefined,
  doubt: string | undefined,
  settings: MixtureSettings & { readonly clusters: number },
  run: Run,
): Promise<Start> {
  const { clusters, seed, starts, covariance } = settings;
  const random = createRandom(seed, 'starts of a mixture');
  const sure = byMoments !== undefined && doubt === undefined && (covariance === 'common' || clusters === 1);
  const fewest = Math.max(FEWEST, CHEAP / (part.data.source.rows * part.data.source.cols * clusters));
  const most = Math.min(starts, byMoments ? fewest : starts);
  const climbed: Climbed[] = [];
  const climbFrom = async (candidate: Mixture) => {
    climbed.push(await climb(part, isotropic(candidate, meanVarianceOf(candidate), covariance), run));
  };
  if (byMoments) await climbFrom(byMoments);
  const settled = () => byMoments !== undefined && climbed.length * FEWEST >= fewest && agree(climbed);
  const enough = () => climbed.length > 0 && bestOf(climbed).shrunk === 0 && (sure || settled());
  for (let start = 0; start < most && !enough(); start++) {
    await climbFrom(farSamples(part, clusters, random, run));
  }
  const first = bestOf(climbed);
  if (doubt === undefined) return { ...first, repaired: 0, repair: 'not needed' };
  const { mixture: better, repaired } = await repairMixture(part.X, part.common, asCommon(first.mixture), run);
  if (repaired > 0) await climbFrom(better);
  const best = bestOf(climbed);
  return { ...best, ...said(best === first ? 0 : repaired, doubt) };
}

function farSamples({ X, data }: Part, clusters: number, random: Random, { who }: Run): Mixture {
  const start = fromFarSamples(X, clusters, data.floor, random);
  if (start) return start;
  throw inputError(who, 'clusters', 'fewer, because so many different samples were not found', clusters);
}

const asCommon = (mixture: Mixture): Mixture => isotropic(mixture, meanVarianceOf(mixture), 'common');

function said(repaired: number, doubt: string): Pick<Start, 'repaired' | 'repair'> {
  const moved = repaired === 0 ? 'no cluster moved' : `${repaired} ${repaired === 1 ? 'cluster' : 'clusters'} moved`;
  return { repaired, repair: `${moved}: ${doubt}` };
}

/** Where a start has come to. */
export interface Climbed {
  readonly mixture: Mixture;
  readonly state: MaximisationState;
  /** Clusters that have shrunk to next to nothing. */
  readonly shrunk: number;
}

const bestOf = (climbed: readonly Climbed[]): Climbed =>
  climbed.reduce((best, one) => {
    if (one.shrunk !== best.shrunk) return one.shrunk < best.shrunk ? one : best;
    return one.state.logLikelihood > best.state.logLikelihood ? one : best;
  });

/** Whether another start came as far as the best one: more are not needed. */
function agree(climbed: readonly Climbed[]): boolean {
  if (climbed.length < 2) return false;
  const best = bestOf(climbed);
  const behind = ({ state }: Climbed) => best.state.logLikelihood - state.logLikelihood;
  return climbed.some((one) => one !== best && Math.abs(behind(one)) < AGREEMENT);
}

async function climb({ data, X }: Part, start: Mixture, run: Run): Promise<Climbed> {
  const stop = [stopWhenChangeBelow(ROUGH.tolerance), stopAfterIterations(STEPS)];
  const { state } = await run.drive(expectationMaximisation(data, start, 'starts'), { stop, samplesPerStep: X.rows });
  const mixture = mixtureAt(state, start.covariance, data);
  return { mixture, state, shrunk: shrunkIn(mixture, X.rows, data.floor) };
}

/** Clusters with less than two samples, or with a variance at the floor. */
function shrunkIn({ means, weights, covariance, covariances }: Mixture, samples: number, floor: number): number {
  const family = families[covariance];
  const d = means.cols;
  return Array.from(weights).filter((w, i) => {
    if (w * samples < 2) return true;
    const { data } = covarianceOf(family, covariances, i, d);
    const isMatrix = family.height(d) > 1;
    if (!isMatrix) return data.some((variance) => variance <= 2 * floor);
    return !cholesky({ rows: d, cols: d, data: data.map((x, at) => (at % (d + 1) === 0 ? x - 2 * floor : x)) });
  }).length;
}

/**
 * The loop that comes last, over all samples. If the starts had all of them, it goes on where the kept one stands; else it starts
 * from the maximum for some of them, roughly, because it needs fewer steps from there.
 */
export async function lastLoop(
  all: MixtureData,
  { data, X, whole }: Part,
  { mixture, state }: Climbed,
  run: Run,
): Promise<Solver<MaximisationState>> {
  if (whole) return expectationMaximisation(data, mixture, undefined, state);
  const stop = [stopWhenChangeBelow(ROUGH.tolerance), stopAfterIterations(ROUGH.steps)];
  const loop = expectationMaximisation(data, mixture, 'starts', state);
  const rough = await run.drive(loop, { stop, samplesPerStep: X.rows });
  return expectationMaximisation(all, mixtureAt(rough.state, mixture.covariance, data));
}
