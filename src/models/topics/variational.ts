/**
 * Variational inference of topics (Blei, Ng & Jordan 2003), with the counts c of a document and a prior α:
 *
 *     r_vk ∝ exp(ψ(γ_k)) μ_kv,   γ_k = α_k + Σ_v c_v r_vk          until γ settles
 *     μ_kv ∝ Σ_documents c_v r_vk                                  a step of learning
 *
 * ψ is the digamma function. Topics are used word-major, V×K, so that a word's topics are next to each other.
 */
import type { Counts } from '../../core/counts.ts';
import { type Matrix64, transpose, zeros } from '../../core/matrix.ts';

const MAX_ROUNDS = 30;
/** A document is settled when γ moves by no more than this share of its length. */
const SETTLED = 2e-3;

export interface VariationalStep {
  /** K×V, rows sum to 1. A topic without words stays as it was. */
  readonly topics: Matrix64;
  /** Share of each topic in all words, sums to 1. */
  readonly shares: Float64Array;
  /** Mean of ln Σ_k exp(E ln θ_k) μ_kv over all words, of the topics before the step. */
  readonly logProbability: number;
}

/** One step for all topics. */
export function variationalStep(counts: Counts, topics: Matrix64, alpha: Float64Array): VariationalStep {
  const K = topics.rows;
  const byWord = transpose(topics);
  const sums = zeros(topics.cols, K);
  const shares = new Float64Array(K);
  let [logarithms, words] = [0, 0];
  for (let l = 0; l < counts.rows; l++) {
    const gamma = inferDocument(counts, l, byWord, alpha);
    const factors = expDigamma(gamma);
    const scale = digamma(gamma.reduce((sum, value) => sum + value, 0));
    for (let at = counts.indptr[l]; at < counts.indptr[l + 1]; at++) {
      const word = counts.indices[at] * K;
      const total = responsibilities(byWord.data, word, factors, shares);
      if (!(total > 0)) continue;
      for (let k = 0; k < K; k++) sums.data[word + k] += (counts.data[at] * shares[k]) / total;
      logarithms += counts.data[at] * (Math.log(total) - scale);
      words += counts.data[at];
    }
  }
  return { ...normalised(sums, topics), logProbability: logarithms / words };
}

/** Sums of words by topic, V×K, as topics and their shares. */
function normalised(sums: Matrix64, topics: Matrix64): Pick<VariationalStep, 'topics' | 'shares'> {
  const K = topics.rows;
  const next = transpose(sums);
  const totals = new Float64Array(K);
  for (let k = 0; k < K; k++) {
    const topic = next.data.subarray(k * next.cols, (k + 1) * next.cols);
    const total = topic.reduce((sum, value) => sum + value, 0);
    totals[k] = total;
    if (total > 0) for (let v = 0; v < topic.length; v++) topic[v] /= total;
    else topic.set(topics.data.subarray(k * topics.cols, (k + 1) * topics.cols));
  }
  const all = totals.reduce((sum, value) => sum + value, 0);
  return { topics: next, shares: totals.map((total) => total / all) };
}

/** γ of document l. */
export function inferDocument(counts: Counts, l: number, byWord: Matrix64, alpha: Float64Array): Float64Array {
  const K = byWord.cols;
  const [start, end] = [counts.indptr[l], counts.indptr[l + 1]];
  let length = 0;
  for (let at = start; at < end; at++) length += counts.data[at];
  let gamma = alpha.map((a) => a + length / K);
  const shares = new Float64Array(K);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const factors = expDigamma(gamma);
    const next = alpha.slice();
    for (let at = start; at < end; at++) {
      const total = responsibilities(byWord.data, counts.indices[at] * K, factors, shares);
      if (total > 0) for (let k = 0; k < K; k++) next[k] += (counts.data[at] * shares[k]) / total;
    }
    const moved = next.reduce((sum, value, k) => sum + Math.abs(value - gamma[k]), 0);
    gamma = next;
    if (moved <= SETTLED * length) break;
  }
  return gamma;
}

/** Writes factors_k μ_kv to `shares`; returns their sum. */
function responsibilities(byWord: Float64Array, word: number, factors: Float64Array, shares: Float64Array): number {
  let total = 0;
  for (let k = 0; k < shares.length; k++) {
    const share = factors[k] * byWord[word + k];
    shares[k] = share;
    total += share;
  }
  return total;
}

const expDigamma = (gamma: Float64Array): Float64Array => gamma.map((value) => Math.exp(digamma(value)));

/** ψ(x) for x > 0: ψ(x) = ψ(x + 1) − 1/x up to x ≥ 6, then its asymptotic series; 1e-9 and better. */
export function digamma(x: number): number {
  let shift = 0;
  let y = x;
  for (; y < 6; y++) shift -= 1 / y;
  const t = 1 / (y * y);
  return shift + Math.log(y) - 0.5 / y - t * (1 / 12 - t * (1 / 120 - t * (1 / 252 - t * (1 / 240 - t / 132))));
}
