/** What every model refuses, in the same words: the function that was called, what it must be, what it got. */
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { learn } from '#src/learn/learn.ts';
import { learnHouseholder } from '#src/models/householder/learn-householder.ts';
import { learnMixture } from '#src/models/mixtures/learn-mixture.ts';
import { learnSparsePca } from '#src/models/sparse-pca/learn-sparse-pca.ts';
import { learnSparsePcaStream } from '#src/models/sparse-pca/learn-sparse-pca-stream.ts';
import { learnMoments } from '#src/models/tensor/learn-moments.ts';
import { learnTensor } from '#src/models/tensor/learn-tensor.ts';
import { learnTopics } from '#src/models/topics/learn-topics.ts';
import { compressPicture } from '#src/pictures/compress.ts';
import { denoise } from '#src/pictures/denoise.ts';
import { generateMixture } from '#src/synthetic/mixture.ts';
import { generateTopics } from '#src/synthetic/topics.ts';

const { samples } = generateMixture({ samples: 20, features: 3, clusters: 2 });
const { counts } = generateTopics({ documents: 20, words: 6, topics: 2, length: 9 });
const picture = { width: 9, height: 9, pixels: new Uint8Array(81) };
const tensor = { size: 1, data: Float64Array.of(1) };

type Called = (samples: unknown, options: object, run: object) => Promise<unknown>;

/** Function, samples, options. */
const models: [string, unknown, unknown, object][] = [
  ['compressPicture', compressPicture, picture, {}],
  ['denoise', denoise, picture, {}],
  ['learn', learn, samples, {}],
  ['learnHouseholder', learnHouseholder, samples, {}],
  ['learnMixture', learnMixture, samples, { clusters: 2 }],
  ['learnMoments', learnMoments, samples, {}],
  ['learnSparsePca', learnSparsePca, samples, { components: 2, gamma: 0.1 }],
  ['learnSparsePcaStream', learnSparsePcaStream, [samples], { components: 2, gamma: 0.1 }],
  ['learnTensor', learnTensor, tensor, {}],
  ['learnTopics', learnTopics, counts, { topics: 2 }],
];

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(InputError);
  return error.message;
}

describe.each(models)('%s', (name, called, data, options) => {
  const model = called as Called;

  it('refuses names that it does not know, and options that are none', async () => {
    expect(await refusal(model(data, { ...options, strts: 3 }, {}))).toMatch(
      new RegExp(`^${name}: there is no option "strts"; known: .*seed`),
    );
    expect(await refusal(model(data, options, { onProgres() {} }))).toMatch(
      new RegExp(`^${name}: the run must be of `),
    );
    expect(await refusal(model(data, { ...options, seed: '1' }, {}))).toBe(
      `${name}: seed must be a whole number; got 1.`,
    );
    expect(await refusal(model(data, null as never, {}))).toBe(`${name}: options must be an object; got null.`);
  });

  it.each([[undefined], [null], [3], [{}], [{ rows: 2, cols: 2 }]])('refuses %j instead of data', async (wrong) => {
    expect(await refusal(model(wrong, options, {}))).toMatch(
      new RegExp(`^${name}: (samples|tensor|counts|picture)[.a-z]* must be `),
    );
  });

  it('refuses resume without a checkpoint', async () => {
    expect(await refusal(model(data, options, { resume: true }))).toContain('resume must be given with checkpoint');
  });
});

describe('matrices', () => {
  const half = { ...samples, data: samples.data.subarray(0, 30) };
  const ofMatrices = models.filter(([, , data]) => data === samples);
  const rows = [
    [1, 2],
    [3, 4],
  ];

  it.each(ofMatrices)('of half the data are refused by %s', async (name, model, _, options) => {
    const message = await refusal((model as Called)(half, options, {}));
    expect(message).toBe(`${name}: samples.data must be of length 60 (20×3); got 30.`);
  });

  it.each(ofMatrices)('that are arrays are refused by %s', async (name, model, _, options) => {
    const message = await refusal((model as Called)(rows, options, {}));
    expect(message).toContain(`${name}: samples must be a matrix {rows, cols, data}; got an array; fromRows turns`);
  });

  it.each(ofMatrices)('that are not finite are refused by %s', async (name, model, _, options) => {
    const spoiled = { ...samples, data: samples.data.map((y, at) => (at === 31 ? Number.NaN : y)) };
    const message = await refusal((model as Called)(spoiled, options, {}));
    expect(message).toBe(`${name}: samples must be finite; got NaN at row 10, column 1.`);
  });

  it('of half the data are refused by a stream', async () => {
    const message = await refusal(learnSparsePcaStream([half], { components: 2, gamma: 0.1 }));
    expect(message).toBe('learnSparsePcaStream: samples.data must be of length 60 (20×3); got 30.');
    expect((await learnSparsePcaStream(rows, { components: 1, gamma: 0.1 })).samples).toBe(2);
  });
});
