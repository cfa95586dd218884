/**
 * The starts of expectation maximisation: the estimate by moments (moments.ts), if the samples determine it, and samples
 * that are far apart (far-samples.ts). From each start it climbs on a subsample, and clusters move to where one is missing
 * (repair.ts). The likeliest is kept; no more starts are tried once another one reaches it. Collapsed clusters count against
 * a start, however likely it is.
 */
import { inputError } from '../../core/errors.ts';
import { type Matrix64, zeros } from '../../core/matrix.ts';
import { createRandom, type Random } from '../../core/random.ts';
import { inlineExecutor } from '../../engine/executor.ts';
import type { Run } from '../../engine/run.ts';
import type { Solver } from '../../engine/solver.ts';
import { type MemorySource, memorySource, readAll } from '../../engine/source/memory.ts';
import { stopAfterIterations, stopWhenChangeBelow } from '../../engine/stop.ts';
import { shrunkIn } from './doubt.ts';
import {
  expectationMaximisation,
  type MaximisationState,
  type MixtureData,
  mixtureAt,
} from './expectation-maximisation.ts';
import { describe, inFrame } from './expectation-pass.ts';
import type { Covariance } from './families.ts';
import { fromFarSamples } from './far-samples.ts';
import type { FramedData } from './frame.ts';
import type { MixtureSettings } from './options.ts';
import { repairMixture } from './repair.ts';
import { sampledRowsPass } from './sampled-rows.ts';
import { isotropic, type Mixture, meanVarianceOf, widthOf } from './statistics.ts';

/** Size of the subsample on which starts are tried: in all, and per cluster. */
const SAMPLES = 5000;
const SAMPLES_PER_CLUSTER = 250;
/** Number of steps of every start before its clusters are moved. */
const STEPS = 30;
/** Starts agree if their mean log-likelihoods differ by less than this. */
const AGREEMENT = 3e-4;
/** Fewest starts before they may end early; more where samples × features × clusters of all are at most this. */
const FEWEST = 2;
const CHEAP = 1 << 18;
/** Limits of the kept start on the subsample, before all samples count. */
const ROUGH = { steps: 100, tolerance: 1e-3 };

/** The subsample on which starts are tried. */
export interface Part {
  /** The samples in the frame of the data. */
  readonly X: Matrix64;
  /** The samples as data for mixtures of the kind of the run. */
  readonly data: MixtureData & { readonly source: MemorySource };
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
  return { X, whole, data: describedData(X, kind, data) };
}

/** Largest t(x) to keep in memory, in numbers. */
const MOST_NUMBERS = 1 << 24;

/** Samples in their frame, kept as t(x) and computed in the calling thread, because they are few. */
function describedData(X: Matrix64, kind: Covariance, { executor, signal, floor }: MixtureData): Part['data'] {
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

/** A start of expectation maximisation that was tried. */
export interface TriedStart {
  readonly from: 'moments' | 'samples';
  /** Mean of ln p(x) over the samples that it was tried on, at its end. */
  readonly logLikelihood: number;
  /** Number of clusters that were moved to where one was missing. */
  readonly repaired: number;
}

/** The likeliest start, and all that were tried. */
export interface Start extends Climbed {
  readonly starts: readonly TriedStart[];
}

/** Finds the likeliest start. `byMoments`: the mixture that the moments determine, if they do. */
export async function likeliestStart(
  part: Part,
  byMoments: Mixture | undefined,
  settings: MixtureSettings & { readonly clusters: number },
  run: Run,
): Promise<Start> {
  const { clusters, seed, covariance } = settings;
  const random = createRandom(seed, 'starts of a mixture');
  const { rows, cols } = part.X;
  const sure = clusters === 1 || (byMoments !== undefined && covariance === 'common');
  const fewest = sure ? 1 : Math.max(FEWEST, CHEAP / (rows * cols * clusters));
  const climbed: Climbed[] = [];
  const enough = () => climbed.length >= fewest && bestOf(climbed).shrunk === 0 && (sure || agree(climbed));
  while (climbed.length < settings.starts && !enough()) {
    const first = climbed.length === 0 ? byMoments : undefined;
    const start = first ?? farSamples(part, clusters, random, run);
    const from = first ? 'moments' : 'samples';
    climbed.push(await climb(part, isotropic(start, meanVarianceOf(start), covariance), from, run));
  }
  const starts = climbed.map(({ from, state, repaired }) => ({ from, logLikelihood: state.logLikelihood, repaired }));
  return { ...bestOf(climbed), starts };
}

function farSamples({ X, data }: Part, clusters: number, random: Random, { who }: Run): Mixture {
  const start = fromFarSamples(X, clusters, data.floor, random);
  if (start) return start;
  throw inputError(who, 'clusters', 'at most the number of distinct samples', clusters);
}

/** The state that a start has reached. */
export interface Climbed {
  readonly mixture: Mixture;
  readonly state: MaximisationState;
  /** Number of collapsed clusters. */
  readonly shrunk: number;
  readonly repaired: number;
  readonly from: TriedStart['from'];
}

const better = (one: Climbed, other: Climbed): boolean =>
  one.shrunk === other.shrunk ? one.state.logLikelihood > other.state.logLikelihood : one.shrunk < other.shrunk;

const bestOf = (climbed: readonly Climbed[]): Climbed =>
  climbed.reduce((best, one) => (better(one, best) ? one : best));

/** Whether another start reached the best one, so that no more are needed. */
function agree(climbed: readonly Climbed[]): boolean {
  const best = bestOf(climbed);
  return climbed.some((one) => one !== best && best.state.logLikelihood - one.state.logLikelihood < AGREEMENT);
}

async function climb(part: Part, start: Mixture, from: TriedStart['from'], run: Run): Promise<Climbed> {
  const { data, X } = part;
  const { covariance } = start;
  const stop = [stopWhenChangeBelow(ROUGH.tolerance), stopAfterIterations(STEPS)];
  const climbed = await run.drive(expectationMaximisation(data, start, 'starts'), { stop, samplesPerStep: X.rows });
  const { repaired, ...state } = await repairMixture(part, climbed.state, covariance, run);
  const mixture = mixtureAt(state, covariance, data);
  return { mixture, state, shrunk: shrunkIn(mixture, X.rows, data.floor), repaired, from };
}

/**
 * The last loop, over all samples. If the starts already used all samples, it continues from the kept one; otherwise it starts from
 * the approximate maximum on the subsample, because it needs fewer steps from there.
 */
export async function lastLoop(
  all: MixtureData,
  { data, X, whole }: Part,
  { mixture, state }: Pick<Climbed, 'mixture' | 'state'>,
  run: Run,
): Promise<Solver<MaximisationState>> {
  if (whole) return expectationMaximisation(data, mixture, undefined, state);
  const stop = [stopWhenChangeBelow(ROUGH.tolerance), stopAfterIterations(ROUGH.steps)];
  const loop = expectationMaximisation(data, mixture, 'starts', state);
  const rough = await run.drive(loop, { stop, samplesPerStep: X.rows });
  return expectationMaximisation(all, mixtureAt(rough.state, mixture.covariance, data));
}
