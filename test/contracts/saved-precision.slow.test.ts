/**
 * Float32 in, float32 out: every kind of model that a command saves, and every kind of codes, has the precision of the samples in
 * each of its float arrays. What is loaded again is as good as float32 can say.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { fromRows, type Matrix, maxDifference, type Precision, toFloat32, toFloat64 } from '#src/core/matrix.ts';
import { largestMagnitude } from '#src/core/scale.ts';
import { inPrecision } from '#src/io/arrays.ts';
import type { LearnOptions } from '#src/learn/option-types.ts';
import { methods, tableOf } from '#src/learn/options.ts';
import { scoresOf } from '#src/models/sparse-pca/scores.ts';
import { fromFactors } from '#src/models/tensor/symmetric-tensor.ts';
import { readArrays, writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { loadModel, saveModel } from '#src/node/io/model-file.ts';
import { learn } from '#src/node/learn.ts';
import { updateModel } from '#src/node/update-model.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { generateHouseholder } from '#src/synthetic/householder.ts';
import { generateMixture } from '#src/synthetic/mixture.ts';
import { generateTopics } from '#src/synthetic/topics.ts';
import { callJson } from '../helpers/cli.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(31);
const scratch = scratchDirectory();
const f = (name: string) => scratch.file(name);
const DTYPES = { f32: '<f4', f64: '<f8' } as const;
const PRECISIONS = ['f32', 'f64'] as const;
const FEATURES = 6;

const sparse = generate({ samples: 2000, features: FEATURES, theta: 0.3, seed }).samples;
const reflected = generateHouseholder({ samples: 300, features: FEATURES, reflectors: 1, theta: 0.2, seed }).samples;
const clustered = generateMixture({ samples: 300, features: 4, clusters: 2, spread: 4, seed }).samples;
const tensor = fromFactors(
  fromRows([
    [0.6, 0.8],
    [-0.8, 0.6],
  ]),
  [3, 2],
);
const { counts } = generateTopics({ documents: 80, words: 10, topics: 2, length: 40, seed });

const inFile = (matrix: Matrix, precision: Precision) => (precision === 'f32' ? toFloat32(matrix) : toFloat64(matrix));

beforeAll(async () => {
  for (const precision of PRECISIONS) {
    const Numbers = precision === 'f32' ? Float32Array : Float64Array;
    for (const [name, matrix] of Object.entries({ sparse, reflected, clustered })) {
      await writeArray(f(`${name}-${precision}.npy`), inFile(matrix, precision));
    }
    await writeArray(f(`tensor-${precision}.npy`), { shape: [2, 2, 2], data: Numbers.from(tensor.data) });
    const dense = new Numbers(counts.rows * counts.cols);
    for (let l = 0; l < counts.rows; l++) {
      for (let at = counts.indptr[l]; at < counts.indptr[l + 1]; at++) {
        dense[l * counts.cols + counts.indices[at]] = counts.data[at];
      }
    }
    await writeArray(f(`dense-${precision}.npy`), { rows: counts.rows, cols: counts.cols, data: dense });
    await writeArrays(f(`counts-${precision}.npz`), {
      data: { shape: [counts.data.length], data: Numbers.from(counts.data) },
      indices: { shape: [counts.indices.length], data: counts.indices },
      indptr: { shape: [counts.indptr.length], data: counts.indptr },
      shape: { shape: [2], data: Int32Array.of(counts.rows, counts.cols) },
    });
  }
});

/** Each float array of a file by its name; `pursuit` is what a user has set, not what was learned. */
async function floatArrays(path: string): Promise<Record<string, string>> {
  const floats = [...(await readArrays(path))].filter(([name, { dtype }]) => dtype.includes('f') && name !== 'pursuit');
  return Object.fromEntries(floats.map(([name, { dtype }]) => [name, dtype]));
}

async function expectAll(path: string, precision: Precision, ...among: string[]) {
  const floats = await floatArrays(path);
  expect(Object.keys(floats)).toEqual(expect.arrayContaining(among));
  expect(floats).toEqual(Object.fromEntries(Object.keys(floats).map((name) => [name, DTYPES[precision]])));
}

/** The command that saves it, some arrays it has, and its data. */
type Kind = readonly [name: string, command: readonly string[], data: string, arrays: readonly string[]];

const learned: Kind[] = methods.map((method) => {
  const few = 'maxIterations' in tableOf(method) ? ['--max-iterations', '5'] : [];
  const main = method.name === 'householder' ? 'reflectors' : method.name === 'gtransform' ? 'rotations' : 'atoms';
  return [
    `learn --method ${method.name}`,
    ['learn', '--method', method.name, ...few],
    method.learn ? 'reflected' : 'sparse',
    [main],
  ];
});

const kinds: Kind[] = [
  ...learned,
  ['learn --whiten zca', ['learn', '--whiten', 'zca', '--center'], 'sparse', ['atoms', 'encoder', 'mean']],
  ['learn, more atoms than features', ['learn', '--method', 'ksvd', '--components', '9'], 'sparse', ['atoms']],
  ['sparse-pca', ['sparse-pca', '--components', '2', '--nonzeros', '3'], 'clustered', ['loadings', 'scores', 'mean']],
  [
    'sparse-pca --stream',
    ['sparse-pca', '--stream', '--components', '2', '--nonzeros', '3'],
    'clustered',
    ['loadings', 'scores', 'mean', 'gammas'],
  ],
  ['mixture', ['mixture', '--clusters', '2'], 'clustered', ['means', 'weights', 'variance', 'covariances']],
  [
    'mixture --covariance full',
    ['mixture', '--clusters', '2', '--covariance', 'full'],
    'clustered',
    ['means', 'covariances'],
  ],
  ['tensor', ['tensor'], 'tensor', ['factors', 'weights', 'errors']],
  ['topics, dense counts', ['topics', '--topics', '2'], 'dense', ['topics', 'weights']],
  ['topics, sparse counts', ['topics', '--topics', '2'], 'counts', ['topics', 'weights']],
];

const file = (data: string, precision: Precision) => f(`${data}-${precision}.${data === 'counts' ? 'npz' : 'npy'}`);

describe.each(PRECISIONS)('samples in %s', (precision) => {
  const out = f(`saved-${precision}.npz`);

  it.each(kinds)('%s', async (_, [command, ...options], data, arrays) => {
    await callJson(command, file(data, precision), ...options, '--out', out);
    await expectAll(out, precision, ...arrays);
  });

  it('tensor --moments', async () => {
    await callJson('tensor', '--moments', file('reflected', precision), '--whiten', '--out', out);
    await expectAll(out, precision, 'factors', 'mean', 'whitening');
  });

  it('factor, learn --update and encode keep that of the model and of the samples', async () => {
    const [model, codes] = [f(`model-${precision}.npz`), f('codes.npz')];
    await callJson('learn', file('sparse', precision), '--out', model);
    for (const [flag, name] of [
      ['--givens', 'rotations'],
      ['--householder', 'reflectors'],
    ]) {
      await callJson('factor', model, flag, '4', '--atoms', '--out', out);
      await expectAll(out, precision, name, 'atoms');
    }
    for (const more of PRECISIONS) {
      await callJson('learn', file('sparse', more), '--update', model, '--out', out);
      await expectAll(out, precision, 'atoms');
      for (const how of [[], ['--sparse']]) {
        await callJson('encode', model, file('sparse', more), ...how, '--out', codes);
        await expectAll(codes, more, how.length === 0 ? 'codes' : 'data');
      }
    }
  });

  it('is that of scores', () => {
    const loadings = fromRows([[0.6, 0.8, 0, 0]]);
    const scores = scoresOf(inFile(clustered, precision), new Float64Array(4), loadings);
    expect(scores.data).toBeInstanceOf(precision === 'f32' ? Float32Array : Float64Array);
  });

  it.each(PRECISIONS)('--precision %s has its way', async (wanted) => {
    await callJson('learn', file('sparse', precision), '--precision', wanted, '--whiten', 'zca', '--out', out);
    await expectAll(out, wanted, 'atoms', 'encoder');
    await saveModel(out, await learn(inFile(sparse, precision), { precision: wanted }), { precision: 'f64' });
    await expectAll(out, 'f64', 'atoms');
  });
});

describe('a model of float32 samples', () => {
  const path = f('again.npz');

  /** ‖x − decode(encode(x))‖∞ over ‖x‖∞. */
  async function loss(samples: Matrix): Promise<number> {
    const { dictionary } = await loadModel(path);
    const back = await dictionary.decode(await dictionary.encode(samples));
    return maxDifference(back, samples) / largestMagnitude(samples.data);
  }

  it.each<[string, LearnOptions, Matrix]>([
    ['orthogonal', {}, sparse],
    ['with a mean', { center: true }, sparse],
    ['complete', { whiten: 'zca', center: true }, sparse],
    ['of rotations', { method: 'gtransform', maxIterations: 5 }, sparse],
    ['of reflectors', { method: 'householder' }, reflected],
  ])('gives back samples to rounding: %s', async (_, options, samples) => {
    await saveModel(path, await learn(toFloat32(samples), options));
    expect(await loss(toFloat32(samples))).toBeLessThan(2e-6); // some ε = 6e-8 for each of six features
  });

  it.each([1e2, 1e4, 1e6])(
    'does so too and can be updated if its atoms have a condition near %d',
    async (condition) => {
      const data = generate({ samples: 4000, features: 8, theta: 0.3, condition, seed }).samples;
      await saveModel(path, await learn(toFloat32(data), { whiten: 'zca' }));
      await expectAll(path, 'f32', 'atoms', 'encoder');
      expect(await loss(data)).toBeLessThan(1e-11 * condition);
      const model = await loadModel(path);
      expect((await updateModel(model, toFloat32(data))).added).toBe(4000);
    },
  );

  it('stays within its precision from file to file', async () => {
    await saveModel(path, await learn(toFloat32(sparse)));
    const model = await loadModel(path);
    expect(model.meta.precision).toBe('f32');
    await saveModel(path, model);
    await expectAll(path, 'f32', 'atoms');
  });
});

it('numbers that float32 cannot hold stay in float64', () => {
  const vector = (...values: number[]) => ({ shape: [values.length], data: Float64Array.from(values) });
  const kept = inPrecision(
    { large: vector(1e39, 1), small: vector(1e-60), zero: vector(0), usual: vector(1, 1e-60), note: 'text' },
    'f32',
  );
  const wide = Object.entries(kept).filter(
    ([, array]) => typeof array !== 'string' && 'data' in array && array.data instanceof Float64Array,
  );
  expect(wide.map(([name]) => name)).toEqual(['large', 'small']);
});
