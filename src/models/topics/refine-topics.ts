/**
 * Variational steps (variational.ts) from the topics found by moments; they remove most of the noise of the moments.
 */
import { breather } from '../../core/breathe.ts';
import { type Counts, weightedSum } from '../../core/counts.ts';
import { type Matrix64, rootMeanSquareDifference, zeros } from '../../core/matrix.ts';
import type { Outcome } from '../../engine/iterate.ts';
import type { Run } from '../../engine/run.ts';
import type { Solver, SolverState } from '../../engine/solver.ts';
import { distributions, number, vector } from '../../engine/state-shape.ts';
import { stopAfterIterations } from '../../engine/stop.ts';
import { variationalStep } from './variational.ts';

/** Topics and how common they are. */
export interface TopicModel {
  /** K×V, rows sum to 1. */
  readonly topics: Matrix64;
  /** α_k, sums to α₀ or nearly. */
  readonly prior: Float64Array;
}

export interface TopicsState extends TopicModel, SolverState {
  /** Mean of ln Σ_k exp(E ln θ_k) μ_kv over all words, of the topics before the last step. */
  readonly logProbability: number;
  /** How far the last step moved the topics (root mean square). */
  readonly change: number;
  readonly [name: string]: number | Float64Array | Matrix64;
}

/** Smallest share that a topic keeps. */
const LEAST_SHARE = 1e-6;
/** Every topic starts with a little of every word, because a step cannot raise a zero. */
const BACKGROUND = 0.01;

export function refineTopics(
  counts: Counts,
  start: TopicModel,
  maxIterations: number,
  alpha0: number,
  run: Run,
): Promise<Outcome<TopicsState>> {
  const stop = [stopAfterIterations(maxIterations)];
  return run.drive(variationalSolver(counts, start, alpha0, run.signal), { stop, samplesPerStep: counts.rows });
}

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
      change: number,
    },
    init: async () => ({
      topics: withBackground(topics, counts),
      prior,
      logProbability: Number.NEGATIVE_INFINITY,
      change: Number.POSITIVE_INFINITY,
    }),
    async step(state) {
      await breathe();
      const next = variationalStep(counts, state.topics, state.prior);
      return {
        topics: next.topics,
        prior: next.shares.map((share) => alpha0 * Math.max(share, LEAST_SHARE)),
        logProbability: next.logProbability,
        change: rootMeanSquareDifference(next.topics, state.topics),
      };
    },
    report: ({ logProbability, change }) => ({ objective: logProbability, change }),
  };
}

function withBackground(topics: Matrix64, counts: Counts): Matrix64 {
  const totals = weightedSum(counts, new Float64Array(counts.rows).fill(1));
  const all = totals.reduce((sum, value) => sum + value, 0);
  const out = zeros(topics.rows, topics.cols);
  for (let at = 0; at < out.data.length; at++) {
    out.data[at] = (1 - BACKGROUND) * topics.data[at] + (BACKGROUND * totals[at % topics.cols]) / all;
  }
  return out;
}
