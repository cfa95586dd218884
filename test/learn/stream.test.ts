/** Streams: as good as `learn` on all samples, in one pass and constant memory; and dictionaries that go on learning. */
import { describe, expect, it } from 'vitest';
import { fromRows, identity, type Matrix, maxDifference, rowRange, zeros } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/inline.ts';
import { learn } from '#src/learn/learn.ts';
import { StreamLearner, type StreamLearnerOptions } from '#src/learn/stream/stream-learner.ts';
import { updateDictionary } from '#src/learn/stream/update-dictionary.ts';
import { matchAtoms } from '#src/metrics/match-atoms.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { fastKernels } from '../helpers/kernels.ts';
import { product } from '../helpers/matrices.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(31);
const run = { executor: inlineExecutor(fastKernels) };
const error = (atoms: Matrix, truth: Matrix) => matchAtoms(atoms, truth).maxAtomError;

/** Batches of odd sizes, some of one sample. */
async function streamed(samples: Matrix, options: StreamLearnerOptions = {}) {
  const learner = new StreamLearner({ seed, first: 2000, ...options });
  for (let at = 0, k = 0; at < samples.rows; k++) {
    const end = Math.min(samples.rows, at + [1, 37, 700, 2500][k % 4]);
    await learner.partialFit(rowRange(samples, at, end), run);
    at = end;
  }
  expect(learner.samples).toBe(samples.rows);
  return learner.result(run);
}

const shifted = (samples: Matrix): Matrix => ({
  ...samples,
  data: samples.data.map((y, at) => y + (at % samples.cols)),
});

describe.each([
  ['orthogonal', 'none', 1],
  ['complete', 'zca', 5],
] as const)('%s', (_, whiten, condition) => {
  it.each([0.1, 0.3])('noiseless samples are learned exactly, θ = %d', async (theta) => {
    const { samples, atoms } = generate({ samples: 6000, features: 8, theta, condition, seed });
    for (const [given, center] of [
      [samples, false],
      [shifted(samples), true],
    ] as const) {
      const { dictionary, refined } = await streamed(given, { whiten, center });
      expect(refined).toBe(true);
      expect(error(dictionary.atoms, atoms)).toBeLessThan(1e-7);
    }
  });

  it('of noisy samples a stream learns as much as learn does of all', async () => {
    const { samples, atoms } = generate({ samples: 16000, features: 20, theta: 0.3, noise: 0.1, seed });
    const all = await learn(samples, { whiten, seed }, run);
    const first = await learn(rowRange(samples, 0, 4000), { whiten, seed }, run);
    const stream = await streamed(samples, { whiten, first: 4000 });
    const updated = await updateDictionary(first, rowRange(samples, 4000, 16000), {}, run);
    const [best, before] = [all, first].map(({ dictionary }) => error(dictionary.atoms, atoms));
    for (const { dictionary, samples: seen } of [stream, updated]) {
      expect(seen).toBe(16000);
      expect(error(dictionary.atoms, all.dictionary.atoms)).toBeLessThan(best);
      expect(error(dictionary.atoms, atoms)).toBeLessThan(1.3 * best);
    }
    expect(before).toBeGreaterThan(1.4 * best); // otherwise the above says little
  });
});

it('codes without zeros are followed by their fourth powers', async () => {
  const random = createRandom(seed, 'laplace');
  const [p, n] = [16000, 5];
  const laplace = () => (random.uniform() < 0.5 ? 1 : -1) * Math.log(1 - random.uniform());
  const codes = { rows: p, cols: n, data: Float64Array.from({ length: p * n }, laplace) };
  const samples = product(codes, normalMatrix(n, n, random));
  const all = await learn(samples, { whiten: 'zca', seed }, run);
  const first = await learn(rowRange(samples, 0, 2000), { whiten: 'zca', seed }, run);
  const { dictionary, refined } = await streamed(samples, { whiten: 'zca' });
  expect(refined).toBe(false);
  const away = (atoms: Matrix) => error(atoms, all.dictionary.atoms);
  expect(away(dictionary.atoms)).toBeLessThan(0.2 * away(first.dictionary.atoms));
  const back = product(product(samples, transposed(dictionary.encoder)), dictionary.atoms);
  expect(maxDifference(back, samples)).toBeLessThan(1e-9);
});

const transposed = ({ rows, cols, data }: Matrix): Matrix => ({
  rows: cols,
  cols: rows,
  data: Float64Array.from({ length: data.length }, (_, at) => data[(at % rows) * cols + Math.floor(at / rows)]),
});

it('before the first samples are complete, the result is that of learn', async () => {
  const { samples } = generate({ samples: 900, features: 6, theta: 0.3, seed });
  const { dictionary } = await learn(samples, { seed }, run);
  expect((await streamed(samples)).dictionary.atoms).toEqual(dictionary.atoms);
});

it('a window forgets: atoms that have turned are found', async () => {
  const before = generate({ samples: 8000, features: 6, theta: 0.3, seed });
  const [turn, angle] = [identity(6), 0.1];
  turn.data.set([Math.cos(angle), Math.sin(angle), 0, 0, 0, 0, -Math.sin(angle), Math.cos(angle)]);
  const samples = product(before.samples, turn);
  const truth = product(before.atoms, turn);
  const first = await learn(before.samples, { seed }, run);
  const steady = await updateDictionary(first, samples, {}, run);
  const quick = await updateDictionary(first, samples, { window: 500 }, run);
  expect(error(quick.dictionary.atoms, truth)).toBeLessThan(0.4 * error(steady.dictionary.atoms, truth));
  expect(quick.change).toBeGreaterThan(steady.change);
});

describe('odd streams', () => {
  const { samples, atoms } = generate({ samples: 3000, features: 6, theta: 0.3, seed });

  it('zeros, a constant column and an outlier leave the atoms orthonormal', async () => {
    const learner = new StreamLearner({ seed, first: 500 });
    const wide = zeros(3000, 7);
    for (let j = 0; j < 3000; j++) wide.data.set(samples.data.subarray(6 * j, 6 * j + 6), 7 * j);
    await learner.partialFit(wide, run);
    await learner.partialFit(zeros(2000, 7), run);
    await learner.partialFit({ ...wide, data: wide.data.map((y, at) => (at === 700 ? 1e12 : y)) }, run);
    const { dictionary } = await learner.result(run);
    expect(maxDifference(product(dictionary.atoms, transposed(dictionary.atoms)), identity(7))).toBeLessThan(1e-10);
  });

  it('few samples behind a known dictionary wait', async () => {
    const known = await learn(samples, { seed }, run);
    const learner = await StreamLearner.from(known);
    await learner.partialFit(rowRange(samples, 0, 10), run);
    expect((await learner.result(run)).dictionary.atoms).toEqual(known.dictionary.atoms);
    await learner.partialFit(rowRange(samples, 10, 3000), run);
    expect(learner.samples).toBe(6000);
    expect(error((await learner.result(run)).dictionary.atoms, atoms)).toBeLessThan(1e-9);
  });

  it('are refused in words', async () => {
    const known = await learn(samples, { seed }, run);
    const learner = await StreamLearner.from(known);
    await expect(learner.partialFit(zeros(3, 5))).rejects.toThrow('at least one row of 6 features; got 3×5');
    await expect(learner.partialFit(fromRows([[Number.NaN]]))).rejects.toThrow('finite; got NaN at row 0, column 0');
    await expect(new StreamLearner().result()).rejects.toThrow('of at least one sample; got none');
    expect(() => new StreamLearner({ window: 0 })).toThrow('window must be a number above 0; got 0');
    await expect(updateDictionary(known, zeros(9, 6))).rejects.toThrow('at least 64, to tell zeros apart; got 9');
    await expect(updateDictionary(known, zeros(99, 5))).rejects.toThrow(/samples must (be|have)/);
    const { dictionary } = await learn(samples, { method: 'ksvd', components: 9, maxIterations: 1 }, run);
    await expect(updateDictionary({ ...known, dictionary }, samples)).rejects.toThrow('must be dense');
    const bent = { ...known, dictionary: { ...known.dictionary, atoms: identity(6) } };
    await expect(updateDictionary(bent, samples)).rejects.toThrow('atoms must be orthonormal, or');
  });
});
