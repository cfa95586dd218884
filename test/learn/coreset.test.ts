/** Coresets: few weighted samples that represent all of them. */
import { describe, expect, it } from 'vitest';
import type { Matrix64 } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { coresetSizes, coresets } from '#src/learn/coreset.ts';
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
