/** Everything that learns, on small data: each method of `learn`, and each other model, with its options. */
import type { Matrix } from '#src/core/matrix.ts';
import type { OptionTable } from '#src/core/options.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { RunOptions } from '#src/engine/run.ts';
import type { Source } from '#src/engine/source/source.ts';
import { commonOptions } from '#src/learn/common-options.ts';
import { learn } from '#src/learn/learn.ts';
import { methods } from '#src/learn/options.ts';
import { learnHouseholder } from '#src/models/householder/learn-householder.ts';
import { householderOptions } from '#src/models/householder/options.ts';
import { learnMixture } from '#src/models/mixtures/learn-mixture.ts';
import { mixtureOptions } from '#src/models/mixtures/options.ts';
import { learnSparsePca } from '#src/models/sparse-pca/learn-sparse-pca.ts';
import { learnSparsePcaStream } from '#src/models/sparse-pca/learn-sparse-pca-stream.ts';
import { sparsePcaOptions, sparsePcaStreamOptions } from '#src/models/sparse-pca/options.ts';
import { learnMoments } from '#src/models/tensor/learn-moments.ts';
import { learnTensor } from '#src/models/tensor/learn-tensor.ts';
import { momentsOptions, tensorOptions } from '#src/models/tensor/options.ts';
import { symmetricTensor } from '#src/models/tensor/symmetric-tensor.ts';
import { learnTopics } from '#src/models/topics/learn-topics.ts';
import { topicsOptions } from '#src/models/topics/options.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { generateHouseholder } from '#src/synthetic/householder.ts';
import { generateMixture } from '#src/synthetic/mixture.ts';
import { generateSparseComponents } from '#src/synthetic/sparse-components.ts';
import { generateTopics } from '#src/synthetic/topics.ts';

export interface Learner {
  readonly name: string;
  readonly table: OptionTable;
  /** Options that keep it short. */
  readonly short: object;
  /** Data of its own. */
  readonly data: unknown;
  /** Whether its data is a matrix of samples. */
  readonly takesSamples: boolean;
  learn(data: unknown, options: object, run: RunOptions): Promise<object>;
}

const seed = 5;
const FEATURES = 6;
const sparse = generate({ samples: 900, features: FEATURES, theta: 0.3, seed }).samples;
const reflected = generateHouseholder({ samples: 300, features: FEATURES, reflectors: 1, theta: 0.2, seed }).samples;
const mixed = generateMixture({ samples: 300, features: 4, clusters: 3, spread: 2, seed }).samples;
const planted = generateSparseComponents({ samples: 30, features: 12, components: 2, nonzeros: 3, seed }).samples;
const { counts } = generateTopics({ documents: 80, words: 20, topics: 3, length: 30, seed });

function tensorOf(size: number) {
  const factors = normalMatrix(size, size, createRandom(seed, 'fuzz tensor')).data;
  const data = new Float64Array(size ** 3);
  for (let i = 0; i < data.length; i++) {
    const [a, b, c] = [Math.floor(i / size ** 2), Math.floor(i / size) % size, i % size];
    for (let r = 0; r < size; r++) data[i] += factors[r * size + a] * factors[r * size + b] * factors[r * size + c];
  }
  return symmetricTensor([size, size, size], data, 'learnTensor', 'tensor');
}

const ofSamples = (
  name: string,
  table: OptionTable,
  short: object,
  data: Matrix,
  call: (samples: Matrix | Source, options: never, run: RunOptions) => Promise<object>,
): Learner => ({
  name,
  table,
  short,
  data,
  takesSamples: true,
  learn: (samples, options, run) => call(samples as Matrix, options as never, run),
});

export const learners: readonly Learner[] = [
  ...methods.map(({ name, options, takes, learn: whole }) =>
    ofSamples(
      name,
      takes ? options : { ...commonOptions.table, ...options },
      { method: name, ...(takes ? {} : { maxIterations: 6 }) },
      whole ? reflected : sparse,
      learn,
    ),
  ),
  ofSamples('learnHouseholder', householderOptions.table, { reflectors: 1 }, reflected, learnHouseholder),
  ofSamples('learnMixture', mixtureOptions.table, { clusters: 3, starts: 2 }, mixed, learnMixture),
  ofSamples('learnMoments', momentsOptions.table, { starts: 2, whiten: true }, mixed, learnMoments),
  ofSamples('learnSparsePca', sparsePcaOptions.table, { components: 2, nonzeros: 3 }, sparse, learnSparsePca),
  {
    name: 'learnSparsePcaStream',
    table: sparsePcaStreamOptions.table,
    short: { components: 2, gamma: 0.3 },
    data: [planted],
    takesSamples: false,
    learn: (items, options, run) =>
      learnSparsePcaStream(items as never, options as never, run).then((found) => ({ ...found, taken: 0 })),
  },
  {
    name: 'learnTensor',
    table: tensorOptions.table,
    short: { starts: 2 },
    data: tensorOf(4),
    takesSamples: false,
    learn: (tensor, options, run) => learnTensor(tensor as never, options, run),
  },
  {
    name: 'learnTopics',
    table: topicsOptions.table,
    short: { topics: 3, starts: 2 },
    data: counts,
    takesSamples: false,
    learn: (words, options, run) => learnTopics(words as never, options as never, run),
  },
];

const named = (wanted: string): Learner => learners.find(({ name }) => name === wanted)!;

/** Methods with options that lead through other solvers. */
const VARIANTS: readonly [name: string, options: object][] = [
  ['msp', { whiten: 'zca' }],
  ['msp', { shift: 'none', momentum: 'on' }],
  ['msp', { components: 4 }],
  ['msp', { center: true }],
  ['learnSparsePca', { method: 'gpower' }],
];

/** Every learner, and some of them with other options. */
export const variants: readonly Learner[] = [
  ...learners,
  ...VARIANTS.map(([name, options]): Learner => {
    const { short, ...rest } = named(name);
    return { ...rest, name: `${name} ${JSON.stringify(options)}`, short: { ...short, ...options } };
  }),
];

/** Every number of a result but the times, as text; typed arrays bit by bit. */
export function fingerprint(result: object): string {
  return JSON.stringify(result, (name, value) => {
    if (name === 'seconds' || typeof value === 'function') return undefined;
    if (ArrayBuffer.isView(value))
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    return value;
  });
}
