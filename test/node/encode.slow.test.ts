/** Encoding and decoding files by their names, to memory and to files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { identity, type Matrix, rowRange, toFloat32 } from '#src/core/matrix.ts';
import type { Model } from '#src/dictionaries/model.ts';
import type { Progress } from '#src/engine/stop.ts';
import { denseDictionary, generate } from '#src/index.ts';
import { readWavHeader } from '#src/io/codecs/wav/header.ts';
import { decode, encode, learn, loadModel, readMatrix, saveModel, writeArrays } from '#src/node/index.ts';
import { withBytes } from '#src/node/io/arrays.ts';
import { writeRows } from '#src/node/io/write-rows.ts';
import { bits } from '../helpers/bytes.ts';
import { scratchDirectory } from '../helpers/scratch.ts';

const f = scratchDirectory().file;
const { samples } = generate({ samples: 9000, features: 16, theta: 0.3, seed: 3 });
const run = { threads: 2, backend: 'wasm' } as const;
let model: Model;
let codes: Matrix;

beforeAll(async () => {
  await saveModel(f('model.npz'), await learn(samples, { center: true, maxIterations: 5 }));
  await writeArrays(f('data.npz'), { samples });
  model = await loadModel(f('model.npz'));
  codes = await encode(f('model.npz'), f('data.npz'), { keep: 3 }, run);
});

const refusal = (promise: Promise<unknown>): Promise<unknown> => promise.then(String, (error) => error);

it('gives the same codes for names of files, models, dictionaries and matrices', async () => {
  expect([codes.rows, codes.cols]).toEqual([9000, 16]);
  for (const given of [model, model.dictionary, f('model.npz')]) {
    expect(bits(await encode(given, samples, { keep: 3 }, run))).toBe(bits(codes));
    expect(bits(await encode(given, f('data.npz:samples'), { keep: 3 }, { ...run, memoryLimit: 0 }))).toBe(bits(codes));
  }
});

it.each(['npz', 'npy', 'csv', 'tsv', 'parquet'])('writes the same codes to .%s', async (ending) => {
  const out = f(`codes.${ending}`);
  const written = await encode(f('model.npz'), f('data.npz'), { keep: 3, out }, run);
  expect(written).toEqual({ out, samples: 9000, components: 16, density: 3 / 16 });
  expect(bits(await readMatrix(out))).toBe(bits(codes));
});

it('writes only the codes that are not zero, and decodes them', async () => {
  const out = f('sparse.npz');
  await encode(model, f('data.npz'), { keep: 3, sparse: true, out }, run);
  const back = await decode(model, codes);
  expect(bits(await decode(model, out))).toBe(bits(back));
  expect(await decode(f('model.npz'), out, { out: f('back.npy') })).toEqual({
    out: f('back.npy'),
    samples: 9000,
    features: 16,
  });
  expect(bits(await readMatrix(f('back.npy')))).toBe(bits(back));
});

it('a sound has the frames per second of its source', async () => {
  const loud = Array.from({ length: 200 }, (_, k) => 0.5 * Math.sin(k));
  async function* pieces() {
    yield Float64Array.from(loud);
  }
  await writeRows(f('in.wav'), {
    name: 'x',
    rows: 100,
    names: ['l', 'r'],
    precision: 'f64',
    rate: 8000,
    pieces: pieces(),
  });
  const dictionary = denseDictionary({ atoms: identity(2) });
  await encode(dictionary, f('in.wav'), { out: f('out.wav') }, run);
  const rateOf = async (name: string) => (await withBytes(f(name), {}, readWavHeader)).rate;
  expect([await rateOf('in.wav'), await rateOf('out.wav')]).toEqual([8000, 8000]);
  await encode(dictionary, { rows: 100, cols: 2, data: Float64Array.from(loud) }, { out: f('rated.wav') }, run);
  expect(await rateOf('rated.wav')).toBe(44_100);
});

it('writes many files to a folder, and counts the rows', async () => {
  const seen: Progress[] = [];
  const onProgress = (progress: Progress) => void seen.push(progress);
  await encode(model, f('data.npz'), { keep: 3, out: f('codes/') }, { ...run, onProgress });
  expect(readdirSync(f('codes'))).toEqual(['codes-00000.npy']);
  expect(bits(await readMatrix(f('codes')))).toBe(bits(codes));
  expect(seen.at(-1)).toMatchObject({ solver: 'encode', iteration: 9000, ends: { iterations: 9000 } });
});

it('decodes on threads if the run says so', async () => {
  const near = await decode(model, codes, {}, run);
  const far = await decode(model, codes);
  near.data.forEach((y, k) => {
    if (Math.abs(y - far.data[k]) > 1e-12) throw new Error(`sample ${k}: ${y} and ${far.data[k]}`);
  });
});

it('writes the precision that is asked for', async () => {
  await encode(model, samples, { precision: 'f32', out: f('narrow.npy') }, run);
  const { data } = await readMatrix(f('narrow.npy'));
  expect(data).toBeInstanceOf(Float32Array);
  const narrow = await encode(model, toFloat32(samples), {}, run);
  expect(narrow.data).toBeInstanceOf(Float32Array);
});

it('leaves no file of a run that is aborted', async () => {
  const controller = new AbortController();
  const onProgress = ({ iteration }: Progress) => iteration > 0 && controller.abort(new Error('enough'));
  const { signal } = controller;
  const options = { out: f('never.npy') };
  await expect(encode(model, samples, options, { ...run, signal, onProgress })).rejects.toThrow('enough');
  expect(existsSync(f('never.npy'))).toBe(false);
});

it.each<readonly [string, () => Promise<unknown>, string]>([
  [
    'another ending',
    () => encode(model, samples, { out: 'codes.txt' }),
    'encode: out must be a file ending in .npz or .npy or .csv or .tsv or .parquet or .wav; got "codes.txt".',
  ],
  [
    'sparse codes in text',
    () => encode(model, samples, { out: 'codes.csv', sparse: true }),
    'encode: out must be a file ending in .npz; got "codes.csv".',
  ],
  [
    'sparse codes in memory',
    () => encode(model, samples, { sparse: true } as never),
    'encode: out must be a file ending in .npz; got undefined.',
  ],
  [
    'sound that is decoded',
    () => decode(model, identity(16), { out: 'samples.wav' }),
    'decode: out must be a file ending in .npz or .npy or .csv or .tsv or .parquet; got "samples.wav".',
  ],
  [
    'keep and threshold',
    () => encode(model, 'missing.npz', { keep: 1, threshold: 1 }),
    'encode: the selection must be either keep or threshold; got both.',
  ],
  ['options that are none', () => encode(model, samples, 3 as never), 'encode: options must be an object; got 3.'],
  [
    'what is no model',
    () => encode(rowRange(samples, 0, 2) as never, samples),
    'encode: model must be a dictionary, a model {dictionary, meta} or the name of its file; got 2×16 and 32 numbers.',
  ],
])('refuses %s in one sentence', async (_, call, sentence) => {
  expect(await refusal(call())).toEqual(new InputError(sentence));
});

it('refuses columns of other names than those of the model', async () => {
  const names = Array.from({ length: 16 }, (_, k) => `c${k}`);
  async function* pieces() {
    yield samples.data;
  }
  const table = { name: 'samples', rows: 9000, precision: 'f64', pieces: pieces() } as const;
  await writeRows(f('data.csv'), { ...table, names });
  const named = { ...model, meta: { ...model.meta, features: names.with(3, 'other') } };
  expect(await refusal(encode(named, f('data.csv')))).toEqual(
    new InputError('encode: the columns must be those of the model; got "c3" where the model has "other".'),
  );
  expect(readFileSync(f('data.csv'), 'utf8').slice(0, 8)).toBe('c0,c1,c2');
});
