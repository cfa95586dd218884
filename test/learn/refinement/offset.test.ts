/** `center`: the offset of the samples is learned with the atoms, from the zeros of the codes. */
import { describe, expect, it } from 'vitest';
import { type Matrix, type Matrix64, maxDifference, rowRange, transpose } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { learn } from '#src/learn/learn.ts';
import type { LearnOptions } from '#src/learn/option-types.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { fastKernels } from '../../helpers/kernels.ts';
import { product } from '../../helpers/matrices.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(41);
const executor = inlineExecutor(fastKernels);
const learned = (samples: Matrix, options: LearnOptions = {}) =>
  learn(samples, Object.assign({ seed, center: true }, options), { executor });

const offsetOf = (n: number, size: number) => Float64Array.from({ length: n }, (_, k) => size * (3 + Math.sin(k)));
const shifted = ({ rows, cols, data }: Matrix, offset: Float64Array): Matrix64 => ({
  rows,
  cols,
  data: Float64Array.from(data, (y, at) => y + offset[at % cols]),
});
const vector = (data: Float64Array): Matrix64 => ({ rows: 1, cols: data.length, data });
const distance = (a: Float64Array | undefined, b: Float64Array) => maxDifference(vector(a!), vector(b));

function meanOf({ rows, cols, data }: Matrix): Float64Array {
  const mean = new Float64Array(cols);
  data.forEach((y, at) => {
    mean[at % cols] += y / rows;
  });
  return mean;
}

/** The refinement ends when atoms are right to 1e-10. Their error reaches the offset through the mean of the codes. */
const EXACT = { error: 1e-18, offset: 1e-10 };

describe.each([
  [10, 2000, 0.1],
  [10, 2000, 0.3],
  [25, 2500, 0.1],
  [25, 2500, 0.3],
])('noiseless samples of %d features, p = %d, θ = %d', (n, p, theta) => {
  const planted = generate({ samples: p, features: n, theta, seed });

  it.each([0, 1, 1e4])('are learned exactly with an offset of size %d', async (size) => {
    const offset = offsetOf(n, size);
    const { dictionary, refined, refinement } = await learned(shifted(planted.samples, offset));
    expect(refined).toBe(true);
    expect(refinement).toMatch(/^atoms settled to /);
    expect(recoveryError(dictionary.atoms, planted.atoms)).toBeLessThan(EXACT.error);
    expect(distance(dictionary.mean, offset)).toBeLessThan(EXACT.offset);
  });
});

describe('other coordinates and numbers', () => {
  it('a dictionary that is not orthogonal', async () => {
    const planted = generate({ samples: 4000, features: 12, theta: 0.2, condition: 10, seed });
    const offset = offsetOf(12, 1);
    const { dictionary } = await learned(shifted(planted.samples, offset), { whiten: 'zca' });
    expect(recoveryError(dictionary.atoms, planted.atoms)).toBeLessThan(EXACT.error);
    expect(distance(dictionary.mean, offset)).toBeLessThan(EXACT.offset);
  });

  it.each([{ components: 6 }, {}])('samples that span fewer dimensions, %j', async (options) => {
    const { codes, atoms } = generate({ samples: 4000, features: 10, theta: 0.2, seed });
    const used = { ...codes, data: codes.data.map((x, at) => (at % 10 < 6 ? x : 0)) };
    const offset = offsetOf(10, 1);
    const { dictionary } = await learned(shifted(product(used, atoms), offset), options);
    const overlaps = product(rowRange(atoms, 0, 6), transpose(dictionary.atoms));
    for (let i = 0; i < 6; i++) {
      const best = Math.max(...overlaps.data.subarray(i * overlaps.cols, (i + 1) * overlaps.cols).map(Math.abs));
      expect(Math.abs(1 - best)).toBeLessThan(1e-14);
    }
    expect(distance(dictionary.mean, offset)).toBeLessThan(EXACT.offset);
  });

  it('float32 samples, up to their rounding', async () => {
    const planted = generate({ samples: 4000, features: 10, theta: 0.2, seed });
    const offset = offsetOf(10, 1);
    const samples = shifted(planted.samples, offset);
    const { dictionary } = await learned({ ...samples, data: Float32Array.from(samples.data) });
    expect(recoveryError(dictionary.atoms, planted.atoms)).toBeLessThan(1e-14); // the square of 2^-24
    expect(distance(dictionary.mean, offset)).toBeLessThan(2 ** -24);
  });

  it('codes whose mean is not zero', async () => {
    const { codes, atoms } = generate({ samples: 4000, features: 10, theta: 0.2, seed });
    const positive = { ...codes, data: codes.data.map(Math.abs) };
    const { dictionary } = await learned(product(positive, atoms));
    expect(recoveryError(dictionary.atoms, atoms)).toBeLessThan(EXACT.error);
    expect(distance(dictionary.mean, new Float64Array(10))).toBeLessThan(EXACT.offset);
  });
});

describe('shares of the energy', () => {
  const { codes, atoms } = generate({ samples: 3000, features: 8, theta: 0.25, seed });
  // non-negative codes of unequal sizes: their mean is far from their zeros
  const sizes = { ...codes, data: codes.data.map((x, at) => Math.abs(x) * (1 + (at % 8) / 8)) };
  const mixing = normalMatrix(8, 8, createRandom(seed, 'mixing'));

  it.each<[string, Matrix64, LearnOptions]>([
    ['orthogonal', atoms, {}],
    ['complete', mixing, { whiten: 'zca' }],
    ['of fewer atoms', atoms, { components: 5 }],
    ['about the mean sample', mixing, { whiten: 'zca', refine: 'none' }],
  ])('are those of the codes about the offset, largest first: %s', async (_, D, options) => {
    const samples = shifted(product(sizes, D), offsetOf(8, 1));
    const { dictionary, energies } = await learned(samples, options);
    const centred = shifted(
      samples,
      dictionary.mean!.map((m) => -m),
    );
    const all = centred.data.reduce((sum, y) => sum + y * y, 0);
    const found = await dictionary.encode(samples);
    const K = found.cols;
    const expected = new Float64Array(K);
    found.data.forEach((x: number, at: number) => {
      expected[at % K] += x ** 2 / all;
    });
    expect(distance(energies, expected)).toBeLessThan(1e-9);
    expect(Array.from(energies!)).toEqual(Array.from(energies!).sort((a, b) => b - a));
  });
});

describe('samples that say less about the offset', () => {
  it('with noise: a better one than the mean sample, and atoms as good as without an offset', async () => {
    const planted = generate({ samples: 4000, features: 10, theta: 0.3, noise: 0.05, seed });
    const offset = offsetOf(10, 1);
    const samples = shifted(planted.samples, offset);
    const { dictionary } = await learned(samples);
    const known = await learned(planted.samples, { center: false });
    const error = recoveryError(dictionary.atoms, planted.atoms);
    expect(error).toBeLessThan(1.1 * recoveryError(known.dictionary.atoms, planted.atoms));
    expect(distance(dictionary.mean, offset)).toBeLessThan(distance(meanOf(samples), offset));
  });

  it('without zeros, or if they are not used: the mean sample', async () => {
    const dense = normalMatrix(2000, 8, createRandom(seed, 'dense'));
    const planted = generate({ samples: 2000, features: 8, theta: 0.2, seed });
    for (const [samples, options] of [
      [dense, { maxIterations: 20 }],
      [planted.samples, { refine: 'none' }],
    ] as const) {
      const { dictionary, refined } = await learned(samples, options);
      expect(refined).toBe(false);
      expect(distance(dictionary.mean, meanOf(samples))).toBeLessThan(1e-15);
    }
  });
});

it('is exact where a part of the samples, with another mean, was refined first', async () => {
  const planted = generate({ samples: 9000, features: 12, theta: 0.3, seed });
  const samples = shifted(planted.samples, offsetOf(12, 1));
  const seen: number[] = [];
  const sum: typeof executor.sum = (pass, params, source, signal) => {
    seen.push(source.rows);
    return executor.sum(pass, params, source, signal);
  };
  const { dictionary } = await learn(samples, { seed, center: true }, { executor: { ...executor, sum } });
  expect(Math.min(...seen)).toBeLessThan(9000); // it scouted
  expect(recoveryError(dictionary.atoms, planted.atoms)).toBeLessThan(EXACT.error);
  expect(distance(dictionary.mean, offsetOf(12, 1))).toBeLessThan(EXACT.offset);
});
