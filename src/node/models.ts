/**
 * Every model for Node: data by file name, on all cores. The functions are the library's, with `threads` and `backend`
 * added to the run.
 */
import type { Counts } from '../core/counts.ts';
import { InputError } from '../core/errors.ts';
import type { Matrix } from '../core/matrix.ts';
import type { OptionTable } from '../core/options.ts';
import type { RunOptions } from '../engine/run.ts';
import type { Source } from '../engine/source.ts';
import { type LearnResult, learn as learnAnywhere } from '../learn/learn.ts';
import type { LearnOptions, OptionsFor } from '../learn/options.ts';
import * as householder from '../models/householder/learn-householder.ts';
import * as mixtures from '../models/mixtures/learn-mixture.ts';
import * as sparsePca from '../models/sparse-pca/learn-sparse-pca.ts';
import * as moments from '../models/tensor/learn-moments.ts';
import * as tensor from '../models/tensor/learn-tensor.ts';
import { type SymmetricTensor, symmetricTensor } from '../models/tensor/symmetric-tensor.ts';
import * as topics from '../models/topics/learn-topics.ts';
import { readArray } from './formats/arrays.ts';
import { readCounts } from './formats/counts.ts';
import { type NodeRunOptions, type Opened, openSamples, runOnNode } from './run.ts';

/** A model of the library. */
type Model<D> = (data: D, options: never, run?: RunOptions) => Promise<unknown>;
type Rest<F extends Model<never>> = undefined extends Parameters<F>[1]
  ? [options?: Parameters<F>[1], run?: NodeRunOptions]
  : [options: Parameters<F>[1], run?: NodeRunOptions];

/** The same model for Node; `open` turns a file name into data. */
function onNode<D, F extends Model<D>>(model: F, open: (data: D | string) => Promise<Opened<D>>) {
  return async (data: D | string, ...[options, run = {}]: Rest<F>): Promise<Awaited<ReturnType<F>>> => {
    const call = model as unknown as (data: D, options: unknown, run: RunOptions) => Promise<Awaited<ReturnType<F>>>;
    return runOnNode(
      () => open(data),
      run,
      (opened, inner) => call(opened, options, inner),
    );
  };
}

async function openTensor(given: SymmetricTensor | string): Promise<Opened<SymmetricTensor>> {
  if (typeof given !== 'string') return { data: given };
  const { shape, data } = await readArray(given);
  if (Array.isArray(data)) throw new InputError(`${given}: must hold numbers; got text.`);
  return { data: symmetricTensor(shape, data, 'learnTensor', given) };
}

const openCounts = async (given: Counts | string): Promise<Opened<Counts>> => ({
  data: typeof given === 'string' ? (await readCounts(given)).counts : given,
});

export const learnHouseholder = onNode<Matrix | Source, typeof householder.learnHouseholder>(
  householder.learnHouseholder,
  openSamples,
);
export const learnSparsePca = onNode<Matrix | Source, typeof sparsePca.learnSparsePca>(
  sparsePca.learnSparsePca,
  openSamples,
);
export const learnMixture = onNode<Matrix | Source, typeof mixtures.learnMixture>(mixtures.learnMixture, openSamples);
export const learnMoments = onNode<Matrix | Source, typeof moments.learnMoments>(moments.learnMoments, openSamples);
export const learnTensor = onNode<SymmetricTensor, typeof tensor.learnTensor>(tensor.learnTensor, openTensor);
export const learnTopics = onNode<Counts, typeof topics.learnTopics>(topics.learnTopics, openCounts);

/** `samples`: a matrix, a source, or the name of a file. */
export async function learn<T extends OptionTable>(
  samples: Matrix | Source | string,
  options: OptionsFor<T>,
  run?: NodeRunOptions,
): Promise<LearnResult>;
export async function learn(
  samples: Matrix | Source | string,
  options?: LearnOptions,
  run?: NodeRunOptions,
): Promise<LearnResult>;
export async function learn(
  samples: Matrix | Source | string,
  options: object = {},
  run: NodeRunOptions = {},
): Promise<LearnResult> {
  return runOnNode(
    () => openSamples(samples),
    run,
    (data, inner) => learnAnywhere(data, options as LearnOptions, inner),
  );
}
