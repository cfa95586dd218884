/**
 * Documents from a known topic model (latent Dirichlet allocation):
 *
 *     topics     μ_k ~ Dirichlet(β, …, β) over the words
 *     document   θ ~ Dirichlet(α₀/K, …, α₀/K), each word from Σ_k θ_k μ_k
 */
import { type Counts, countsFromTriplets, type Triplet } from '../core/counts.ts';
import { inputError } from '../core/errors.ts';
import { type Matrix64, row, zeros } from '../core/matrix.ts';
import { createRandom, type Random } from '../core/random.ts';

export interface GenerateTopicsOptions {
  readonly documents: number;
  /** Size of the vocabulary. */
  readonly words: number;
  readonly topics: number;
  /** Words per document. */
  readonly length: number;
  /** α₀: if small, each document has a single topic. */
  readonly alpha0?: number | undefined;
  /** β: if small, each topic has few words. */
  readonly concentration?: number | undefined;
  readonly seed: number;
}

export const generateTopicsDefaults = Object.freeze({ alpha0: 1, concentration: 0.1 } as const);

export interface GeneratedTopics {
  readonly counts: Counts;
  /** K×V, rows sum to 1. */
  readonly topics: Matrix64;
}

export function generateTopics(options: GenerateTopicsOptions): GeneratedTopics {
  const { documents, words, topics: K, length, seed } = options;
  const { alpha0 = generateTopicsDefaults.alpha0, concentration = generateTopicsDefaults.concentration } = options;
  for (const [name, value] of Object.entries({ documents, words, topics: K, length })) {
    if (!(Number.isInteger(value) && value > 0))
      throw inputError('generateTopics', name, 'a whole number from 1', value);
  }
  for (const [name, value] of Object.entries({ alpha0, concentration })) {
    if (!(value > 0 && Number.isFinite(value))) throw inputError('generateTopics', name, 'a number above 0', value);
  }
  const random = createRandom(seed, 'documents of a topic model');
  const topics = zeros(K, words);
  for (let k = 0; k < K; k++) row(topics, k).set(dirichlet(new Float64Array(words).fill(concentration), random));
  const upTo = Array.from({ length: K }, (_, k) => cumulative(row(topics, k)));
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
  return { counts: countsFromTriplets(documents, words, entries), topics };
}

/** Shares proportional to independent Gamma(α_k) numbers. */
export function dirichlet(alpha: Float64Array, random: Random): Float64Array {
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
