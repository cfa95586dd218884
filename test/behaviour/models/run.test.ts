/** The `run` of every model: progress, executor, and resuming after an abort with the result of an uninterrupted run. */
import { describe, expect, it } from 'vitest';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { CheckpointStore } from '#src/engine/checkpoint.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import type { RunOptions } from '#src/engine/run.ts';
import type { Progress, Status } from '#src/engine/stop.ts';
import type { Kernels } from '#src/kernels/kernels.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { learnMixture } from '#src/models/mixtures/learn-mixture.ts';
import { learnSparsePca } from '#src/models/sparse-pca/learn-sparse-pca.ts';
import { learnSparsePcaStream } from '#src/models/sparse-pca/learn-sparse-pca-stream.ts';
import { learnMoments } from '#src/models/tensor/learn-moments.ts';
import { learnTensor } from '#src/models/tensor/learn-tensor.ts';
import { learnTopics } from '#src/models/topics/learn-topics.ts';
import { generateMixture } from '#src/synthetic/mixture.ts';
import { generateSparseComponents } from '#src/synthetic/sparse-components.ts';
import { generateTopics } from '#src/synthetic/topics.ts';
import { testSeed } from '../../helpers/seed.ts';
import { memoryStore } from '../../helpers/store.ts';
import { timeless } from '../../helpers/timeless.ts';
import { odeco, withNoise } from '../../models/tensor/helpers.ts';

const seed = testSeed(91);
const random = createRandom(seed, 'resume');
const mixed = generateMixture({ samples: 300, features: 4, clusters: 3, spread: 1, seed }).samples;
const { counts } = generateTopics({ documents: 120, words: 25, topics: 3, length: 30, seed });
const tensor = withNoise(odeco(5, random).T, 0.2, seed);
const skewed = { ...mixed, data: mixed.data.map((y) => y ** 2) };
const planted = generateSparseComponents({ samples: 40, features: 25, components: 3, nonzeros: 4, seed }).samples;

const shapeless = normalMatrix(40, 25, random);

type Model = (run: RunOptions, other?: number) => Promise<{ readonly status: Status; readonly seconds: number }>;

/** `other`: an option that differs. */
const models: Readonly<Record<string, Model>> = {
  mixture: (run, other = 0) => learnMixture(mixed, { clusters: 3, starts: 3, seed: other }, run),
  'mixtures of several sizes': (run, other = 0) =>
    learnMixture(mixed, { clusters: [1, 2, 3], covariance: 'full', starts: 2, tolerance: 1e-3, seed: other }, run),
  topics: (run, other = 0) => learnTopics(counts, { topics: 3, starts: 3, seed: other }, run),
  tensor: (run, other = 0) => learnTensor(tensor, { starts: 3, seed: other }, run),
  moments: (run, other = 0) => learnMoments(skewed, { whiten: true, starts: 2, seed: other }, run),
  'sparse PCA by rotations': (run, nonzeros = 4) =>
    learnSparsePca(planted, { components: 3, nonzeros, method: 'givens' }, run),
  'sparse PCA with a threshold': (run, gamma = 0.5) =>
    learnSparsePca(planted, { components: 3, gamma, method: 'givens' }, run),
  'sparse PCA by variance': (run, nonzeros = 4) => learnSparsePca(shapeless, { components: 4, nonzeros }, run),
  'sparse PCA with shared non-zeros': (run, totalNonzeros = 20) =>
    learnSparsePca(shapeless, { components: 4, totalNonzeros }, run),
  'sparse PCA by the power method': (run, gamma = 0.5) =>
    learnSparsePca(planted, { components: 3, gamma, method: 'gpower-deflation' }, run),
};

async function stepsOf(model: Model): Promise<number> {
  const steps: Progress[] = [];
  await model({ onProgress: (progress) => progress.iteration > 0 && steps.push(progress) });
  return steps.length;
}

/** Runs until the progress of step `at` and aborts there; a model that has nothing yet throws the reason. */
async function abortAt(model: Model, at: number, checkpoint: CheckpointStore): Promise<void> {
  const controller = new AbortController();
  let steps = 0;
  const onProgress = ({ iteration }: Progress) => {
    if (iteration > 0 && ++steps === at) controller.abort(new Error('enough'));
  };
  try {
    expect((await model({ checkpoint, signal: controller.signal, onProgress })).status).toBe('aborted');
  } catch (error) {
    expect((error as Error).message).toBe('enough');
  }
}

describe.each(Object.entries(models))('%s', (_, model) => {
  it('resumes after an abort with the same result, without repeating finished loops', async () => {
    const [whole, steps] = [timeless(await model({})), await stepsOf(model)];
    expect(steps).toBeGreaterThan(2); // at least one abort between loops, and one before the last step
    for (let at = 1; at < steps; at += Math.ceil(steps / 12)) {
      const checkpoint = memoryStore();
      await abortAt(model, at, checkpoint);
      const rest: Progress[] = [];
      const onProgress = (progress: Progress) => progress.iteration > 0 && rest.push(progress);
      expect(timeless(await model({ checkpoint, resume: true, onProgress }))).toEqual(whole);
      expect(rest.length).toBe(steps - at);
    }
  });

  it('refuses the checkpoint of other options', async () => {
    const checkpoint = memoryStore();
    await abortAt(model, 2, checkpoint);
    await expect(model({ checkpoint, resume: true }, 7)).rejects.toThrow(
      'the checkpoint must have been made with the same options',
    );
  });
});

it('mixtures refuse the checkpoint of other samples, and tensors that of a mixture', async () => {
  const checkpoint = memoryStore();
  await abortAt(models.mixture, 2, checkpoint);
  const others = normalMatrix(300, 4, random);
  await expect(learnMixture(others, { clusters: 3, starts: 3 }, { checkpoint, resume: true })).rejects.toThrow(
    'learnMixture: the checkpoint must have been made from the same data; got one from other samples.',
  );
  await expect(models.tensor({ checkpoint, resume: true })).rejects.toThrow(
    'learnTensor: the checkpoint must have been made with the same options; got another model ("mixture" there, "tensor" here)',
  );
});

it.each([
  ['mixture', ['moments', 'starts', 'repair', 'expectation maximisation']],
  ['topics', ['moments', 'tensor', 'variational steps']],
  ['tensor', ['tensor']],
  ['moments', ['moments', 'tensor']],
  ['sparse PCA by rotations', ['moments', 'givens', 'gpower']],
  ['sparse PCA by variance', ['moments', 'variance']],
])('%s reports its stages and steps, and computes with the kernels of the executor', async (name, stages) => {
  let products = 0;
  const multiply: Kernels['multiply'] = (...factors) => {
    products++;
    return referenceKernels.multiply(...factors);
  };
  const reported: Progress[] = [];
  const executor = inlineExecutor({ ...referenceKernels, multiply });
  await models[name]({ executor, onProgress: (progress) => reported.push(progress) });
  expect([...new Set(reported.map(({ solver }) => solver))]).toEqual(stages);
  for (const { iteration, objective, change, seconds } of reported) {
    expect(Number.isNaN(objective)).toBe(iteration === 0);
    expect(Number.isNaN(change)).toBe(iteration === 0);
    expect(seconds).toBeGreaterThanOrEqual(0);
  }
  expect(products).toBeGreaterThan(0);
});

describe('a stream', () => {
  const rows = (first: number, end: number) => ({
    rows: end - first,
    cols: 25,
    data: planted.data.subarray(first * 25, end * 25),
  });
  const batches = () => [rows(0, 7), rows(7, 20), rows(20, 21), rows(21, 40)];
  const options = { components: 3, nonzeros: 4 };

  it.each([7, 20, 21])('resumes after %d samples, whatever the batches', async (at) => {
    const whole = await learnSparsePcaStream(batches(), options);
    const checkpoint = memoryStore();
    const controller = new AbortController();
    const onProgress = ({ iteration }: Progress) => iteration === at && controller.abort();
    const cut = await learnSparsePcaStream(batches(), options, { checkpoint, signal: controller.signal, onProgress });
    expect(cut).toMatchObject({ status: 'aborted', samples: at, taken: at });
    for (const items of [batches(), [planted], Array.from({ length: 40 }, (_, j) => rows(j, j + 1).data)]) {
      const store = { ...checkpoint, save: async () => {} };
      const resumed = await learnSparsePcaStream(items, options, { checkpoint: store, resume: true });
      expect({ ...timeless(resumed), taken: 40 }).toEqual(timeless(whole));
      expect(resumed.taken).toBe(40 - at);
    }
    const changed = [{ ...planted, data: planted.data.map((y) => y + 1) }];
    await expect(learnSparsePcaStream(changed, options, { checkpoint, resume: true })).rejects.toThrow(
      'learnSparsePcaStream: the checkpoint must have been made from the same data',
    );
  });
});
