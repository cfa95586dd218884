/**
 * Variational steps (variational.ts) from the topics found by moments; they remove most of the noise of the moments.
 * They end when a step moves the topics by no more than a fifth of their sampling error, which is at least that of
 * counting words: a topic of N_k words has the variance μ_kv/N_k, whose mean over the words is 1/(N_k V).
 */
import { breather } from '../../core/breathe.ts';
import { type Counts, weightedSum } from '../../core/counts.ts';
import { type Matrix64, rootMeanSquareDifference, row, zeros } from '../../core/matrix.ts';
import type { Outcome } from '../../engine/iterate.ts';
import type { Run } from '../../engine/run.ts';
import type { Solver, SolverState } from '../../engine/solver.ts';
import { distributions, matrix, number, vector } from '../../engine/state-shape.ts';
import { type StopRule, stopAfterIterations } from '../../engine/stop.ts';
import { firstMixtures, variationalStep } from './variational.ts';

/** Topics and how frequent they are. */
export interface TopicModel {
  /** K×V, rows sum to 1. */
  readonly topics: Matrix64;
  /** α_k, sums to α₀ or nearly. */
  readonly prior: Float64Array;
}

export interface TopicsState extends TopicModel, SolverState {
  /** Mean of ln Σ_k exp(E ln θ_k) μ_kv over all words, of the topics before the last step. */
  readonly logProbability: number;
  /** γ of every document, D×K, from which the next step continues. */
  readonly mixtures: Matrix64;
  /** How far the last step moved the topics (root mean square). */
  readonly change: number;
  /** Sampling error of the topics (root mean square). */
  readonly error: number;
  readonly [name: string]: number | Float64Array | Matrix64;
}

/** Smallest share that a topic keeps. */
const LEAST_SHARE = 1e-6;
/** Every topic starts with a little of every word, because a step cannot raise a zero: one occurrence each, at most this share in all. */
const BACKGROUND = 0.01;
/** Number of rounds per document in a step. */
const ROUNDS = 5;
/** A step that moves the topics by less than this share of their sampling error no longer matters. */
const SETTLED = 0.2;

/** Mean ℓ1 error of topics counted from N words: Σ_v √(2 μ_kv/(π N_k)). */
export function samplingError({ topics, prior }: TopicModel, words: number): number {
  const all = prior.reduce((sum, share) => sum + share, 0);
  const errors = prior.map((share, k) =>
    row(topics, k).reduce((sum, mu) => sum + Math.sqrt((2 * mu * all) / (Math.PI * share * words)), 0),
  );
  return errors.reduce((sum, error) => sum + error, 0) / errors.length;
}

export function refineTopics(
  counts: Counts,
  start: TopicModel,
  maxIterations: number,
  alpha0: number,
  run: Run,
): Promise<Outcome<TopicsState>> {
  const stop = [stopWithinError, stopAfterIterations(maxIterations)];
  return run.drive(variationalSolver(counts, start, alpha0, run.signal), { stop, samplesPerStep: counts.rows });
}

const stopWithinError: StopRule<TopicsState> = (_, { change, error }) =>
  change <= SETTLED * error
    ? { status: 'converged', code: 'change', reason: `change ≤ ${SETTLED} of the sampling error` }
    : undefined;

function variationalSolver(
  counts: Counts,
  { topics, prior }: TopicModel,
  alpha0: number,
  signal?: AbortSignal,
): Solver<TopicsState> {
  const breathe = breather(signal);
  return {
    name: 'variational steps',
    shape: {
      topics: distributions(topics.rows, topics.cols),
      prior: vector(topics.rows, { least: 0 }),
      logProbability: number,
      mixtures: matrix(counts.rows, topics.rows, 'numbers from 0', ({ data }) => negativeAmong(data)),
      change: number,
      error: number,
    },
    init: async () => ({
      topics: withBackground(topics, counts),
      prior,
      logProbability: Number.NEGATIVE_INFINITY,
      mixtures: firstMixtures(counts, prior),
      change: Number.POSITIVE_INFINITY,
      error: 0,
    }),
    async step(state) {
      await breathe();
      const next = variationalStep(counts, state.topics, state.prior, state.mixtures, ROUNDS);
      const words = next.totals.reduce((sum, total) => sum + total, 0);
      const inverse = next.totals.reduce((sum, total) => sum + 1 / Math.max(total, 1), 0);
      return {
        topics: next.topics,
        prior: next.totals.map((total) => alpha0 * Math.max(total / words, LEAST_SHARE)),
        logProbability: next.logProbability,
        mixtures: next.mixtures,
        change: rootMeanSquareDifference(next.topics, state.topics),
        error: Math.sqrt(inverse / next.topics.data.length),
      };
    },
    report: ({ logProbability, change }) => ({ objective: logProbability, change }),
  };
}

function negativeAmong(values: Float64Array): string | undefined {
  const at = values.findIndex((value) => value < 0);
  return at < 0 ? undefined : `${values[at]}`;
}

function withBackground(topics: Matrix64, counts: Counts): Matrix64 {
  const totals = weightedSum(counts, new Float64Array(counts.rows).fill(1));
  const all = totals.reduce((sum, value) => sum + value, 0);
  const share = Math.min(BACKGROUND, (topics.rows * topics.cols) / all);
  const out = zeros(topics.rows, topics.cols);
  for (let at = 0; at < out.data.length; at++) {
    out.data[at] = (1 - share) * topics.data[at] + (share * totals[at % topics.cols]) / all;
  }
  return out;
}
