/**
 * How well topics predict new documents: the topics of a document are inferred from every second word, the others are
 * predicted. Perplexity is exp(−mean log probability) of the predicted words, lower is better. The baseline predicts
 * every word by its share in the documents that the topics were learned from.
 */
import type { Counts } from '../../core/counts.ts';
import { row } from '../../core/matrix.ts';
import type { TopicModel } from './refine-topics.ts';
import { documentReader, firstMixtures } from './variational.ts';

/** How well topics predict held-out words, compared with word frequencies alone; lower is better. */
export interface Perplexity {
  readonly topics: number;
  /** Perplexity of the baseline. */
  readonly unigram: number;
  /** Number of words predicted. */
  readonly words: number;
}

/** Weight of the baseline in the prediction by topics, so that no word is impossible. */
const BACKGROUND = 0.01;

/** Number of rounds that infer the topics of a document. */
const ROUNDS = 100;

/** Logarithms of probabilities of the predicted words of each document. */
interface Predicted {
  readonly words: Float64Array;
  readonly byTopics: Float64Array;
  readonly byUnigram: Float64Array;
}

/**
 * Perplexity of held-out documents; undefined if none of them has two words. `learnedFrom`: counts of all words in the
 * documents that the topics come from.
 */
export function perplexity(heldOut: Counts, model: TopicModel, learnedFrom: Float64Array): Perplexity | undefined {
  const predicted = predict(heldOut, model, learnedFrom);
  const words = sum(predicted.words);
  if (words === 0) return undefined;
  const of = (logarithms: Float64Array) => Math.exp(-sum(logarithms) / words);
  return { topics: of(predicted.byTopics), unigram: of(predicted.byUnigram), words };
}

/** Whether one model predicts documents worse than another, by more than a standard error of the difference. */
export function predictsWorse(
  one: TopicModel,
  other: TopicModel,
  documents: Counts,
  learnedFrom: Float64Array,
): boolean {
  const [a, b] = [one, other].map((model) => predict(documents, model, learnedFrom).byTopics);
  const gains = a.map((value, l) => value - b[l]);
  const gain = sum(gains) / gains.length;
  const squares = gains.reduce((total, value) => total + (value - gain) ** 2, 0);
  return gain < -Math.sqrt(squares) / gains.length;
}

function predict(documents: Counts, { topics, prior }: TopicModel, learnedFrom: Float64Array): Predicted {
  const { observed, predicted } = splitWords(documents);
  const all = sum(learnedFrom) + learnedFrom.length;
  const unigram = learnedFrom.map((count) => (count + 1) / all);
  const reader = documentReader(observed, topics, prior);
  const mixtures = firstMixtures(observed, prior);
  const { rows: K, cols: V } = topics;
  const out = {
    words: new Float64Array(documents.rows),
    byTopics: new Float64Array(documents.rows),
    byUnigram: new Float64Array(documents.rows),
  };
  for (let l = 0; l < documents.rows; l++) {
    const gamma = row(mixtures, l);
    reader.settle(l, gamma, ROUNDS);
    const length = sum(gamma);
    for (let at = predicted.indptr[l]; at < predicted.indptr[l + 1]; at++) {
      const word = predicted.indices[at];
      let probability = 0;
      for (let k = 0; k < K; k++) probability += (gamma[k] / length) * topics.data[k * V + word];
      const count = predicted.data[at];
      out.byTopics[l] += count * Math.log((1 - BACKGROUND) * probability + BACKGROUND * unigram[word]);
      out.byUnigram[l] += count * Math.log(unigram[word]);
      out.words[l] += count;
    }
  }
  return out;
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

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
