/** Coresets: few weighted samples that represent all of them. */
import { describe, expect, it } from 'vitest';
import type { Matrix64 } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { coresetPass, coresetSizes, coresets, scoresPass } from '#src/learn/coreset.ts';
import type { Problem } from '#src/learn/problem.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { problemOf } from '../helpers/problem.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(7);

/** Heavy tails, and features of very different sizes. */
function heavySamples(rows: number, cols: number): Matrix64 {
  const random = createRandom(seed, 'heavy');
  const samples = normalMatrix(rows, cols, random);
  for (let s = 0; s < rows; s++) {
    const size = Math.exp(random.normal());
    for (let j = 0; j < cols; j++) samples.data[s * cols + j] *= size * 2 ** -j;
  }
  return samples;
}

const objective = async (problem: Problem, A: Matrix64, norm: number) => {
  const { values } = await problem.correlate(A, { kind: 'power', norm }, 'f64');
  return values.reduce((sum, value) => sum + value, 0);
};

describe('coresets', () => {
  it.each([3, 4, 6])('have the objective of all samples for any atoms, norm %i', async (norm) => {
    const problem = await problemOf(heavySamples(12_000, 8));
    const sizes = coresetSizes(problem);
    expect(sizes).toEqual([750, 3000]);
    const drawn = await coresets(problem, sizes, norm, 'f64');
    for (const [k, part] of drawn.entries()) {
      expect(Math.abs(part.samples / sizes[k] - 1)).toBeLessThan(0.15);
      for (let trial = 0; trial < 5; trial++) {
        const A = randomOrthogonal(8, createRandom(seed, `atoms ${trial}`));
        const ratio = (await objective(part, A, norm)) / (await objective(problem, A, norm));
        expect(Math.abs(ratio - 1)).toBeLessThan(k === 0 ? 0.3 : 0.15); // a fair sample of 750 is off by 60 %
      }
    }
  });

  it('are left out where they would not pay', async () => {
    expect(coresetSizes(await problemOf(heavySamples(100, 8)))).toEqual([]); // few samples
    expect(coresetSizes(await problemOf(heavySamples(200, 8)))).toEqual([64]); // one of the two sizes
  });

  it('hold a sample that outweighs all others, and samples that are zero', async () => {
    const samples = heavySamples(4000, 4);
    samples.data.fill(0, 0, 2000);
    samples.data[4 * 3000] = 1e6;
    const problem = await problemOf(samples);
    const [part] = await coresets(problem, [500], 4, 'f64');
    const A = randomOrthogonal(4, createRandom(seed, 'atoms'));
    expect((await objective(part, A, 4)) / (await objective(problem, A, 4))).toBeCloseTo(1, 6);
    expect(part.samples).toBeLessThanOrEqual(problem.samples);
  });

  it('never take much more memory than asked for, however the samples are ordered', async () => {
    const samples = heavySamples(20_000, 4);
    // the samples that tell how many to keep are small, all others are large
    for (let s = 0; s < samples.rows; s++) {
      const factor = s % 2500 < 256 ? 1e-3 : 1;
      for (let j = 0; j < 4; j++) samples.data[4 * s + j] *= factor;
    }
    const [part] = await coresets(await problemOf(samples), [1000], 4, 'f64');
    expect(part.samples).toBeLessThanOrEqual(4000);
  });
});

describe('the samples of a chunk', () => {
  const samples = { rows: 8, cols: 2, data: Float64Array.from({ length: 16 }, (_, k) => (k % 2 ? 0 : 1 + (k >> 1))) };
  const params = { atoms: { rows: 1, cols: 2, data: Float64Array.of(2, 0) }, conditioning: { scale: 0.5 }, norm: 4 };
  const chunk = (index: number) => ({ samples, start: 0, index });
  const kept = (index: number, factor: number, most: number, precision: 'f32' | 'f64' = 'f64') =>
    coresetPass.contribute(chunk(index), { ...params, factor, most, precision }, referenceKernels);

  it('have the power of their energy as a score', () => {
    const { rows, cols, data } = scoresPass.contribute(chunk(0), params, referenceKernels);
    expect([rows, cols]).toEqual([8, 1]);
    for (const [s, score] of data.entries()) expect(score).toBeCloseTo((1 + s) ** 4, 9);
    const cubic = scoresPass.contribute(chunk(0), { ...params, norm: 3 }, referenceKernels);
    for (const [s, score] of cubic.data.entries()) expect(score).toBeCloseTo((1 + s) ** 3, 9);
  });

  it('are kept where the sum of their shares passes a whole number, with weights that make up for the others', () => {
    const factor = 1 / 8 ** 4; // the last has the share 1
    const shares = Array.from({ length: 8 }, (_, s) => ((1 + s) / 8) ** 4);
    for (const index of [0, 1, 5]) {
      const expected: number[] = [];
      let sum = (index * 0.6180339887498949) % 1;
      for (const [s, share] of shares.entries()) {
        if (Math.floor(sum + share) > Math.floor(sum)) expected.push(0.5 * (1 + s) * share ** (-1 / 4), 0);
        sum += share;
      }
      const { rows, cols, data } = kept(index, factor, 1);
      expect([rows, cols]).toEqual([expected.length / 2, 2]);
      for (const [k, x] of data.entries()) expect(x).toBeCloseTo(expected[k], 9);
    }
    expect(kept(0, factor, 1, 'f32').data).toBeInstanceOf(Float32Array);
  });

  it('are all kept where each has a share of one, and no more than the wish allows', () => {
    expect([...kept(0, 10, 1).data]).toEqual([...samples.data].map((x) => 0.5 * x));
    expect(kept(0, 10, 0.5).rows).toBe(4);
    expect(kept(0, 10, 0.25).rows).toBe(2);
  });
});

it('sizes of coresets follow from the number of samples', () => {
  const sizes = (samples: number, size: number, cols = size) =>
    coresetSizes({ samples, size, input: { source: { cols } } } as never);
  expect(sizes(199, 10)).toEqual([]);
  expect(sizes(200, 10)).toEqual([80]); // both would be 80: the smaller one saves nothing
  expect(sizes(16_000, 10)).toEqual([1000, 4000]);
  expect(sizes(16_001, 10)).toEqual([1001, 4001]);
  expect(sizes(1280, 10)).toEqual([80, 320]);
  expect(sizes(520, 10)).toEqual([130]); // 80 is more than six tenths of it
  expect(sizes(1e9, 10)).toEqual([Math.floor(2 ** 24 / 10)]);
  expect(sizes(1e6, 10, 2 ** 20)).toEqual([]);
});
