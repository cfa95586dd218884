/**
 * Provides every model but `learn` (learn.ts) for Node: data by file name, on all cores. The functions are the library's, with
 * `threads` and `backend` added to the run.
 */
import type { Counts } from '../core/counts.ts';
import { InputError } from '../core/errors.ts';
import type { Matrix } from '../core/matrix.ts';
import type { RunOptions } from '../engine/run.ts';
import type { Source } from '../engine/source/source.ts';
import * as householder from '../models/householder/learn-householder.ts';
import * as mixtures from '../models/mixtures/learn-mixture.ts';
import * as sparsePca from '../models/sparse-pca/learn-sparse-pca.ts';
import * as moments from '../models/tensor/learn-moments.ts';
import * as tensor from '../models/tensor/learn-tensor.ts';
import { type SymmetricTensor, symmetricTensor } from '../models/tensor/symmetric-tensor.ts';
import * as topics from '../models/topics/learn-topics.ts';
import * as compressing from '../pictures/compress.ts';
import * as denoising from '../pictures/denoise.ts';
import type { Picture, Pixels } from '../pictures/picture.ts';
import { readArray } from './io/arrays.ts';
import { readCounts } from './io/counts.ts';
import type { FileSourceOptions } from './io/file-source.ts';
import { readPicture } from './io/picture-file.ts';
import { type NodeRunOptions, type OnShape, type Opened, openSamples, runOnNode } from './run.ts';

/** A function of the library that learns a model. */
type Model<D> = (data: D, options: never, run?: RunOptions) => Promise<unknown>;
type Rest<F extends Model<never>> = undefined extends Parameters<F>[1]
  ? [options?: Parameters<F>[1], run?: NodeRunOptions]
  : [options: Parameters<F>[1], run?: NodeRunOptions];

type Open<D> = (data: D | string, onShape: OnShape, options: FileSourceOptions) => Promise<Opened<D>>;

/** Adapts a function of the library to Node; `open` turns a file name into data. */
function onNode<D, F extends Model<D>>(who: string, model: F, open: Open<D>) {
  return async (data: D | string, ...[options, run = {}]: Rest<F>): Promise<Awaited<ReturnType<F>>> => {
    const call = model as unknown as (data: D, options: unknown, run: RunOptions) => Promise<Awaited<ReturnType<F>>>;
    return runOnNode(
      (onShape, reading) => open(data, onShape, reading),
      run,
      (opened, inner) => call(opened, options, inner),
      who,
    );
  };
}

/** Adapts a function of samples, which may be the name of a file. */
const ofSamples = <F extends Model<Matrix | Source>>(who: string, model: F) =>
  onNode<Matrix | Source, F>(who, model, openSamples);

async function openTensor(given: SymmetricTensor | string): Promise<Opened<SymmetricTensor>> {
  if (typeof given !== 'string') return { data: given };
  const { shape, data } = await readArray(given);
  if (Array.isArray(data)) throw new InputError(`${given}: must hold numbers; got text.`);
  return { data: symmetricTensor(shape, data, 'learnTensor', given) };
}

const openCounts = async (given: Counts | string): Promise<Opened<Counts>> => ({
  data: typeof given === 'string' ? (await readCounts(given)).counts : given,
});

const openPicture = async (given: Picture<Pixels> | string): Promise<Opened<Picture<Pixels>>> => ({
  data: typeof given === 'string' ? await readPicture(given) : given,
});

const openWithAlpha = async (given: Picture<Pixels> | string): Promise<Opened<Picture<Pixels>>> => ({
  data: typeof given === 'string' ? await readPicture(given, undefined, { transparency: 'keep' }) : given,
});

/** Removes noise from a picture on all cores; it may be the name of a file. */
export const denoise = onNode('denoise', denoising.denoise, openWithAlpha);

/** Compresses a picture; it may be the name of a file. */
export const compressPicture = onNode('compressPicture', compressing.compressPicture, openPicture);

/**
 * Learns a product of Householder reflectors; `samples` may be the name of a file.
 *
 * @example
 * ```js
 * import { generateHouseholder } from 'orthodict';
 * import { learnHouseholder } from 'orthodict/node';
 *
 * const { samples } = generateHouseholder({ samples: 5000, features: 50, theta: 0.3, reflectors: 2, seed: 1 });
 * const { reflectors } = await learnHouseholder(samples, { reflectors: 2 }, { threads: 2 });
 * console.log(reflectors.rows, reflectors.cols); // 2 50
 * ```
 */
export const learnHouseholder = ofSamples('learnHouseholder', householder.learnHouseholder);

/**
 * Learns sparse principal components; `samples` may be the name of a file.
 *
 * @example
 * ```js
 * import { learnSparsePca } from 'orthodict/node';
 *
 * const { loadings } = await learnSparsePca('data.npz', { components: 3, nonzeros: 5 });
 * console.log(loadings.rows, loadings.cols); // 3 20
 * ```
 */
export const learnSparsePca = ofSamples('learnSparsePca', sparsePca.learnSparsePca);

/**
 * Learns a mixture of Gaussians; `samples` may be the name of a file.
 *
 * @example
 * ```js
 * import { generateMixture } from 'orthodict';
 * import { learnMixture } from 'orthodict/node';
 *
 * const { samples } = generateMixture({ samples: 2000, features: 10, clusters: 3, spread: 4, seed: 1 });
 * const { means, labels } = await learnMixture(samples, { clusters: 3 });
 * console.log(means.rows, means.cols, labels.length); // 3 10 2000
 * ```
 */
export const learnMixture = ofSamples('learnMixture', mixtures.learnMixture);

/**
 * Learns orthogonal factors of the third moment of samples; `samples` may be the name of a file.
 *
 * @example
 * ```js
 * import { learnMoments } from 'orthodict/node';
 *
 * const { factors } = await learnMoments('data.npz', { whiten: true, maxIterations: 20 });
 * console.log(factors.rows, factors.cols); // 20 20
 * ```
 */
export const learnMoments = ofSamples('learnMoments', moments.learnMoments);

/**
 * Learns orthogonal factors of a symmetric tensor; it may be the name of a file with a d×d×d array.
 *
 * @example
 * ```js
 * import { fromFactors, fromRows } from 'orthodict';
 * import { learnTensor, writeArray } from 'orthodict/node';
 *
 * const { data } = fromFactors(fromRows([[0.6, 0.8], [-0.8, 0.6]]), [3, 2]);
 * await writeArray('tensor.npy', { shape: [2, 2, 2], data });
 * const { weights } = await learnTensor('tensor.npy');
 * console.log(Math.round(weights[0]), Math.round(weights[1])); // 3 2
 * ```
 */
export const learnTensor = onNode('learnTensor', tensor.learnTensor, openTensor);

/**
 * Learns topics of documents; the counts may be the name of a file that `readCounts` reads.
 *
 * @example
 * ```js
 * import { generateTopics } from 'orthodict';
 * import { learnTopics } from 'orthodict/node';
 *
 * const { counts } = generateTopics({ documents: 500, words: 100, topics: 3, length: 100, seed: 1 });
 * const { topics } = await learnTopics(counts, { topics: 3 });
 * console.log(topics.rows, topics.cols); // 3 100
 * ```
 */
export const learnTopics = onNode('learnTopics', topics.learnTopics, openCounts);
