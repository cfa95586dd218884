/**
 * How well topics predict new documents: the topics of a document are inferred from every second word, the others are
 * predicted. Perplexity is exp(−mean log probability) of the predicted words, lower is better. The baseline predicts
 * every word by its share in the documents that the topics were learned from.
 */
import type { Counts } from '../../core/counts.ts';
import { type Matrix64, transpose } from '../../core/matrix.ts';
import { inferDocument } from './variational.ts';

/** How well topics predict held-out words, beside the frequencies of the words alone; less is better. */
export interface Perplexity {
  readonly topics: number;
  /** Perplexity of the baseline. */
  readonly unigram: number;
  /** Number of words predicted. */
  readonly words: number;
}

/** Weight of the baseline in the prediction by topics, so that no word is impossible. */
const BACKGROUND = 0.01;

/**
 * Undefined if no held-out document has two words. `learnedFrom`: counts of all words in the documents the topics come
 * from.
 */
export function perplexity(
  heldOut: Counts,
  topics: Matrix64,
  alpha: Float64Array,
  learnedFrom: Float64Array,
): Perplexity | undefined {
  const { observed, predicted } = splitWords(heldOut);
  const all = learnedFrom.reduce((sum, count) => sum + count, 0) + learnedFrom.length;
  const unigram = learnedFrom.map((count) => (count + 1) / all);
  const byWord = transpose(topics);
  const K = topics.rows;
  let [byTopics, byUnigram, words] = [0, 0, 0];
  for (let l = 0; l < heldOut.rows; l++) {
    const gamma = inferDocument(observed, l, byWord, alpha);
    const length = gamma.reduce((sum, value) => sum + value, 0);
    for (let at = predicted.indptr[l]; at < predicted.indptr[l + 1]; at++) {
      const word = predicted.indices[at];
      let probability = 0;
      for (let k = 0; k < K; k++) probability += (gamma[k] / length) * byWord.data[word * K + k];
      const count = predicted.data[at];
      byTopics += count * Math.log((1 - BACKGROUND) * probability + BACKGROUND * unigram[word]);
      byUnigram += count * Math.log(unigram[word]);
      words += count;
    }
  }
  if (words === 0) return undefined;
  return { topics: Math.exp(-byTopics / words), unigram: Math.exp(-byUnigram / words), words };
}

/** Splits off every second word, in the order in which they are stored. */
function splitWords(counts: Counts): { observed: Counts; predicted: Counts } {
  const observed = { ...counts, data: counts.data.slice() };
  const predicted = { ...counts, data: counts.data.slice() };
  for (let l = 0; l < counts.rows; l++) {
    let seen = 0;
    for (let at = counts.indptr[l]; at < counts.indptr[l + 1]; at++) {
      const count = counts.data[at];
      const first = seen % 2 === 0 ? Math.ceil(count / 2) : Math.floor(count / 2);
      observed.data[at] = first;
      predicted.data[at] = count - first;
      seen += count;
    }
  }
  return { observed, predicted };
}
