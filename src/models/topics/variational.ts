/**
 * Variational inference of topics (Blei, Ng & Jordan 2003), with the counts c of a document and a prior α:
 *
 *     r_vk ∝ exp(ψ(γ_k)) μ_kv,   γ_k = α_k + Σ_v c_v r_vk          until γ settles
 *     μ_kv ∝ η + Σ_documents c_v r_vk                              a step of learning
 *
 * ψ is the digamma function. γ of a document starts where the last step left it, so that a few rounds are enough; a round needs one division per word,
 * because γ_k = α_k + exp(ψ(γ_k)) Σ_v μ_kv c_v / Σ_j exp(ψ(γ_j)) μ_jv.
 */
import { type Counts, documentLengths } from '../../core/counts.ts';
import { type Matrix64, row, transpose, zeros } from '../../core/matrix.ts';

/** A document is settled when γ moves by no more than this share of its length. */
const SETTLED = 2e-3;
/** η, the pseudo-count of a word in a topic where it was not seen. */
const UNSEEN = 0.05;

export interface VariationalStep {
  /** Topics as rows that sum to 1, K×V. A topic without words stays unchanged. */
  readonly topics: Matrix64;
  /** Number of words of each topic, a sum of shares. */
  readonly totals: Float64Array;
  /** γ of every document, D×K. */
  readonly mixtures: Matrix64;
  /** Mean of ln Σ_k exp(E ln θ_k) μ_kv over all words, of the topics before the step. */
  readonly logProbability: number;
}

/** One step for all topics; γ of every document continues from `mixtures`, for at most `rounds` rounds. */
export function variationalStep(
  counts: Counts,
  topics: Matrix64,
  alpha: Float64Array,
  mixtures: Matrix64,
  rounds: number,
): VariationalStep {
  const reader = documentReader(counts, topics, alpha);
  const next = { ...mixtures, data: mixtures.data.slice() };
  const sums = zeros(topics.cols, topics.rows);
  let [logarithms, words] = [0, 0];
  for (let l = 0; l < counts.rows; l++) {
    const gamma = row(next, l);
    const length = reader.settle(l, gamma, rounds);
    logarithms += reader.share(l, gamma, sums.data) - length * digamma(sum(gamma));
    words += length;
  }
  return { ...normalised(sums, topics), mixtures: next, logProbability: logarithms / words };
}

/** γ before the first round: all topics alike, D×K. */
export function firstMixtures(counts: Counts, alpha: Float64Array): Matrix64 {
  const K = alpha.length;
  const lengths = documentLengths(counts);
  const data = Float64Array.from(
    { length: counts.rows * K },
    (_, at) => alpha[at % K] + lengths[Math.floor(at / K)] / K,
  );
  return { rows: counts.rows, cols: K, data };
}

/** Sums of words by topic, V×K, as topics and their totals. */
function normalised(sums: Matrix64, topics: Matrix64): Pick<VariationalStep, 'topics' | 'totals'> {
  const K = topics.rows;
  const next = transpose(sums);
  const totals = new Float64Array(K);
  for (let k = 0; k < K; k++) {
    const topic = next.data.subarray(k * next.cols, (k + 1) * next.cols);
    const total = sum(topic);
    totals[k] = total;
    if (total > 0)
      for (let v = 0; v < topic.length; v++) topic[v] = (topic[v] + UNSEEN) / (total + UNSEEN * topic.length);
    else topic.set(topics.data.subarray(k * topics.cols, (k + 1) * topics.cols));
  }
  return { topics: next, totals };
}

/** Reads documents with given topics and prior; its loops run over the words of a document that are next to each other in memory. */
export function documentReader(counts: Counts, topics: Matrix64, alpha: Float64Array) {
  const K = topics.rows;
  const byWord = transpose(topics).data;
  const { data, indices, indptr } = counts;
  const mu = new Float64Array(K * longest(counts));
  const [factors, sums] = [new Float64Array(K), new Float64Array(K)];

  /** Copies μ of the words of a document; returns its length. */
  const gather = (l: number): number => {
    let length = 0;
    for (let i = indptr[l], at = 0; i < indptr[l + 1]; i++) {
      for (let k = 0, word = indices[i] * K; k < K; k++) mu[at++] = byWord[word++];
      length += data[i];
    }
    return length;
  };
  /** Σ_k exp(ψ(γ_k)) μ_kv of the word at `at`. */
  const total = (at: number): number => {
    let value = 0;
    for (let k = 0; k < K; k++) value += factors[k] * mu[at + k];
    return value;
  };
  /** γ ← α + Σ_v c_v r_v; returns how far it moved. */
  const round = (l: number, gamma: Float64Array): number => {
    expDigamma(gamma, factors);
    sums.fill(0);
    for (let i = indptr[l], at = 0; i < indptr[l + 1]; i++, at += K) {
      const value = total(at);
      if (!(value > 0)) continue;
      const share = data[i] / value;
      for (let k = 0; k < K; k++) sums[k] += share * mu[at + k];
    }
    let moved = 0;
    for (let k = 0; k < K; k++) {
      const next = alpha[k] + factors[k] * sums[k];
      moved += Math.abs(next - gamma[k]);
      gamma[k] = next;
    }
    return moved;
  };
  return {
    /** Improves γ of document l in place, until it settles or for `rounds` rounds; returns the document's length. */
    settle(l: number, gamma: Float64Array, rounds: number): number {
      const length = gather(l);
      for (let k = 0; k < rounds && round(l, gamma) > SETTLED * length; k++);
      return length;
    },
    /** Adds c_v r_vk of the document settled last to `words`, V×K; returns Σ_v c_v ln Σ_k exp(ψ(γ_k)) μ_kv. */
    share(l: number, gamma: Float64Array, words: Float64Array): number {
      expDigamma(gamma, factors);
      let logarithms = 0;
      for (let i = indptr[l], at = 0; i < indptr[l + 1]; i++, at += K) {
        const value = total(at);
        if (!(value > 0)) continue;
        const share = data[i] / value;
        for (let k = 0, word = indices[i] * K; k < K; k++) words[word++] += share * factors[k] * mu[at + k];
        logarithms += data[i] * Math.log(value);
      }
      return logarithms;
    },
  };
}

/** Largest number of different words in a document. */
function longest({ rows, indptr }: Counts): number {
  let most = 0;
  for (let l = 0; l < rows; l++) most = Math.max(most, indptr[l + 1] - indptr[l]);
  return most;
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

function expDigamma(gamma: Float64Array, out: Float64Array): void {
  for (let k = 0; k < gamma.length; k++) out[k] = Math.exp(digamma(gamma[k]));
}

/** ψ(x) for x > 0: ψ(x) = ψ(x + 1) − 1/x up to x ≥ 6, then its asymptotic series; 1e-9 and better. */
export function digamma(x: number): number {
  let shift = 0;
  let y = x;
  for (; y < 6; y++) shift -= 1 / y;
  const t = 1 / (y * y);
  return shift + Math.log(y) - 0.5 / y - t * (1 / 12 - t * (1 / 120 - t * (1 / 252 - t * (1 / 240 - t / 132))));
}
