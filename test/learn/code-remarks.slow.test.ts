/** Whitened data whose codes are not sparse: the run reports it, and what to use. Sparse codes cause no remark. */
import { describe, expect, it } from 'vitest';
import type { Matrix } from '#src/core/matrix.ts';
import { createRandom, normalMatrix, type Random } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { learn } from '#src/learn/learn.ts';
import type { Remark } from '#src/learn/remarks.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
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

const codesOf = (remarks: readonly Remark[]): string[] => remarks.map(({ code }) => code);

describe('the remark on codes', () => {
  it.each<[string, Draw]>([
    ['θ = 0.1', sparse(0.1)],
    ['θ = 0.3', sparse(0.3)],
    ['θ = 0.5', sparse(0.5)],
    ['θ = 0.1, noisy', sparse(0.1, 0.05)],
    ['θ = 0.5, noisy', sparse(0.5, 0.1)],
    ['θ = 0.03, noisy', sparse(0.03, 0.03)],
    ['θ = 0.003', sparse(0.003)],
  ])('is not made where codes are sparse: %s', async (_, draw) => {
    expect((await learn(mixed(draw), { whiten: 'zca', seed }, run)).remarks).toEqual([]);
  });

  it('is not made of atoms without a code in most samples', async () => {
    const { remarks } = await learn(mixed(sparse(0.0003)), { whiten: 'zca', seed }, run);
    expect(codesOf(remarks)).not.toContain('dense-codes');
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
    expect(codesOf(remarks)).toEqual(['dense-codes']);
    expect(remarks[0].text).toContain(`codes of ${atoms} of 6 atoms are not sparse`);
    expect(remarks[0].text).toContain('--method ica');
  });

  it('recommends nothing for heavy tails without zeros, where the l4 norm is what finds them', async () => {
    const heavy: Draw = (random) => random.normal() * (random.uniform() < 0.05 ? 3 : 1);
    const { remarks } = await learn(mixed(heavy), { whiten: 'zca', seed }, run);
    expect(codesOf(remarks)).toEqual(['heavy-tails']);
    expect(remarks[0].text).toMatch(
      /heavy tails but few zeros .*if the data is a mixture of independent sources, --method ica/,
    );
  });

  it.each(['auto', 'none'] as const)('measures codes from where they are zero: refine %s', async (refine) => {
    const positive = mixed((random) => (random.uniform() < 0.2 ? Math.abs(random.normal()) : 0));
    const options = { whiten: 'zca', center: true, refine, seed } as const;
    expect((await learn(positive, options, run)).remarks).toEqual([]);
  });

  it('is not made of methods for such sources, nor without whitening', async () => {
    const samples = mixed(uniform);
    expect((await learn(samples, { method: 'ica' }, run)).remarks).toEqual([]);
    expect((await learn(samples, { seed }, run)).remarks).toEqual([]);
  });
});

describe('the remark that there is nothing sparser', () => {
  it.each([
    [2, 2],
    [2, 200],
    [5, 5],
    [5, 500],
    [20, 20],
    [20, 400],
  ])('is made of noise: %i features, %i samples', async (features, samples) => {
    const noise = normalMatrix(samples, features, createRandom(seed, 'noise'));
    expect(codesOf((await learn(noise, { seed }, run)).remarks)).toEqual(['nothing-sparser']);
  });

  it.each([
    [2, 200, 0.3, 0],
    [2, 200, 0.3, 0.3],
    [5, 500, 0.7, 0.1],
    [10, 3000, 0.7, 0.1],
    [20, 400, 0.3, 0],
  ])(
    'is not made of sparse codes: %i features, %i samples, θ %d, noise %d',
    async (features, samples, theta, noise) => {
      const data = generate({ samples, features, theta, noise, seed });
      expect((await learn(data.samples, { seed }, run)).remarks).toEqual([]);
    },
  );
});

describe('remarks on the data', () => {
  const { samples } = generate({ samples: 600, features: 4, theta: 0.3, seed });
  const withScales = (scales: readonly number[]): Matrix => {
    const cols = scales.length;
    const data = Float64Array.from({ length: samples.rows * cols }, (_, at) => {
      const [row, k] = [Math.floor(at / cols), at % cols];
      return scales[k] * samples.data[row * samples.cols + (k % samples.cols)];
    });
    return { rows: samples.rows, cols, data };
  };
  const remarksOf = async (data: Matrix, options = {}) => (await learn(data, { seed, ...options }, run)).remarks;

  it('tell of one feature', async () => {
    expect(codesOf(await remarksOf(withScales([1])))).toEqual(['one-feature']);
    expect(codesOf(await remarksOf(withScales([1]), { method: 'dct' }))).toEqual(['one-feature']);
  });

  it('tell of a column that varies far more than the others, unless it is whitened', async () => {
    const apart = withScales([1, 600, 1, 1]);
    for (const options of [{}, { center: true }, { method: 'ksvd' }]) {
      const [remark, ...others] = await remarksOf(apart, options);
      expect([remark.code, codesOf(others)]).toEqual(['unequal-spread', []]);
      expect(remark.text).toMatch(/^column 2 varies [67]00 times as much as column \d, .* --whiten zca/);
    }
    expect(codesOf(await remarksOf(apart, { whiten: 'zca' }))).toEqual([]);
    expect(codesOf(await remarksOf(withScales([1, 20, 1, 1])))).toEqual([]);
  });

  it('take the spread about the mean', async () => {
    const far = withScales([1, 1, 1, 1]);
    for (let at = 1; at < far.data.length; at += 4) far.data[at] += 1000;
    expect(codesOf(await remarksOf(far))).not.toContain('unequal-spread');
  });

  it('take few samples of many features as well', async () => {
    const few = withScales([1, 1, 900, ...new Array<number>(697).fill(1)]);
    expect(codesOf(await remarksOf(few, { components: 3, refine: 'none' }))).toContain('unequal-spread');
  });

  it('tell of fewer directions than features', async () => {
    const [remark] = await remarksOf(withScales([1, 1, 1, 1, 1, 0]));
    expect(remark).toEqual({
      code: 'rank-reduced',
      text: expect.stringMatching(/ in 4 of 6 directions only: 4 atoms .* last 2 /),
    });
    expect(codesOf(await remarksOf(withScales([1, 1, 1, 1, 1]), { whiten: 'zca' }))).toContain('rank-reduced');
    expect(codesOf(await remarksOf(withScales([1, 1, 1, 1, 1]), { components: 2 }))).not.toContain('rank-reduced');
  });
});
