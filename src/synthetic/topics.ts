/**
 * Documents from a known topic model (latent Dirichlet allocation):
 *
 *     topics     μ_k ~ Dirichlet(β, …, β) over the words
 *     document   θ ~ Dirichlet(α₀/K, …, α₀/K), each word from Σ_k θ_k μ_k
 */
import { type Counts, countsFromTriplets, type Triplet } from '../core/counts.ts';
import { type Matrix64, range, row, zeros } from '../core/matrix.ts';
import { count, defineOptions, positiveFinite, required, type SettingsOf } from '../core/options.ts';
import { createRandom, type Random } from '../core/random.ts';
import type { GenerateTopicsOptions } from './option-types.ts';
import { dataSeed } from './options.ts';

/** The options of `generateTopics`. */
export const generateTopicsOptions = defineOptions({
  documents: required(count({ placeholder: 'D', help: 'number of documents' })),
  words: required(count({ placeholder: 'V', help: 'size of the vocabulary' })),
  topics: required(count({ placeholder: 'K', help: 'number of topics' })),
  length: required(count({ placeholder: 'L', help: 'words per document' })),
  alpha0: positiveFinite({ placeholder: 'A', default: 1, help: 'how many topics a document mixes; near 0: one each' }),
  concentration: positiveFinite({ placeholder: 'B', default: 0.1, help: 'near 0: topics of few words each' }),
  seed: dataSeed,
});

type Settings = SettingsOf<typeof generateTopicsOptions.table>;

/** Documents with the topics that they were made of. */
export interface GeneratedTopics {
  readonly counts: Counts;
  /** Topics as rows that sum to 1, K×V. */
  readonly topics: Matrix64;
}

/**
 * Documents from a known topic model, latent Dirichlet allocation.
 *
 * @example
 * ```js
 * import { generateTopics } from 'orthodict';
 *
 * const { counts, topics } = generateTopics({ documents: 50, words: 100, topics: 3, length: 80, seed: 1 });
 * console.log(counts.rows, topics.rows, topics.cols); // 50 3 100
 * ```
 */
export function generateTopics(options: GenerateTopicsOptions): GeneratedTopics {
  const settings = generateTopicsOptions.settle('generateTopics', options);
  const { words, topics: K, concentration, seed } = settings;
  const random = createRandom(seed, 'documents of a topic model');
  const topics = zeros(K, words);
  for (let k = 0; k < K; k++) row(topics, k).set(dirichlet(new Float64Array(words).fill(concentration), random));
  return { counts: drawDocuments(topics, settings, random), topics };
}

function drawDocuments(topics: Matrix64, { documents, length, alpha0 }: Settings, random: Random): Counts {
  const K = topics.rows;
  const upTo = range(K).map((k) => cumulative(row(topics, k)));
  const entries: Triplet[] = [];
  for (let l = 0; l < documents; l++) {
    const shares = cumulative(dirichlet(new Float64Array(K).fill(alpha0 / K), random));
    const counts = new Map<number, number>();
    for (let n = 0; n < length; n++) {
      const word = draw(upTo[draw(shares, random)], random);
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    for (const [col, value] of [...counts].sort(([a], [b]) => a - b)) entries.push({ row: l, col, value });
  }
  return countsFromTriplets(documents, topics.cols, entries);
}

/** Shares proportional to independent Gamma(α_k) numbers. */
function dirichlet(alpha: Float64Array, random: Random): Float64Array {
  const logs = alpha.map((a) => logGamma(a, random));
  const largest = logs.reduce((max, value) => Math.max(max, value), Number.NEGATIVE_INFINITY);
  const numbers = logs.map((value) => Math.exp(value - largest)); // relative to the largest: tiny shapes underflow
  const sum = numbers.reduce((total, value) => total + value, 0);
  return numbers.map((value) => value / sum);
}

/** Logarithm of a Gamma(shape) variate (Marsaglia & Tsang 2000); for shape < 1 via Gamma(shape + 1) · U^(1/shape). */
function logGamma(shape: number, random: Random): number {
  if (shape < 1) return logGamma(shape + 1, random) + Math.log(1 - random.uniform()) / shape;
  const d = shape - 1 / 3;
  for (;;) {
    const x = random.normal();
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v <= 0) continue;
    if (Math.log(1 - random.uniform()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return Math.log(d * v);
  }
}

function cumulative(shares: Float64Array): Float64Array {
  let sum = 0;
  return shares.map((share) => {
    sum += share;
    return sum;
  });
}

/** Draws an index by bisection. */
function draw(upTo: Float64Array, random: Random): number {
  const target = random.uniform() * upTo[upTo.length - 1];
  let [low, high] = [0, upTo.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (upTo[middle] > target) high = middle;
    else low = middle + 1;
  }
  return low;
}
