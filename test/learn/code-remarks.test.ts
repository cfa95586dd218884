/** Whitened data whose codes are not sparse: the run says so, and what to use. Sparse codes raise no alarm. */
import { describe, expect, it } from 'vitest';
import type { Matrix } from '#src/core/matrix.ts';
import { createRandom, normalMatrix, type Random } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/inline.ts';
import { learn } from '#src/learn/learn.ts';
import { fastKernels } from '../helpers/kernels.ts';
import { product } from '../helpers/matrices.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(17);
const run = { executor: inlineExecutor(fastKernels) };

/** The code of source k at a time, given random numbers. */
type Draw = (random: Random, k: number, time: number) => number;

const sparse =
  (theta: number, noise = 0): Draw =>
  (random) =>
    (random.uniform() < theta ? random.normal() : 0) + noise * random.normal();
const uniform: Draw = (random) => random.uniform() - 0.5;
const laplace: Draw = (random) => (random.uniform() < 0.5 ? 1 : -1) * Math.log(1 - random.uniform());
const swelling: Draw = (random, k, time) => random.normal() * (0.2 + Math.abs(Math.sin((0.003 + 0.002 * k) * time)));
const half =
  (dense: Draw): Draw =>
  (random, k, time) =>
    (k % 2 === 0 ? sparse(0.2) : dense)(random, k, time);

function mixed(draw: Draw, [p, n] = [6000, 6]): Matrix {
  const random = createRandom(seed, 'sources');
  const codes = Float64Array.from({ length: p * n }, (_, at) => draw(random, at % n, Math.floor(at / n)));
  return product({ rows: p, cols: n, data: codes }, normalMatrix(n, n, random));
}

describe('the remark on codes', () => {
  it.each<[string, Draw]>([
    ['θ = 0.1', sparse(0.1)],
    ['θ = 0.3', sparse(0.3)],
    ['θ = 0.5', sparse(0.5)],
    ['θ = 0.1, noisy', sparse(0.1, 0.05)],
    ['θ = 0.5, noisy', sparse(0.5, 0.1)],
    ['θ = 0.03, noisy', sparse(0.03, 0.03)],
    ['θ = 0.003', sparse(0.003)],
    ['θ = 0.0003: atoms without a code in most samples', sparse(0.0003)],
  ])('is not made where codes are sparse: %s', async (_, draw) => {
    expect((await learn(mixed(draw), { whiten: 'zca', seed }, run)).remarks).toEqual([]);
  });

  it.each<[string, Draw, number]>([
    ['uniform', uniform, 6],
    ['Laplace', laplace, 6],
    ['noise that swells', swelling, 6],
    ['half uniform', half(uniform), 3],
    ['half Laplace', half(laplace), 3],
    ['uniform, with a few outliers', (random, k, time) => uniform(random, k, time) * (time % 1000 === 7 ? 1000 : 1), 6],
    ['uniform, outliers first', (random, k, time) => uniform(random, k, time) * (time < 6 ? 1000 : 1), 6],
    ['exponential', (random) => -Math.log(1 - random.uniform()), 6],
  ])('is made where they are not: %s', async (_, draw, atoms) => {
    const { remarks } = await learn(mixed(draw), { whiten: 'zca', seed }, run);
    expect(remarks).toEqual([expect.stringContaining(`codes of ${atoms} of 6 atoms are not sparse`)]);
    expect(remarks[0]).toContain('--method ica');
  });

  it.each(['auto', 'none'] as const)('measures codes from where they are zero: refine %s', async (refine) => {
    const positive = mixed((random) => (random.uniform() < 0.2 ? Math.abs(random.normal()) : 0));
    const options = { whiten: 'zca', center: true, refine, seed } as const;
    expect((await learn(positive, options, run)).remarks).toEqual([]);
  });

  it('is not made of methods for such sources, nor without whitening', async () => {
    const samples = mixed(uniform);
    expect((await learn(samples, { method: 'fastica', nonlinearity: 'logcosh' }, run)).remarks).toEqual([]);
    expect((await learn(samples, { method: 'ica' }, run)).remarks).toEqual([]);
    expect((await learn(samples, { seed }, run)).remarks).toEqual([]);
  });
});
