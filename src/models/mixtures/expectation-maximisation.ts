/**
 * Expectation maximisation in the statistics of a mixture (statistics.ts): s ← F(s) is one pass over the samples, which
 * also gives the likelihood of the mixture of s. Steps are extrapolated (acceleration.ts). If that would point against
 * the plain step, as it does near a saddle, every other plain step is made longer, twice as long each time it helps. A step that makes the
 * samples less likely is taken back, and the plain step, which never does, comes in its place.
 */
import type { Matrix64 } from '../../core/matrix.ts';
import type { Executor } from '../../engine/executor.ts';
import type { Solver, SolverState } from '../../engine/solver.ts';
import type { Source } from '../../engine/source/source.ts';
import { finite, flag, matrix, number } from '../../engine/state-shape.ts';
import { DEPTH, extrapolate, type History, noHistory, weightedNorm, withStep } from './acceleration.ts';
import { expectationPass, type Frame } from './expectation-pass.ts';
import type { Covariance } from './families.ts';
import { type Bounds, type Mixture, meanVarianceOf, mixtureOf, naturalOf, statisticsOf } from './statistics.ts';

/** Samples, and the coordinates in which mixtures are fitted to them. */
export interface MixtureData extends Bounds {
  readonly source: Source;
  readonly executor: Executor;
  readonly frame: Frame;
  /** Whether the rows of the source are t(x) of this kind, not samples. */
  readonly described?: Covariance | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface MaximisationState extends SolverState {
  /** s, the last statistics whose likelihood was accepted. */
  readonly statistics: Matrix64;
  /** F(s) − s */
  readonly residual: Matrix64;
  /** The statistics of the next pass. */
  readonly next: Matrix64;
  /** Whether `next` is F(s), not extrapolated. */
  readonly plain: boolean;
  /** Length of steps away from a saddle, in plain steps. */
  readonly reach: number;
  readonly moves: Matrix64;
  readonly changes: Matrix64;
  /** Mean of ln p(x) over the samples, for the mixture of s. */
  readonly logLikelihood: number;
  /** How far the next step moves the clusters: the root mean square in units of their deviation. */
  readonly change: number;
}

/** A relative fall of the mean log-likelihood by at most this is rounding. */
const ROUNDING = 1e-13;
/** An extrapolated step may shrink a weight to this share of it. */
const LEAST_SHARE = 0.1;

/** The pass for a mixture: F(s), and the mean of ln p(x). */
export async function expect(data: MixtureData, mixture: Mixture): Promise<{ next: Matrix64; logLikelihood: number }> {
  const { source, executor, frame, described, scatter, signal } = data;
  const { eta, restOf } = naturalOf(mixture);
  const params = { ...frame, covariance: mixture.covariance, eta, described: described !== undefined };
  const { sums, logSum } = await executor.sum(expectationPass, params, source, signal);
  const next = { ...sums, data: sums.data.map((x) => x / source.rows) };
  return { next, logLikelihood: logSum / source.rows + restOf(scatter) };
}

/** The state before the first step. */
function before(start: Mixture): MaximisationState {
  const first = statisticsOf(start);
  const { length } = first.data;
  return {
    statistics: first,
    residual: { ...first, data: new Float64Array(length) },
    next: first,
    plain: true,
    reach: 1,
    ...noHistory(length),
    logLikelihood: Number.NEGATIVE_INFINITY,
    change: Number.POSITIVE_INFINITY,
  };
}

/** Expectation maximisation as a solver. `first`: the end of an earlier loop over the same data, to continue from. */
export function expectationMaximisation(
  data: MixtureData,
  start: Mixture,
  name = 'expectation maximisation',
  first = before(start),
): Solver<MaximisationState> {
  const { covariance } = start;
  const { rows: k, cols: width } = first.statistics;
  const length = k * width;
  return {
    name,
    shape: {
      statistics: matrix(k, width),
      residual: matrix(k, width),
      next: matrix(k, width),
      plain: flag,
      reach: finite(1),
      moves: matrix({ most: DEPTH }, length),
      changes: matrix({ most: DEPTH }, length),
      logLikelihood: number,
      change: number,
    },
    init: async () => first,
    async step(state) {
      const mixture = mixtureOf(state.next, covariance, data, data.executor.kernels);
      const { next: image, logLikelihood } = await expect(data, mixture);
      const fell = !(logLikelihood >= state.logLikelihood - ROUNDING * Math.abs(logLikelihood));
      return fell && !state.plain ? takenBack(state) : advanced(state, mixture, image, logLikelihood);
    },
    report: ({ logLikelihood, change }) => ({ objective: logLikelihood, change }),
  };
}

/** Replaces a rejected extrapolated step by the plain step. */
function takenBack(state: MaximisationState): MaximisationState {
  const { statistics, residual } = state;
  const data = statistics.data.map((x, at) => x + residual.data[at]);
  return {
    ...state,
    next: { ...statistics, data },
    plain: true,
    reach: Math.max(1, state.reach / 4),
    ...noHistory(data.length),
  };
}

function advanced(
  state: MaximisationState,
  mixture: Mixture,
  image: Matrix64,
  logLikelihood: number,
): MaximisationState {
  const statistics = state.next;
  const residual = { ...image, data: image.data.map((x, at) => x - statistics.data[at]) };
  const history = historyOf(state, residual);
  const { weights } = mixture;
  const safe = weights.map((w) => Math.max(w, Number.MIN_VALUE));
  const forward = ahead(extrapolate(residual, safe, history), residual.data, safe);
  const long = forward === undefined && state.plain && history.moves.rows > 1;
  const reach = forward ? 1 : long ? 2 * state.reach : state.reach;
  const step = allowed(forward ?? (long ? residual.data.map((x) => reach * x) : undefined), statistics, weights);
  const deviation = Math.sqrt(meanVarianceOf(mixture));
  const moved = Math.max(...[residual.data, ...(step ? [step] : [])].map((move) => weightedNorm(move, safe)));
  return {
    statistics,
    residual,
    next: step ? { ...statistics, data: statistics.data.map((x, at) => x + step[at]) } : image,
    plain: step === undefined,
    reach,
    ...history,
    logLikelihood,
    change: moved / deviation,
  };
}

function historyOf(state: MaximisationState, residual: Matrix64): History {
  const { moves, changes } = state;
  if (state.logLikelihood === Number.NEGATIVE_INFINITY) return { moves, changes };
  const move = state.next.data.map((x, at) => x - state.statistics.data[at]);
  const change = residual.data.map((x, at) => x - state.residual.data[at]);
  return withStep({ moves, changes }, move, change);
}

/** Returns the step if it points in the direction of the plain one. */
function ahead(step: Float64Array | undefined, plain: Float64Array, weights: Float64Array): Float64Array | undefined {
  const cols = plain.length / weights.length;
  const along = step?.reduce((sum, x, at) => sum + (x * plain[at]) / weights[Math.floor(at / cols)], 0);
  return along !== undefined && along > 0 ? step : undefined;
}

/** Returns the step if it lets no weight fall too far. */
function allowed(
  step: Float64Array | undefined,
  { data, cols }: Matrix64,
  weights: Float64Array,
): Float64Array | undefined {
  if (!step?.every(Number.isFinite)) return undefined;
  return weights.every((w, i) => data[i * cols] + step[i * cols] >= LEAST_SHARE * w) ? step : undefined;
}

/** The mixture at the end of a loop: that of F(s), which is at least as likely as s. */
export function mixtureAt(state: MaximisationState, covariance: Covariance, data: MixtureData): Mixture {
  return mixtureOf(takenBack(state).next, covariance, data, data.executor.kernels);
}
