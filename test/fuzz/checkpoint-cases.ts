/** Every model that saves checkpoints, at small sizes: the methods of the registry, and the models with their own doors. */
import type { Checkpoint, CheckpointStore } from '#src/engine/checkpoint.ts';
import { inlineExecutor } from '#src/engine/inline.ts';
import type { RunOptions } from '#src/engine/run.ts';
import { type LearnResult, learn } from '#src/learn/learn.ts';
import { methods } from '#src/learn/method-list.ts';
import type { AnyMethod } from '#src/learn/methods/method.ts';
import type { LearnOptions } from '#src/learn/options.ts';
import { learnHouseholder } from '#src/models/householder/learn-householder.ts';
import { learnMixture } from '#src/models/mixtures/learn-mixture.ts';
import { learnSparsePca } from '#src/models/sparse-pca/learn-sparse-pca.ts';
import { learnSparsePcaStream } from '#src/models/sparse-pca/learn-sparse-pca-stream.ts';
import { learnMoments } from '#src/models/tensor/learn-moments.ts';
import { learnTensor } from '#src/models/tensor/learn-tensor.ts';
import { fromFactors } from '#src/models/tensor/symmetric-tensor.ts';
import { learnTopics } from '#src/models/topics/learn-topics.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { generateHouseholder } from '#src/synthetic/householder.ts';
import { generateMixture } from '#src/synthetic/mixture.ts';
import { generateSparseComponents } from '#src/synthetic/sparse-components.ts';
import { generateTopics } from '#src/synthetic/topics.ts';
import { fastKernels } from '../helpers/kernels.ts';

/** A model on fixed data and options. */
export type Model = (run: RunOptions) => Promise<object>;

export interface CheckpointCase {
  readonly name: string;
  readonly model: Model;
  /** The result of a run that was never interrupted, as text. */
  readonly whole: string;
  /** What it saved on its way. */
  readonly saved: readonly Checkpoint[];
}

const seed = 5;
const executor = inlineExecutor(fastKernels);
const sparse = generate({ samples: 300, features: 6, theta: 0.3, seed }).samples;
const reflected = generateHouseholder({ samples: 60, features: 20, reflectors: 1, theta: 0.3, seed }).samples;
const mixed = generateMixture({ samples: 120, features: 4, clusters: 3, spread: 1, seed }).samples;
const { counts } = generateTopics({ documents: 60, words: 15, topics: 3, length: 30, seed });
const planted = generateSparseComponents({ samples: 30, features: 12, components: 2, nonzeros: 3, seed }).samples;
const factors = { rows: 3, cols: 3, data: Float64Array.of(1, 0.2, 0, 0.1, 1, 0.3, 0, 0.2, 1) };
const tensor = fromFactors(factors, Float64Array.of(3, 2, 1));

const dictionaryOf = ({ dictionary, status, iterations, passes }: LearnResult) => {
  const { atoms, encoder, mean } = dictionary;
  return { atoms, encoder, mean, status, iterations, passes };
};
const learned =
  (options: LearnOptions): Model =>
  async (run) =>
    dictionaryOf(await learn(sparse, { seed, maxIterations: 5, ...options } as LearnOptions, run));

function methodCase({ name, learn: own }: AnyMethod): [string, Model] {
  if (own) return [name, async (run) => dictionaryOf(await learn(reflected, { method: name as 'householder' }, run))];
  return [name, learned({ method: name } as LearnOptions)];
}

const MODELS: Readonly<Record<string, Model>> = {
  ...Object.fromEntries(methods.map(methodCase)),
  'msp, whitened': learned({ whiten: 'zca' }),
  'msp, momentum': learned({ shift: 'none', momentum: true }),
  'msp, few components': learned({ components: 4 }),
  'subgradient, whole': learned({ method: 'subgradient', search: 'whole' }),
  'subgradient, two rounds': learned({ method: 'subgradient', tolerance: 0.28, maxIterations: 30 }),
  learnHouseholder: (run) => learnHouseholder(reflected, {}, run),
  mixture: (run) => learnMixture(mixed, { clusters: 3, starts: 2, maxIterations: 5 }, run),
  topics: (run) => learnTopics(counts, { topics: 3, starts: 2 }, run),
  tensor: (run) => learnTensor(tensor, { starts: 2 }, run),
  moments: (run) => learnMoments(mixed, { starts: 2, maxIterations: 4 }, run),
  'sparse-pca': (run) => learnSparsePca(planted, { components: 2, gamma: 0.3 }, run),
  'sparse-pca, power method': (run) => learnSparsePca(planted, { components: 2, gamma: 0.3, method: 'gpower' }, run),
  'sparse-pca, stream': (run) =>
    learnSparsePcaStream([planted], { components: 2, gamma: 0.3 }, run).then((found) => ({ ...found, taken: 0 })),
};

/** Runs every model once. */
export async function checkpointCases(): Promise<CheckpointCase[]> {
  const cases: CheckpointCase[] = [];
  for (const [name, model] of Object.entries(MODELS)) {
    const saved: Checkpoint[] = [];
    const recorder: CheckpointStore = {
      interval: 0,
      load: async () => undefined,
      save: async (checkpoint) => void saved.push(structuredClone(checkpoint)),
    };
    const whole = textOf(await model({ executor, checkpoint: recorder }));
    cases.push({ name, model, whole, saved: saved.length > 0 ? saved : [await abortedAtOnce(model)] });
  }
  return cases;
}

/** What a model without loops saves when it is aborted. */
async function abortedAtOnce(model: Model): Promise<Checkpoint> {
  let saved: Checkpoint | undefined;
  const controller = new AbortController();
  const save = async (checkpoint: Checkpoint) => {
    saved = checkpoint;
  };
  const checkpoint = { interval: 0, load: async () => undefined, save };
  const onProgress = ({ solver }: { readonly solver: string }) => solver.includes('zeros') && controller.abort();
  await model({ executor, checkpoint, signal: controller.signal, onProgress });
  return saved!;
}

/** Resumes from a store; the result as text. */
export const resumed = async (model: Model, checkpoint: CheckpointStore): Promise<string> =>
  textOf(await model({ executor, checkpoint, resume: true, onWarning: () => {} }));

/** Every number of a result, without its time. */
const textOf = (result: object): string =>
  JSON.stringify(result, (name, value) => {
    if (name === 'seconds') return undefined;
    if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array, String);
    return typeof value === 'number' ? String(value) : value;
  });
