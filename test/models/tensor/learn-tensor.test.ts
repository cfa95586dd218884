import { describe, expect, it } from 'vitest';
import { maxDifference } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { denseMoment } from '#src/models/tensor/dense-moment.ts';
import { denseTensorObjective } from '#src/models/tensor/dense-objective.ts';
import { learnMoments } from '#src/models/tensor/learn-moments.ts';
import { learnTensor } from '#src/models/tensor/learn-tensor.ts';
import { momentObjective } from '#src/models/tensor/moment-objective.ts';
import { powerMethod } from '#src/models/tensor/power-method.ts';
import { fromFactors, rotateTensor, symmetricTensor, transformTensor } from '#src/models/tensor/symmetric-tensor.ts';
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

  it('gives them up to the size of the noise, entry by entry, no worse than the power method', async () => {
    const { T, V } = odeco(20, random);
    const noisy = withNoise(T, 1e-3, seed);
    const error = factorError((await learnTensor(noisy)).factors, V) / Math.sqrt(20);
    expect(error).toBeLessThan(2e-3);
    expect(error).toBeGreaterThan(1e-5);
    expect(error).toBeLessThan((1.2 * factorError(powerMethod(noisy).factors, V)) / Math.sqrt(20));
  });

  it('is also decomposed by the power method', () => {
    const { T, V, weights } = odeco(12, random);
    const found = powerMethod(T, { seed });
    expect(factorError(found.factors, V)).toBeLessThan(1e-10);
    expect(maxOf(found.weights.slice().sort(), weights.slice().sort())).toBeLessThan(1e-10);
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
  const y = normalMatrix(6, 40, random);
  const weight = Float64Array.from({ length: 40 }, () => random.normal());
  const terms = [
    { x, weight: 0.3 },
    { x, y, weight },
    { x: y, weight: 2 },
  ];

  it('has the same angles, gains and values as the explicit tensor', () => {
    const A = randomOrthogonal(6, random);
    const [lazy, dense] = [momentObjective(terms, fastKernels), denseTensorObjective(denseMoment(terms), fastKernels)];
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
    const [lazy, dense] = [await learnMoments(samples, { seed }), await learnTensor(formed, { seed })];
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
    [{ rows: 1, cols: 2, data: Float64Array.of(1, 2) }, { tolerance: -1 }, 'tolerance must be a number, 0 or more'],
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

  it('is refused by the power method in the same words', () => {
    const tensor = { size: 1, data: Float64Array.of(1) };
    expect(() => powerMethod(tensor, { starts: 0 })).toThrow(
      'powerMethod: starts must be a whole number from 1; got 0.',
    );
    expect(() => powerMethod(tensor, { factors: 2 })).toThrow('powerMethod: factors must be at most 1');
  });

  it('symmetrises entries that differ by rounding', () => {
    const { data } = symmetricTensor([2, 2, 2], [1, 2, 2 + 1e-9, 4, 2, 4, 4, 1]);
    expect(new Set([data[1], data[2], data[4]]).size).toBe(1);
  });
});

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
