/**
 * Topics of documents from the moments of their words: whiten, decompose a K×K×K tensor by plane rotations, un-whiten.
 *
 *     M3(W, W, W) = Σ_k λ_k v_k⊗v_k⊗v_k,   α_k = α₀(α₀+1) (2/((α₀+2) λ_k))²,   μ_k = (α₀+2)/2 λ_k · S^(1/2)U-combination of v_k
 *
 * projected to the simplex. A few variational steps (variational.ts) from there take out most of the noise of the moments.
 */
import { type Counts, requireCounts, selectDocuments, weightedSum } from '../../core/counts.ts';
import { inputError } from '../../core/errors.ts';
import { type Matrix64, row, selectRows, zeros } from '../../core/matrix.ts';
import { createRandom } from '../../core/random.ts';
import type { Status } from '../../engine/stop.ts';
import { selectKernels } from '../../kernels/select.ts';
import { decomposeTensor } from '../tensor/decompose.ts';
import { denseMoment } from '../tensor/dense-moment.ts';
import { whitenedMoments } from './moments.ts';
import { type Perplexity, perplexity } from './perplexity.ts';
import { projectToSimplex } from './simplex.ts';
import { variationalStep } from './variational.ts';

export interface TopicsOptions {
  /** K */
  readonly topics: number;
  /** α₀: how many topics a document mixes; near 0 one each. */
  readonly alpha0?: number | undefined;
  /** Variational steps after the moments. */
  readonly refine?: number | undefined;
  /** Share of the documents that topics are not learned from but tested on. */
  readonly heldOut?: number | undefined;
  /** Random starts of the decomposition, of which the best is kept. */
  readonly starts?: number | undefined;
  readonly seed?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told what is being done. */
  readonly onProgress?: ((words: string) => void) | undefined;
}

export const topicsDefaults = Object.freeze({ alpha0: 1, refine: 5, heldOut: 0.1, starts: 10, seed: 0 } as const);

export interface TopicsResult {
  /** K×V, rows sum to 1, of falling weight. */
  readonly topics: Matrix64;
  /** Share of all words that each topic has, sums to 1: α_k/α₀ of the moments, or of the variational steps. */
  readonly weights: Float64Array;
  /** The K largest eigenvalues of M2: a steep fall says where topics end. */
  readonly spectrum: Float64Array;
  readonly perplexity?: Perplexity | undefined;
  readonly status: Status;
  readonly sweeps: number;
  readonly documents: number;
  readonly words: number;
}

export async function learnTopics(counts: Counts, options: TopicsOptions): Promise<TopicsResult> {
  const { topics: K, alpha0 = topicsDefaults.alpha0, refine = topicsDefaults.refine } = options;
  const { heldOut = topicsDefaults.heldOut, starts = topicsDefaults.starts, seed = topicsDefaults.seed } = options;
  const { signal, onProgress } = options;
  requireCounts(counts);
  requireOptions({ K, alpha0, refine, heldOut }, counts);
  const { train, test } = split(counts, heldOut, seed);
  const kernels = await selectKernels('auto');
  const random = createRandom(seed, 'range of the second moment');
  onProgress?.('moments …');
  const { terms, unwhiten, spectrum } = whitenedMoments(train, K, alpha0, random, kernels);
  onProgress?.('decomposing …');
  const found = await decomposeTensor(denseMoment(terms), { starts, seed, signal, kernels });
  const alpha = found.weights.map((lambda) => alpha0 * (alpha0 + 1) * (2 / ((alpha0 + 2) * lambda)) ** 2);
  let prior = alpha.map((a) => (alpha0 * a) / alpha.reduce((sum, value) => sum + value, 0));
  let topics = kernels.multiply(found.factors, unwhiten);
  for (let k = 0; k < K; k++) {
    const topic = row(topics, k);
    topic.set(projectToSimplex(topic.map((value) => (value * found.weights[k] * (alpha0 + 2)) / 2)));
  }
  for (let step = 0; step < refine; step++) {
    signal?.throwIfAborted();
    onProgress?.(`refining ${step + 1} of ${refine} …`);
    if (step === 0) topics = withBackground(topics, train);
    const next = variationalStep(train, topics, prior);
    topics = next.topics;
    prior = next.shares.map((share) => alpha0 * Math.max(share, LEAST_SHARE));
    await new Promise((resolve) => setTimeout(resolve));
  }
  const order = Array.from(prior.keys()).sort((a, b) => prior[b] - prior[a]);
  return {
    topics: selectRows(topics, order),
    weights: Float64Array.from(order, (k) => prior[k] / prior.reduce((sum, value) => sum + value, 0)),
    spectrum,
    perplexity: test && perplexity(test, topics, prior, weightedSum(train, new Float64Array(train.rows).fill(1))),
    status: found.status,
    sweeps: found.sweeps,
    documents: train.rows,
    words: counts.cols,
  };
}

/** Indices of a topic's most probable words. */
export function topWords(topics: Matrix64, k: number, count: number): number[] {
  const topic = row(topics, k);
  return Array.from(topic.keys())
    .sort((a, b) => topic[b] - topic[a])
    .slice(0, count);
}

/** No topic is given up. */
const LEAST_SHARE = 1e-6;
/** Every word gets a little of every topic: a step cannot raise a zero. */
const BACKGROUND = 0.01;
function withBackground(topics: Matrix64, counts: Counts): Matrix64 {
  const totals = weightedSum(counts, new Float64Array(counts.rows).fill(1));
  const all = totals.reduce((sum, value) => sum + value, 0);
  const out = zeros(topics.rows, topics.cols);
  for (let at = 0; at < out.data.length; at++) {
    out.data[at] = (1 - BACKGROUND) * topics.data[at] + (BACKGROUND * totals[at % topics.cols]) / all;
  }
  return out;
}

function split(counts: Counts, heldOut: number, seed: number): { train: Counts; test: Counts | undefined } {
  const random = createRandom(seed, 'held-out documents');
  const order = Array.from({ length: counts.rows }, (_, l) => l);
  for (let l = order.length - 1; l > 0; l--) {
    const other = random.integer(l + 1);
    [order[l], order[other]] = [order[other], order[l]];
  }
  const tested = Math.round(heldOut * counts.rows);
  const ascending = (documents: number[]) => documents.sort((a, b) => a - b);
  return {
    train: tested > 0 ? selectDocuments(counts, ascending(order.slice(tested))) : counts,
    test: tested > 0 ? selectDocuments(counts, ascending(order.slice(0, tested))) : undefined,
  };
}

function requireOptions(
  { K, alpha0, refine, heldOut }: { K: number; alpha0: number; refine: number; heldOut: number },
  { rows, cols }: Counts,
): void {
  if (!(Number.isInteger(K) && K >= 1)) throw inputError('topics', 'topics', 'a whole number from 1', K);
  const most = Math.min(rows, cols);
  if (K > most) throw inputError('topics', 'topics', `at most ${most} (${rows} documents, ${cols} words)`, K);
  if (!(alpha0 > 0 && Number.isFinite(alpha0))) throw inputError('topics', 'alpha0', 'a number above 0', alpha0);
  if (!(Number.isInteger(refine) && refine >= 0)) {
    throw inputError('topics', 'refine', 'a whole number, 0 or more', refine);
  }
  if (!(heldOut >= 0 && heldOut <= 0.9)) throw inputError('topics', 'heldOut', 'a share from 0 to 0.9', heldOut);
}
