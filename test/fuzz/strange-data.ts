/**
 * Strange data sets, named and made from a seed: every scale that float64 and float32 have, outliers, degenerate ranks,
 * sizes that divide badly. Whatever learns from samples must answer each with a sane result or a clear refusal.
 */
import { type FloatArray, type Matrix, type Matrix64, zeros } from '#src/core/matrix.ts';
import { createRandom, type Random } from '#src/core/random.ts';

export interface StrangeSet {
  readonly name: string;
  readonly samples: Matrix;
}

/** Data is 1, 2, 3 … times this: from denormal numbers to the largest whose sums are still finite. */
export const SCALES = [1e-320, 1e-308, 1e-160, 1e-30, 1e30, 1e150, 1e300] as const;
const SCALES_32 = [1e-44, 1e-38, 1e-30, 1e30, 1e36] as const;
const OUTLIERS = [1e9, 1e80, 1e200, 1e308] as const;
const OUTLIERS_32 = [1e20, 1e38] as const;
const SIZES = [1, 2, 3, 7, 13, 17] as const;

/** All sets of a seed, in a fixed order. */
export function* strangeData(seed: number): Generator<StrangeSet> {
  for (const set of doubles(seed)) yield set;
  for (const set of singles(seed)) yield set;
}

function* doubles(seed: number): Generator<StrangeSet> {
  const random = createRandom(seed, 'strange data');
  const usual = sparse(60, 5, random);
  for (const scale of SCALES) yield { name: `all times ${scale}`, samples: edited(usual, (x) => x * scale) };
  yield { name: 'features of scales 1e-300 to 1e300', samples: edited(usual, (x, _, k) => x * 10 ** (150 * (k - 2))) };
  yield { name: 'samples of scales 1e-300 to 1e300', samples: edited(usual, (x, j) => x * 10 ** ((j - 30) * 10)) };
  for (const size of OUTLIERS) {
    yield { name: `one number ${size}`, samples: edited(usual, (x, j, k) => (j === 7 && k === 2 ? size : x)) };
    yield { name: `one sample times ${size}`, samples: edited(usual, (x, j) => (j === 7 ? clamp(x * size) : x)) };
  }
  yield { name: 'far from zero', samples: edited(usual, (x) => x + 1e8) };
  yield { name: 'far from zero beyond rounding', samples: edited(usual, (x) => x + 1e20) };
  yield { name: 'all the largest number', samples: edited(usual, () => Number.MAX_VALUE) };
  yield { name: 'plus and minus the largest number', samples: edited(usual, (x) => Math.sign(x) * Number.MAX_VALUE) };
  yield { name: 'the smallest number once', samples: edited(usual, (_, j, k) => (j + k === 0 ? Number.MIN_VALUE : 0)) };
  yield* degenerate(usual, random);
  for (const n of SIZES) yield { name: `${n} features`, samples: sparse(6 * n + 5, n, random) };
  for (const [p, n] of [
    [1, 1],
    [1, 4],
    [3, 5],
    [5, 5],
    [2, 1],
  ])
    yield { name: `${p} samples of ${n} features`, samples: sparse(p, n, random) };
}

function* degenerate(usual: Matrix64, random: Random): Generator<StrangeSet> {
  yield { name: 'all zero', samples: edited(usual, () => 0) };
  yield { name: 'minus zero', samples: edited(usual, () => -0) };
  yield { name: 'zero rows', samples: edited(usual, (x, j) => (j % 3 === 0 ? x : 0)) };
  yield { name: 'one sample that is not zero', samples: edited(usual, (x, j) => (j === 4 ? x || 1 : 0)) };
  yield { name: 'zero features', samples: edited(usual, (x, _, k) => (k === 1 || k === 4 ? 0 : x)) };
  yield { name: 'constant features', samples: edited(usual, (x, _, k) => (k === 1 ? 7 : x)) };
  yield { name: 'equal samples', samples: edited(usual, (_, __, k) => k - 1.5) };
  yield { name: 'equal features', samples: edited(usual, (_, j) => usual.data[5 * j]) };
  yield { name: 'rank 1', samples: edited(usual, (_, j, k) => usual.data[5 * j] * (k + 1)) };
  yield {
    name: 'rank 1 beside rounding',
    samples: edited(usual, (x, j, k) => usual.data[5 * j] * (k + 1) + 1e-17 * x),
  };
  yield { name: 'two samples many times', samples: edited(usual, (_, j, k) => usual.data[5 * (j % 2) + k] + 0.1) };
  yield { name: 'signs', samples: edited(usual, () => (random.uniform() < 0.5 ? -1 : 1)) };
  yield { name: 'normal', samples: edited(usual, () => random.normal()) };
  yield { name: 'positive', samples: edited(usual, () => 1 + random.uniform()) };
  yield { name: 'the identity', samples: edited(usual, (_, j, k) => (j % 5 === k ? 1 : 0)) };
}

function* singles(seed: number): Generator<StrangeSet> {
  const usual = sparse(60, 5, createRandom(seed, 'strange float32'));
  const single = (edit: Edit): Matrix<Float32Array> => {
    const { rows, cols, data } = edited(usual, edit);
    return { rows, cols, data: Float32Array.from(data, clamp32) };
  };
  for (const scale of SCALES_32) yield { name: `float32, all times ${scale}`, samples: single((x) => x * scale) };
  for (const size of OUTLIERS_32) {
    yield { name: `float32, one number ${size}`, samples: single((x, j, k) => (j === 7 && k === 2 ? size : x)) };
    yield { name: `float32, one sample times ${size}`, samples: single((x, j) => (j === 7 ? x * size : x)) };
  }
  yield { name: 'float32, equal samples', samples: single((_, __, k) => k - 1.5) };
  yield { name: 'float32, zero rows', samples: single((x, j) => (j % 3 === 0 ? x : 0)) };
}

type Edit = (x: number, sample: number, feature: number) => number;

function edited({ rows, cols, data }: Matrix64, edit: Edit): Matrix64 {
  return { rows, cols, data: data.map((x, at) => edit(x, Math.floor(at / cols), at % cols)) };
}

/** Codes that are zero or normal, in a random basis that is not orthogonal. */
function sparse(rows: number, cols: number, random: Random): Matrix64 {
  const basis = Float64Array.from(
    { length: cols * cols },
    (_, at) => random.normal() + (at % (cols + 1) === 0 ? 2 : 0),
  );
  const samples = zeros(rows, cols);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < cols; i++) {
      const code = random.uniform() < 0.4 ? random.normal() : 0;
      for (let k = 0; k < cols; k++) samples.data[j * cols + k] += code * basis[i * cols + k];
    }
  }
  return samples;
}

const within = (largest: number) => (x: number) => Math.min(Math.max(x, -largest), largest);
const clamp = within(Number.MAX_VALUE);
const clamp32 = within(3.4028234e38);

/** Multiplies all numbers by 2^exponent: exact as long as none leaves the range of normal numbers. */
export function scaledByPower<D extends FloatArray>({ rows, cols, data }: Matrix<D>, exponent: number): Matrix<D> {
  return { rows, cols, data: data.map((x: number) => x * 2 ** exponent) as D };
}
