/** Estimates of the gain left, relative to the sampling error. */
import { describe, expect, it } from 'vitest';
import { type Matrix64, row, zeros } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { Problem } from '#src/learn/problem.ts';
import { enoughFor, gradientVariance, leftToGain, stopAtSamplingError } from '#src/learn/sampling-error.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { problemOf } from '../helpers/problem.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(5);
const N = 6;

/** Sparse codes of very different energies: not white. */
function stretchedSamples(samples: number, atoms: Matrix64, name: string): Matrix64 {
  const random = createRandom(seed, name);
  const Y = zeros(samples, N);
  for (let s = 0; s < samples; s++) {
    for (let k = 0; k < N; k++) {
      const x = random.uniform() < 0.3 ? random.normal() * 3 ** k : 0;
      for (let j = 0; j < N; j++) Y.data[s * N + j] += x * atoms.data[k * N + j];
    }
  }
  return Y;
}

const phi = (x: number, q: number) => Math.sign(x) * Math.abs(x) ** (q - 1);

/** Σ (φ(x_i) x_j − x_i φ(x_j))², one sample after the other; in working coordinates, as the problem conditions them. */
function varianceByDefinition(Y: Matrix64, A: Matrix64, unit: number, q: number): Matrix64 {
  const v = zeros(N, N);
  for (let s = 0; s < Y.rows; s++) {
    const x = Array.from(
      { length: N },
      (_, i) => unit * row(A, i).reduce((sum, a, j) => sum + a * Y.data[s * N + j], 0),
    );
    for (let i = 0; i < N; i++) {
      for (let j = 0; j < N; j++) v.data[i * N + j] += (phi(x[i], q) * x[j] - x[i] * phi(x[j], q)) ** 2;
    }
  }
  return v;
}

const left = async (problem: Problem, A: Matrix64) => {
  const { correlation } = await problem.correlate(A, { kind: 'power', norm: 4 }, 'f64');
  return leftToGain(correlation, A, (await gradientVariance(problem, A, 4))!, problem.kernels, 'f64');
};

describe('what the samples can tell', () => {
  it.each([3, 4, 6])('the variance of the gradient is that of its terms, norm %i', async (q) => {
    const Y = normalMatrix(300, N, createRandom(seed, 'normal'));
    const A = randomOrthogonal(N, createRandom(seed, 'atoms'));
    const problem = await problemOf(Y);
    const v = (await gradientVariance(problem, A, q))!;
    const expected = varianceByDefinition(Y, A, problem.input.unit, q);
    for (let at = 0; at < N * N; at++) {
      if (at % (N + 1) !== 0) expect(v.data[at] / expected.data[at]).toBeCloseTo(1, 9);
    }
  });

  it('at the atoms behind the samples the gradient is one standard error, in samples of any number', async () => {
    const A = randomOrthogonal(N, createRandom(seed, 'truth'));
    for (const samples of [2000, 20_000]) {
      const trials = await Promise.all(
        Array.from({ length: 20 }, async (_, k) =>
          left(await problemOf(stretchedSamples(samples, A, `trial ${k}`)), A),
        ),
      );
      const mean = trials.reduce((sum, value) => sum + value, 0) / trials.length;
      expect(mean).toBeGreaterThan(0.7); // 300 planes: a standard error of about 0.1
      expect(mean).toBeLessThan(1.5);
    }
  });

  it('far from a maximum it is many standard errors, for more samples more of them', async () => {
    const A = randomOrthogonal(N, createRandom(seed, 'truth'));
    const start = randomOrthogonal(N, createRandom(seed, 'start'));
    const [few, many] = await Promise.all(
      [1000, 10_000].map(async (samples) => left(await problemOf(stretchedSamples(samples, A, 'far')), start)),
    );
    expect(few).toBeGreaterThan(2);
    expect(many).toBeGreaterThan(2 * few);
  });

  it('knows nothing of a single feature, and nothing of powers that overflow', async () => {
    const one = await problemOf({ rows: 9, cols: 1, data: Float64Array.from({ length: 9 }, (_, k) => k - 4) });
    expect(await left(one, { rows: 1, cols: 1, data: Float64Array.of(1) })).toBe(Number.POSITIVE_INFINITY);
    const Y = normalMatrix(10_000, N, createRandom(seed, 'normal'));
    Y.data[5] = 1e3;
    expect(
      await gradientVariance(await problemOf(Y), randomOrthogonal(N, createRandom(seed, 'atoms')), 64),
    ).toBeUndefined();
  });

  it('ends a run in words', async () => {
    const problem = await problemOf(stretchedSamples(500, randomOrthogonal(N, createRandom(seed, 'truth')), 'words'));
    const rule = stopAtSamplingError(enoughFor(problem));
    const progress = { left: 0.09 } as Parameters<typeof rule>[0];
    expect(rule(progress, undefined)).toEqual({
      status: 'converged',
      code: 'sampling error',
      reason: 'converged to within sampling error (0.3 of a standard error left)',
    });
    expect(rule({ ...progress, left: 0.11 }, undefined)).toBeUndefined();
    expect(rule({ ...progress, left: undefined }, undefined)).toBeUndefined();
  });
});
