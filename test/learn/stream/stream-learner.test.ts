/** Streams: as good as `learn` on all samples, in one pass and constant memory; and dictionaries that continue to learn. */
import { describe, expect, it } from 'vitest';
import { dot, fromRows, identity, type Matrix, maxDifference, range, row, rowRange, zeros } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { learn } from '#src/learn/learn.ts';
import type { StreamLearnerOptions } from '#src/learn/option-types.ts';
import { StreamLearner } from '#src/learn/stream/stream-learner.ts';
import { updateDictionary } from '#src/learn/stream/update-dictionary.ts';
import { matchAtoms } from '#src/metrics/match-atoms.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { fastKernels } from '../../helpers/kernels.ts';
import { product } from '../../helpers/matrices.ts';
import { testSeed } from '../../helpers/seed.ts';

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
  const l4 = { whiten: 'zca', seed, fallback: 'none' } as const;
  const all = await learn(samples, l4, run);
  const first = await learn(rowRange(samples, 0, 2000), l4, run);
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

it.each(['none', 'zca'] as const)('asking does not change a stream, whiten %s', async (whiten) => {
  const { samples, atoms } = generate({ samples: 3500, features: 10, theta: 0.3, noise: 0.03, seed });
  const learners = [0, 1].map(() => new StreamLearner({ seed, first: 2500, center: true, whiten }));
  const errors: number[] = [];
  const edges = [0, ...range(40).map((k) => 2500 + k), ...range(97).map((k) => 2540 + 10 * k)];
  for (const k of range(edges.length - 1)) {
    const part = rowRange(samples, edges[k], edges[k + 1]);
    for (const learner of learners) await learner.partialFit(part, run);
    errors.push(error((await learners[0].result(run)).dictionary.atoms, atoms));
  }
  const [asked, quiet] = await Promise.all(learners.map((learner) => learner.result(run)));
  expect(asked).toEqual({ ...quiet, dictionary: expect.anything() });
  expect(asked.dictionary.atoms).toEqual(quiet.dictionary.atoms);
  expect(asked).toMatchObject({ samples: 3500, refined: true });
  // a few samples more never make it much worse
  for (const [k, now] of errors.entries()) expect(now).toBeLessThan(1.2 * errors[Math.max(0, k - 1)]);
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
  expect([steady.samples, quick.samples]).toEqual([16000, 500]);
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

  it('calls that are not awaited count in order, and may reuse their memory', async () => {
    const inOrder = await streamed(samples, { first: 500 });
    const learner = new StreamLearner({ seed, first: 500 });
    const buffer = zeros(100, 6);
    const calls: Promise<unknown>[] = [];
    for (let at = 0; at < 3000; at += 100) {
      buffer.data.set(rowRange(samples, at, at + 100).data);
      calls.push(learner.partialFit(buffer, run));
      if (at === 1500) calls.push(learner.result(run));
    }
    const { dictionary } = await learner.result(run);
    await Promise.all(calls);
    expect(learner.samples).toBe(3000);
    expect(dictionary.atoms).toEqual(inOrder.dictionary.atoms);
  });

  it('what is refused leaves no trace', async () => {
    const learner = new StreamLearner({ seed, first: 500 });
    const large = (factor: number) => ({ ...samples, data: samples.data.map((y, at) => (at === 9 ? factor : y)) });
    await expect(learner.partialFit(large(1e308), run)).rejects.toThrow('magnitudes from 1e-300 to 1e300; got 1e+308');
    await learner.partialFit(rowRange(samples, 0, 700), run);
    await expect(learner.partialFit(large(1e200), run)).rejects.toThrow(
      /up to .*1e\+60 times .* the first; got 1e\+200/,
    );
    const stopped = { ...run, signal: AbortSignal.abort() };
    const many = {
      rows: 30000,
      cols: 6,
      data: Float64Array.from({ length: 180000 }, (_, at) => samples.data[at % 18000]),
    };
    await expect(learner.partialFit(many, stopped)).rejects.toThrow();
    const unknown = { ...run, sped: 1 } as typeof run;
    await expect(learner.partialFit(samples, unknown)).rejects.toThrow('the run must be of');
    expect(learner.samples).toBe(700);
    await learner.partialFit(rowRange(samples, 700, 3000), run);
    const { dictionary } = await streamed(samples, { first: 500 });
    expect((await learner.result(run)).dictionary.atoms).toEqual(dictionary.atoms);
    const few = new StreamLearner({ first: 3 });
    await expect(few.partialFit(samples, run)).rejects.toThrow(
      'first must be at least 6, the number of features; got 3',
    );
  });

  it.each(['none', 'zca'] as const)('an outlier does not turn atoms round, whiten %s', async (whiten) => {
    const noisy = generate({ samples: 2000, features: 20, theta: 0.3, noise: 0.1, seed }).samples;
    const known = await learn(rowRange(noisy, 0, 1000), { whiten, seed }, run);
    for (const size of [1e4, 1e12]) {
      const data = noisy.data.map((y, at) => (Math.floor(at / 20) === 100 ? size * y : y));
      const { dictionary } = await updateDictionary(known, { ...noisy, data }, {}, run);
      for (let i = 0; i < 20; i++) {
        expect(dot(row(dictionary.atoms, i), row(known.dictionary.atoms, i))).toBeGreaterThan(0);
      }
    }
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
