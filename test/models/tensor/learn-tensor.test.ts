import { describe, expect, it } from 'vitest';
import { type Matrix64, maxDifference, range, row, rowRange } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { denseMoment } from '#src/models/tensor/dense-moment.ts';
import { denseTensorObjective } from '#src/models/tensor/dense-objective.ts';
import { learnMoments } from '#src/models/tensor/learn-moments.ts';
import { learnTensor } from '#src/models/tensor/learn-tensor.ts';
import { momentObjective } from '#src/models/tensor/moment-objective.ts';
import { orthogonalTensor } from '#src/models/tensor/planted-tensor.ts';
import {
  cubeWeights,
  fromFactors,
  rotateTensor,
  symmetricTensor,
  transformTensor,
} from '#src/models/tensor/symmetric-tensor.ts';
import { fastKernels } from '../../helpers/kernels.ts';
import { testSeed } from '../../helpers/seed.ts';
import { factorError, odeco, withNoise } from './helpers.ts';

const seed = testSeed(74);
const random = createRandom(seed, 'tensors');

describe('a tensor with orthogonal factors', () => {
  it('gives all of them from 20 of 20 random starts, d = 20', async () => {
    const { T, V, weights } = odeco(20, random);
    for (let start = 0; start < 20; start++) {
      const found = await learnTensor(T, { seed: seed + start });
      expect(found.status).toBe('converged');
      expect(factorError(found.factors, V)).toBeLessThan(1e-12);
      expect(maxOf(found.weights, weights.slice().sort().reverse())).toBeLessThan(1e-12);
      expect(found.residual).toBeLessThan(1e-7); // the root of rounding
    }
  });

  it('gives all of them at d = 50', async () => {
    const { T, V } = odeco(50, random);
    expect(factorError((await learnTensor(T, { seed })).factors, V)).toBeLessThan(1e-10);
  });

  it('gives them up to the size of the noise, entry by entry', async () => {
    const { T, V } = odeco(20, random);
    const noisy = withNoise(T, 1e-3, seed);
    const error = factorError((await learnTensor(noisy)).factors, V) / Math.sqrt(20);
    expect(error).toBeLessThan(2e-3);
    expect(error).toBeGreaterThan(1e-5);
  });

  it('may have negative weights, a single dimension, or only zero weights', async () => {
    const V = randomOrthogonal(6, random);
    const { factors, weights } = await learnTensor(fromFactors(V, [3, -2, 1, -1, 0.5, 2]));
    expect(Array.from(weights, (w) => Math.round(w * 1e9) / 1e9)).toEqual([3, 2, 2, 1, 1, 0.5]);
    expect(factors.rows).toBe(6);
    expect(Array.from((await learnTensor({ size: 1, data: Float64Array.of(-4) })).weights)).toEqual([4]);
    expect((await learnTensor({ size: 3, data: new Float64Array(27) })).objective).toBe(0);
  });
});

describe('a tensor with noise', () => {
  /** Distance of every factor from the nearest true one. */
  const distances = (found: Matrix64, V: Matrix64) =>
    range(found.rows).map((k) => factorError(V, { rows: 1, cols: V.cols, data: row(found, k) }));
  const planted = (d: number, factors: number) => {
    const weights = Float64Array.from({ length: d }, (_, i) => (i < factors ? 1 + random.uniform() : 0));
    const { T, V } = orthogonalTensor(weights, random);
    return { T, V: rowRange(V, 0, factors) };
  };

  it.each([0.05, 0.1, 0.2])('calls no factor certain that is far from the truth, noise %d', async (sigma) => {
    for (const factors of [1, 5, 12]) {
      const { T, V } = planted(12, factors);
      const { factors: found, certainty, weights } = await learnTensor(withNoise(T, sigma, seed + factors), { seed });
      const wrong = distances(found, V).filter((distance, k) => k < certainty.certain && distance > 0.7);
      expect(wrong).toEqual([]);
      expect(certainty.factors).toBe(12);
      expect(certainty.noise).toBeGreaterThan(0.7 * sigma); // factors take some of the noise
      expect(certainty.noise).toBeLessThan(1.2 * sigma);
      if (sigma === 0.05) expect(certainty.certain).toBe(factors);
      expect(Array.from(weights)).toEqual(Array.from(weights).sort((a, b) => b - a));
    }
  });

  it('errs by as much as it says', async () => {
    const { T, V } = odeco(20, random);
    const { factors, certainty } = await learnTensor(withNoise(T, 0.05, seed), { seed });
    const rms = (values: ArrayLike<number>) => Math.sqrt(squares(values) / values.length);
    const ratio = rms(distances(factors, V)) / rms(certainty.errors);
    expect(Math.abs(ratio - 1)).toBeLessThan(0.25); // 20 errors of 19 numbers each
  });

  it('is given up after 30 sweeps if it is noise alone', async () => {
    const noise = withNoise({ size: 20, data: new Float64Array(8000) }, 1, seed);
    const found = await learnTensor(noise, { seed });
    expect(found).toMatchObject({
      status: 'exhausted',
      reason: 'no larger weights than those of noise',
      iterations: 30,
    });
    expect(found.certainty.certain).toBe(0);
  });

  it('ends at the accuracy that its noise allows, and goes on if told to', async () => {
    const { T } = odeco(20, random);
    const noisy = withNoise(T, 0.1, seed);
    const [soon, late] = [await learnTensor(noisy, { seed }), await learnTensor(noisy, { seed, tolerance: 1e-12 })];
    expect(soon.status).toBe('converged');
    expect(soon.iterations).toBeLessThanOrEqual(late.iterations / 1.5);
    expect(factorError(soon.factors, late.factors)).toBeLessThan(0.03 * Math.min(...late.certainty.errors));
  });

  it('searches no further when all factors are certain, and keeps those that are', async () => {
    const { T, V } = planted(10, 3);
    const noisy = withNoise(T, 0.1, seed);
    const [one, three] = [await learnTensor(noisy, { seed }), await learnTensor(noisy, { seed, starts: 3 })];
    expect(three.certainty.certain).toBeGreaterThanOrEqual(one.certainty.certain);
    expect(three.certainty.certain).toBe(3);
    expect(Math.max(...distances(rowRange(three.factors, 0, 3), V))).toBeLessThan(0.5);
    const sweeps = { number: 0 };
    await learnTensor(odeco(6, random).T, { seed, starts: 50 }, { onProgress: () => sweeps.number++ });
    expect(sweeps.number).toBeLessThan(20);
  });

  it('has the weights T(a, a, a)', () => {
    const noisy = withNoise(odeco(7, random).T, 1, seed);
    const A = randomOrthogonal(7, random);
    const turned = transformTensor(noisy, A, fastKernels);
    const diagonal = Float64Array.from({ length: 7 }, (_, i) => turned.data[57 * i]);
    expect(maxOf(cubeWeights(noisy, A, fastKernels), diagonal)).toBeLessThan(1e-12);
  });
});

it('rotates a tensor in place like a product with a matrix', () => {
  const { T } = odeco(7, random);
  const noisy = withNoise(T, 1, seed);
  const R = { rows: 7, cols: 7, data: Float64Array.from({ length: 49 }, (_, at) => (at % 8 === 0 ? 1 : 0)) };
  R.data[2 * 7 + 2] = 0.6;
  R.data[2 * 7 + 5] = 0.8;
  R.data[5 * 7 + 5] = 0.6;
  R.data[5 * 7 + 2] = -0.8;
  const expected = transformTensor(noisy, R, fastKernels);
  rotateTensor(noisy, 2, 5, 0.6, 0.8);
  expect(maxOf(noisy.data, expected.data)).toBeLessThan(1e-13);
});

describe('a tensor from samples', () => {
  const x = normalMatrix(6, 40, random);

  it('is the sum of its terms', () => {
    const y = normalMatrix(6, 40, random);
    const weight = Float64Array.from({ length: 40 }, () => random.normal());
    const { data } = denseMoment([
      { x, y, weight },
      { x: y, weight: 2 },
    ]);
    const at = ({ data }: typeof x, i: number, l: number) => data[i * 40 + l];
    for (const [i, j, k] of [
      [0, 0, 0],
      [1, 4, 1],
      [5, 2, 3],
    ]) {
      let sum = 0;
      for (let l = 0; l < 40; l++) {
        const [a, b, c] = [i, j, k].map((part) => ({ x: at(x, part, l), y: at(y, part, l) }));
        sum += (weight[l] * (a.x * b.x * c.y + a.x * b.y * c.x + a.y * b.x * c.x)) / 3 + 2 * a.y * b.y * c.y;
      }
      expect(data[(i * 6 + j) * 6 + k]).toBeCloseTo(sum, 10);
    }
  });

  it('has the same angles, gains and values as the explicit tensor', () => {
    const A = randomOrthogonal(6, random);
    const [lazy, dense] = [
      momentObjective(x, 0.3, fastKernels),
      denseTensorObjective(denseMoment([{ x, weight: 0.3 }]), fastKernels),
    ];
    for (const objective of [lazy, dense]) {
      objective.restore(A);
      objective.rotate(1, 4, 0.8, -0.6);
      objective.signs!.flip(2);
    }
    expect(lazy.value()).toBeCloseTo(dense.value(), 9);
    for (let i = 0; i < 6; i++) {
      expect(lazy.signs!.gain(i)).toBeCloseTo(dense.signs!.gain(i), 9);
      for (let j = i + 1; j < 6; j++) {
        const [a, b] = [lazy.best(i, j), dense.best(i, j)];
        expect(a.slope).toBeCloseTo(b.slope, 9);
        expect(a.gain).toBeCloseTo(b.gain, 9);
      }
    }
  });

  it('finds the mixing of skewed components', async () => {
    const V = randomOrthogonal(10, random);
    const sources = normalMatrix(4000, 10, random);
    for (let at = 0; at < sources.data.length; at++) sources.data[at] = -Math.log(1 - random.uniform()) - 1;
    const samples = fastKernels.multiply(sources, V);
    const { factors, whitening, mean } = await learnMoments(samples, { whiten: true });
    expect(factorError(factors, V)).toBeLessThan(0.15); // 10 dimensions, each to 1/√4000 times a few
    expect(whitening?.rows).toBe(10);
    expect(mean?.length).toBe(10);
    const formed = denseMoment([{ x: transposed(samples), weight: 1 / 4000 }]);
    const [lazy, dense] = [
      await learnMoments(samples, { seed }),
      await learnTensor(formed, { seed, tolerance: 1e-12 }),
    ];
    expect(maxDifference(lazy.factors, dense.factors)).toBeLessThan(1e-9);
  });

  it('does not form d³ numbers', async () => {
    const d = 300;
    const samples = normalMatrix(200, d, random);
    const most = { bytes: 0 };
    const before = process.memoryUsage().arrayBuffers;
    const onProgress = () => {
      most.bytes = Math.max(most.bytes, process.memoryUsage().arrayBuffers - before);
    };
    await learnMoments(samples, { maxIterations: 2 }, { onProgress });
    expect(most.bytes).toBeLessThan((8 * d ** 3) / 4);
  });

  it.each([
    [
      { rows: 2, cols: 2, data: Float64Array.of(1, 2, Number.NaN, 4) },
      {},
      'samples must be finite; got NaN at row 1, column 0',
    ],
    [{ rows: 0, cols: 2, data: new Float64Array(0) }, {}, 'at least one row'],
    [
      { rows: 3, cols: 2, data: Float64Array.of(1, 1, 2, 2, 4, 4) },
      { whiten: true },
      'full rank 2 to be whitened; got rank 1',
    ],
    [{ rows: 1, cols: 2, data: Float64Array.of(1, 2) }, { starts: 0 }, 'starts must be a whole number from 1; got 0'],
    [
      { rows: 1, cols: 2, data: Float64Array.of(1, 2) },
      { maxIterations: 0.5 },
      'maxIterations must be a whole number from 1',
    ],
    [
      { rows: 1, cols: 2, data: Float64Array.of(1, 2) },
      { tolerance: -1 },
      'tolerance must be auto or a number, 0 or more',
    ],
  ])('refuses bad input %#', async (samples, options, message) => {
    await expect(learnMoments(samples, options)).rejects.toThrow(message);
    await expect(learnMoments(samples, options)).rejects.toThrow(/^learnMoments: /);
  });
});

describe('input', () => {
  it.each([
    [[2, 2], [1, 2, 3, 4], 'T must be d × d × d; got 2 × 2'],
    [[2, 2, 3], new Array(12).fill(0), 'T must be d × d × d; got 2 × 2 × 3'],
    [[], [1], 'got a single number'],
    [[2, 2, 2], [1, 2, 2, 4, 2, Number.NaN, 4, 1], 'T must be finite; got NaN at (1, 0, 1)'],
    [[2, 2, 2], [1, 2, 2, 4, 2, 4, 4.5, 1], 'T must be symmetric; got 4.5 at (1, 1, 0) but 4 at'],
  ])('refuses %j', (shape, values, message) => {
    expect(() => symmetricTensor(shape, values)).toThrow(message);
  });

  it.each([
    [undefined, {}, 'learnTensor: tensor must be a tensor {size, data: Float64Array}; got undefined.'],
    [{ size: 2, data: new Float64Array(7) }, {}, 'learnTensor: tensor must be 8 numbers (2 × 2 × 2); got 7.'],
    [
      { size: 1, data: Float64Array.of(1) },
      { start: normalMatrix(2, 2, random) },
      'start must be a 1×1 matrix; got 2×2',
    ],
    [
      { size: 1, data: Float64Array.of(1) },
      { maxSweeps: 3 },
      'learnTensor: there is no option "maxSweeps"; known: pairs, starts, maxIterations, tolerance, seed, start.',
    ],
  ])('is refused by learnTensor: %#', async (tensor, options, message) => {
    await expect(learnTensor(tensor as never, options as never)).rejects.toThrow(message);
  });

  it('symmetrises entries that differ by rounding', () => {
    const { data } = symmetricTensor([2, 2, 2], [1, 2, 2 + 1e-9, 4, 2, 4, 4, 1]);
    expect(new Set([data[1], data[2], data[4]]).size).toBe(1);
  });
});

const squares = (values: ArrayLike<number>): number => Array.from(values).reduce((total, x) => total + x * x, 0);

function maxOf(a: Float64Array, b: Float64Array): number {
  return a.reduce((most, value, at) => Math.max(most, Math.abs(value - b[at])), 0);
}

function transposed({ rows, cols, data }: { rows: number; cols: number; data: Float64Array }) {
  return {
    rows: cols,
    cols: rows,
    data: Float64Array.from(data, (_, at) => data[(at % rows) * cols + Math.floor(at / rows)]),
  };
}
