/**
 * Where expectation maximisation starts: the estimate by moments (moments.ts), repaired if need be (repair.ts), and
 * samples that are far apart (far-samples.ts). Each climbs for a few steps on some of the samples, and the likeliest
 * is kept. Clusters that have shrunk to next to nothing count against a start, however likely it is.
 */
import { inputError } from '../../core/errors.ts';
import { type Matrix64, zeros } from '../../core/matrix.ts';
import { createRandom } from '../../core/random.ts';
import { inlineExecutor } from '../../engine/inline.ts';
import { memorySource } from '../../engine/memory.ts';
import { readAll } from '../../engine/read-all.ts';
import type { Run } from '../../engine/run.ts';
import { stopAfterIterations, stopWhenChangeBelow } from '../../engine/stop.ts';
import { cholesky } from '../../linalg/cholesky.ts';
import { expectationMaximisation, type MixtureData, mixtureAt } from './expectation-maximisation.ts';
import { describe } from './expectation-pass.ts';
import { covarianceOf, families } from './families.ts';
import { fromFarSamples } from './far-samples.ts';
import type { FramedData } from './frame.ts';
import type { MixtureSettings } from './options.ts';
import { repairMixture } from './repair.ts';
import { sampledRowsPass } from './sampled-rows.ts';
import { isotropic, type Mixture, meanVarianceOf } from './statistics.ts';

/** Starts are tried on about so many samples, and so many for each cluster. */
const SAMPLES = 5000;
const SAMPLES_PER_CLUSTER = 250;
/** Steps of every start. */
const STEPS = 10;
/** Steps of the kept one on some of the samples, before all of them count. */
const ROUGH = { steps: 100, tolerance: 1e-3 };

/** Samples to start with: X is in the frame of the data, which X's own data has as its coordinates. */
export interface Part {
  readonly X: Matrix64;
  readonly data: MixtureData;
  /** Whether these are all samples. */
  readonly whole: boolean;
}

export async function partOf(data: FramedData, clusters: number, { who }: Run): Promise<Part> {
  const { source, executor, signal, frame, floor } = data;
  const most = Math.max(SAMPLES, SAMPLES_PER_CLUSTER * clusters);
  const whole = source.rows <= most;
  const rows = whole
    ? await readAll(source, signal, who)
    : await executor.sum(sampledRowsPass, { share: most / source.rows }, source, signal);
  const described = zeros(rows.rows, rows.cols + 1);
  describe(rows, frame, 'common', described);
  const X = { ...rows, data: described.data.filter((_, at) => at % described.cols > 0) };
  const gram = executor.kernels.multiply(X, X, 'tn');
  return {
    X,
    whole,
    data: {
      source: memorySource(X),
      executor: inlineExecutor(executor.kernels),
      signal,
      frame: { offset: new Float64Array(X.cols), inverse: new Float64Array(X.cols).fill(1) },
      scatter: { ...gram, data: gram.data.map((x) => x / X.rows) },
      floor,
    },
  };
}

/** The likeliest start, and what was repaired. */
export interface Start {
  readonly mixture: Mixture;
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
  const far = Array.from({ length: clusters > 1 ? starts : 1 }, () =>
    fromFarSamples(part.X, clusters, part.data.floor, random),
  );
  const [first] = far;
  if (!first)
    throw inputError(run.who, 'clusters', 'fewer, because so many different samples were not found', clusters);
  const repaired = doubt
    ? await repairMixture(part.X, part.data, byMoments ?? first, run)
    : { mixture: byMoments ?? first, repaired: 0 };
  const candidates = [repaired.mixture, ...(far as Mixture[])];
  let best: Climbed | undefined;
  for (const candidate of candidates) {
    const climbed = await climb(part, isotropic(candidate, meanVarianceOf(candidate), covariance), run);
    if (!best || isBetter(climbed, best)) best = climbed;
  }
  return { mixture: best!.mixture, ...said(repaired.repaired, doubt) };
}

function said(repaired: number, doubt: string | undefined): Pick<Start, 'repaired' | 'repair'> {
  if (doubt === undefined) return { repaired, repair: 'not needed' };
  const moved = repaired === 0 ? 'no cluster moved' : `${repaired} ${repaired === 1 ? 'cluster' : 'clusters'} moved`;
  return { repaired, repair: `${moved}: ${doubt}` };
}

interface Climbed {
  readonly mixture: Mixture;
  readonly logLikelihood: number;
  /** Clusters that have shrunk to next to nothing. */
  readonly shrunk: number;
}

const isBetter = (a: Climbed, b: Climbed): boolean =>
  a.shrunk < b.shrunk || (a.shrunk === b.shrunk && a.logLikelihood > b.logLikelihood);

async function climb({ data, X }: Part, start: Mixture, run: Run): Promise<Climbed> {
  const stop = [stopWhenChangeBelow(ROUGH.tolerance), stopAfterIterations(STEPS)];
  const { state } = await run.drive(expectationMaximisation(data, start, 'starts'), { stop, samplesPerStep: X.rows });
  const mixture = mixtureAt(state, start.covariance, data);
  return { mixture, logLikelihood: state.logLikelihood, shrunk: shrunkIn(mixture, X.rows, data.floor) };
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

/** The maximum near the start for some of the samples, roughly: all of them need fewer steps from there. */
export async function roughly({ data, X, whole }: Part, start: Mixture, run: Run): Promise<Mixture> {
  if (whole) return start;
  const stop = [stopWhenChangeBelow(ROUGH.tolerance), stopAfterIterations(ROUGH.steps)];
  const { state } = await run.drive(expectationMaximisation(data, start, 'starts'), { stop, samplesPerStep: X.rows });
  return mixtureAt(state, start.covariance, data);
}
