/** Every model for Node: a file name gives what the library gives for the array, and what was opened is closed. */
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { learn } from '#src/learn/learn.ts';
import { learnHouseholder } from '#src/models/householder/learn-householder.ts';
import { learnMixture } from '#src/models/mixtures/learn-mixture.ts';
import { learnSparsePca } from '#src/models/sparse-pca/learn-sparse-pca.ts';
import { learnMoments } from '#src/models/tensor/learn-moments.ts';
import { learnTensor } from '#src/models/tensor/learn-tensor.ts';
import { fromFactors } from '#src/models/tensor/symmetric-tensor.ts';
import { learnTopics } from '#src/models/topics/learn-topics.ts';
import { writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { writePicture } from '#src/node/io/picture-file.ts';
import * as nodeLearn from '#src/node/learn.ts';
import * as nodeModels from '#src/node/models.ts';
import { compressPicture } from '#src/pictures/compress.ts';
import { denoise } from '#src/pictures/denoise.ts';
import { generateHouseholder } from '#src/synthetic/householder.ts';
import { generateMixture } from '#src/synthetic/mixture.ts';
import { generateTopics } from '#src/synthetic/topics.ts';
import { bits } from '../helpers/bytes.ts';
import { fastKernels } from '../helpers/kernels.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { timeless } from '../helpers/timeless.ts';

const scratch = scratchDirectory();
const executor = inlineExecutor(fastKernels);
const { samples } = generateMixture({ samples: 300, features: 4, clusters: 3, seed: 2 });
const reflected = generateHouseholder({ samples: 200, features: 6, theta: 0.2, seed: 2 }).samples;
const { counts } = generateTopics({ documents: 60, words: 8, topics: 2, length: 30, seed: 2 });
const picture = {
  width: 24,
  height: 17,
  channels: 1,
  pixels: Float32Array.from({ length: 24 * 17 }, (_, k) => 0.5 + 0.3 * Math.sin(k / 3) + 0.1 * Math.sin(k * k)),
} as const;
const tensor = fromFactors({ rows: 2, cols: 2, data: Float64Array.of(1, 0, 0, 1) }, Float64Array.of(3, 2));

type Call = (data: unknown, options: object, run: object) => Promise<object>;
const models: [name: string, here: unknown, data: unknown, options: object][] = [
  ['compressPicture', compressPicture, picture, {}],
  ['denoise', denoise, picture, {}],
  ['learn', learn, samples, {}],
  ['learnHouseholder', learnHouseholder, reflected, {}],
  ['learnMixture', learnMixture, samples, { clusters: 3 }],
  ['learnMoments', learnMoments, samples, { whiten: true }],
  ['learnSparsePca', learnSparsePca, samples, { components: 2, nonzeros: 2 }],
  ['learnTensor', learnTensor, tensor, {}],
  ['learnTopics', learnTopics, counts, { topics: 2 }],
];

async function write(name: string, data: unknown): Promise<string> {
  const path = scratch.file(`${name}.${data === counts ? 'npz' : 'npy'}`);
  if (data === picture) await writePicture(path, picture);
  else if (data === tensor) await writeArray(path, { shape: [2, 2, 2], data: tensor.data });
  else if (data === counts) {
    const { rows, cols, indices, indptr } = counts;
    await writeArrays(path, {
      data: { shape: [counts.data.length], data: counts.data },
      indices: { shape: [indices.length], data: indices },
      indptr: { shape: [indptr.length], data: indptr },
      shape: { shape: [2], data: Int32Array.of(rows, cols) },
    });
  } else await writeArray(path, data as typeof samples);
  return path;
}

/** Everything but times, and functions of a dictionary. */
const lasting = (result: object) => {
  const { dictionary, ...rest } = timeless(result) as { dictionary?: { transform: object } };
  return bits({ ...rest, ...(dictionary && { transform: dictionary.transform }) });
};

const wrappers: Readonly<Record<string, unknown>> = { ...nodeLearn, ...nodeModels };

it('there is a wrapper for every model', () => {
  expect(Object.keys(wrappers).sort()).toEqual(models.map(([name]) => name).sort());
});

describe.each(models)('%s', (name, here, data, options) => {
  const wrapped = wrappers[name] as Call;

  it('gives for a file what the library gives for the array', async () => {
    const there = await wrapped(await write(name, data), options, { executor });
    expect(lasting(there) === lasting(await (here as Call)(data, options, { executor }))).toBe(true);
    expect(lasting(await wrapped(data, options, { executor })) === lasting(there)).toBe(true);
  });

  it('refuses a file that is not there, and an unknown option', async () => {
    await expect(wrapped(scratch.file('nothing.npy'), options, { executor })).rejects.toThrow(/cannot be read/);
    await expect(wrapped(data, { ...options, nothing: 1 }, { executor })).rejects.toBeInstanceOf(InputError);
  });
});
