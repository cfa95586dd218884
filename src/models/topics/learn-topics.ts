/**
 * Topics of documents from the moments of their words: whiten, decompose a K×K×K tensor by plane rotations, un-whiten.
 *
 *     M3(W, W, W) = Σ_k λ_k v_k⊗v_k⊗v_k,   α_k = α₀(α₀+1) (2/((α₀+2) λ_k))²,   μ_k = (α₀+2)/2 λ_k · S^(1/2)U-combination of v_k
 *
 * projected to the simplex. A few variational steps from there (refine-topics.ts) remove most of the noise of the
 * moments.
 */

import { type Counts, requireCounts, selectDocuments, weightedSum } from '../../core/counts.ts';
import { demand } from '../../core/errors.ts';
import { rowsHash } from '../../core/hash.ts';
import { type Matrix64, range, row, selectRows } from '../../core/matrix.ts';
import { createRandom, shuffle } from '../../core/random.ts';
import { requireMatrixForm } from '../../core/require-matrix.ts';
import { largestMagnitude, requireScale } from '../../core/scale.ts';
import { Run, type RunOptions } from '../../engine/run.ts';
import type { Status } from '../../engine/stop.ts';
import { denseMoment } from '../tensor/dense-moment.ts';
import { type Decomposition, decomposeTensor } from '../tensor/learn-tensor.ts';
import { tensorDefaults } from '../tensor/options.ts';
import { whitenedMoments } from './moments.ts';
import type { TopicsOptions } from './option-types.ts';
import { requireTopics, type TopicsSettings, topicsOptions } from './options.ts';
import { type Perplexity, perplexity, predictsWorse } from './perplexity.ts';
import { refineTopics, samplingError, type TopicModel } from './refine-topics.ts';

/**
 * Variational steps have an ℓ1 error of their own of about this over the length of the documents, which more documents
 * do not remove (docs/topics.md).
 */
const BIAS = 0.4;
/** Tolerance of the decomposition: the moments are not known more accurately. */
const TOLERANCE = 1e-6;

/** Topics, and how they were learned. */
export interface TopicsResult {
  /** Topics as rows that sum to 1, K×V, by descending weight. */
  readonly topics: Matrix64;
  /** Share of each topic in all words, sums to 1: α_k/α₀ of the moments, or from the variational steps. */
  readonly weights: Float64Array;
  /** The K largest eigenvalues of M2; a steep fall shows how many topics there are. */
  readonly spectrum: Float64Array;
  /** Perplexity of the held-out documents, if any has two words. */
  readonly perplexity?: Perplexity | undefined;
  /** Whether the topics are those of the variational steps, not of the moments alone. */
  readonly refined: boolean;
  /** Status of the decomposition; `aborted` if the variational steps were aborted. */
  readonly status: Status;
  readonly reason: string;
  /** Number of variational steps. */
  readonly iterations: number;
  /** Number of documents that the topics were learned from. */
  readonly documents: number;
  readonly words: number;
  readonly seconds: number;
}

/**
 * Learns topics of documents from whitened moments of their word counts.
 * An abort before the moments gave topics throws the signal's reason.
 *
 * @example
 * ```js
 * import { generateTopics, learnTopics } from 'orthodict';
 *
 * const { counts } = generateTopics({ documents: 500, words: 100, topics: 3, length: 100, seed: 1 });
 * const { topics } = await learnTopics(counts, { topics: 3 });
 * console.log(topics.rows, topics.cols); // 3 100
 * ```
 */
export async function learnTopics(
  counts: Counts,
  options: TopicsOptions,
  runOptions: RunOptions = {},
): Promise<TopicsResult> {
  const settings = topicsOptions.settle('learnTopics', options);
  requireCounts(counts, 'learnTopics');
  requireScale('learnTopics', 'counts', largestMagnitude(counts.data), 3);
  requireTopics('learnTopics', settings, counts);
  const run = await Run.start('learnTopics', runOptions);
  await run.open({ data: hashOf(counts), options: { model: 'topics', ...settings } });
  const { train, test } = split(counts, settings);
  const { spectrum, decomposition, model: byMoments } = await topicsByMoments(train, settings, run);
  run.signal?.throwIfAborted();
  const totals = weightedSum(train, new Float64Array(train.rows).fill(1));
  const { model, ...end } =
    settings.refine === 'none'
      ? { model: byMoments, status: decomposition.status, reason: decomposition.reason, iterations: 0 }
      : await refine({ train, test, totals }, byMoments, decomposition, settings, run);
  const { topics, prior } = model;
  const order = Array.from(prior.keys()).sort((a, b) => prior[b] - prior[a]);
  return {
    topics: selectRows(topics, order),
    weights: Float64Array.from(order, (k) => prior[k] / prior.reduce((sum, value) => sum + value, 0)),
    spectrum,
    perplexity: test && perplexity(test, model, totals),
    refined: model !== byMoments,
    ...end,
    documents: train.rows,
    words: counts.cols,
    seconds: run.seconds,
  };
}

async function topicsByMoments(
  counts: Counts,
  { topics: K, alpha0, starts, seed }: TopicsSettings,
  run: Run,
): Promise<{ spectrum: Float64Array; decomposition: Decomposition; model: TopicModel }> {
  run.begin('moments');
  const random = createRandom(seed, 'range of the second moment');
  const { terms, unwhiten, spectrum } = whitenedMoments(run.who, counts, K, alpha0, random, run.kernels);
  const settings = { ...tensorDefaults, tolerance: TOLERANCE, starts, seed, start: undefined };
  const decomposition = await decomposeTensor(denseMoment(terms), settings, run);
  const { factors, weights } = decomposition;
  const alpha = weights.map((lambda) => alpha0 * (alpha0 + 1) * (2 / ((alpha0 + 2) * lambda)) ** 2);
  const topics = run.kernels.multiply(factors, unwhiten);
  for (let k = 0; k < K; k++) {
    const topic = row(topics, k);
    topic.set(projectToSimplex(topic.map((value) => (value * weights[k] * (alpha0 + 2)) / 2)));
  }
  const prior = alpha.map((a) => (alpha0 * a) / alpha.reduce((sum, value) => sum + value, 0));
  return { spectrum, decomposition, model: { topics, prior } };
}

interface Documents {
  readonly train: Counts;
  readonly test: Counts | undefined;
  /** Counts of all words in `train`. */
  readonly totals: Float64Array;
}

/** Takes variational steps, unless they cannot help; keeps the result unless it predicts held-out documents worse. */
async function refine(
  { train, test, totals }: Documents,
  start: TopicModel,
  decomposition: Decomposition,
  { maxIterations, alpha0 }: TopicsSettings,
  run: Run,
) {
  const { status, reason } = decomposition;
  const words = totals.reduce((sum, count) => sum + count, 0);
  if (samplingError(start, words) < (BIAS * train.rows) / words) return { model: start, status, reason, iterations: 0 };
  const end = await refineTopics(train, start, maxIterations, alpha0, run);
  const worse = test !== undefined && predictsWorse(end.state, start, test, totals);
  const ended = end.status === 'aborted' ? end : decomposition;
  return {
    model: worse ? start : end.state,
    status: ended.status,
    reason: ended.reason,
    iterations: end.iterations,
  };
}

/**
 * Indices of a topic's most probable words.
 *
 * @example
 * ```js
 * import { fromRows, topWords } from 'orthodict';
 *
 * const topics = fromRows([[0.1, 0.6, 0.3]]);
 * console.log(topWords(topics, 0, 2).join(' ')); // 1 2
 * ```
 */
export function topWords(topics: Matrix64, k: number, count: number): number[] {
  requireMatrixForm('topWords', 'topics', topics);
  demand(Number.isInteger(k) && k >= 0 && k < topics.rows, 'topWords', 'k', `a topic, 0 to ${topics.rows - 1}`, k);
  const topic = row(topics, k);
  return Array.from(topic.keys())
    .sort((a, b) => topic[b] - topic[a])
    .slice(0, count);
}

/** Splits off documents to test on; both parts keep the original order. */
function split(
  counts: Counts,
  { heldOut, seed }: TopicsSettings,
): { readonly train: Counts; readonly test: Counts | undefined } {
  const tested = Math.round(heldOut * counts.rows);
  if (tested === 0) return { train: counts, test: undefined };
  const order = shuffle(range(counts.rows), createRandom(seed, 'held-out documents'));
  const ascending = (documents: number[]) => documents.sort((a, b) => a - b);
  return {
    train: selectDocuments(counts, ascending(order.slice(tested))),
    test: selectDocuments(counts, ascending(order.slice(0, tested))),
  };
}

function hashOf({ rows, cols, data, indices, indptr }: Counts): string {
  const hash = rowsHash();
  for (const array of [data, indices, indptr]) hash.add({ data: array });
  return `${rows}x${cols}-${hash.text}`;
}

/**
 * The nearest point of the simplex, {x ≥ 0, Σ x = 1}: x_v = max(0, y_v − τ) with the τ that makes the sum 1 (Duchi et
 * al. 2008).
 */
export function projectToSimplex(y: Float64Array): Float64Array {
  const sorted = y.slice().sort().reverse();
  let sum = 0;
  let tau = 0;
  for (let k = 0; k < sorted.length; k++) {
    sum += sorted[k];
    const candidate = (sum - 1) / (k + 1);
    if (sorted[k] > candidate) tau = candidate;
  }
  return y.map((value) => Math.max(0, value - tau));
}
