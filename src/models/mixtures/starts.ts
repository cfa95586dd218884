/**
 * Where expectation maximisation starts: the estimate by moments (moments.ts), where the samples determine it, and samples
 * that are far apart (far-samples.ts). From each it climbs on some of the samples, and clusters move to where one is missing
 * (repair.ts). The likeliest is kept; no more are tried once another came as far. Clusters that have shrunk to next to nothing count
 * against a start, however likely it is.
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

/** Samples on which starts are tried: in all, and for each cluster. */
const SAMPLES = 5000;
const SAMPLES_PER_CLUSTER = 250;
/** Steps of every start, before its clusters are moved. */
const STEPS = 30;
/** Starts agree if their mean log-likelihoods differ by less. */
const AGREEMENT = 3e-4;
/** Fewest starts before they may end early; more where samples × features × clusters of all are at most this. */
const FEWEST = 2;
const CHEAP = 1 << 18;
/** Steps of the kept one on some of the samples, before all of them count. */
const ROUGH = { steps: 100, tolerance: 1e-3 };

/** Samples to start with. */
export interface Part {
  /** In the frame of the data. */
  readonly X: Matrix64;
  /** For mixtures of the kind of the run. */
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

/** More numbers than these are not kept as t(x). */
const MOST_NUMBERS = 1 << 24;

/** Samples in their frame, kept as t(x), in the calling thread: they are few. */
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

/** Where expectation maximisation began. */
export interface TriedStart {
  readonly from: 'moments' | 'samples';
  /** Mean of ln p(x) over the samples that it was tried on, where it was left. */
  readonly logLikelihood: number;
  /** Clusters that were moved to where one was missing. */
  readonly repaired: number;
}

/** The likeliest start, and all that were tried. */
export interface Start extends Climbed {
  readonly starts: readonly TriedStart[];
}

/** `byMoments`: the mixture that the moments determine, if they do. */
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
  throw inputError(who, 'clusters', 'no more than the samples that differ from each other', clusters);
}

/** Where a start has come to. */
export interface Climbed {
  readonly mixture: Mixture;
  readonly state: MaximisationState;
  /** Clusters that have shrunk to next to nothing. */
  readonly shrunk: number;
  readonly repaired: number;
  readonly from: TriedStart['from'];
}

const better = (one: Climbed, other: Climbed): boolean =>
  one.shrunk === other.shrunk ? one.state.logLikelihood > other.state.logLikelihood : one.shrunk < other.shrunk;

const bestOf = (climbed: readonly Climbed[]): Climbed =>
  climbed.reduce((best, one) => (better(one, best) ? one : best));

/** Whether another start came as far as the best one: more are not needed. */
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
 * The loop that comes last, over all samples. If the starts had all of them, it goes on where the kept one stands; else it starts
 * from the maximum for some of them, roughly, because it needs fewer steps from there.
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
