/**
 * Every method of `learn` and every other model on every strange data set: a sane result, or a sentence that says what
 * is wrong with the data. Data times a power of two gives the same atoms. Here each set meets some options of a method,
 * in turn, on the fastest portable kernels; the fuzz target `strange-data` draws from all of them on every backend.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { maxDifference } from '#src/core/matrix.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { type LearnResult, learn } from '#src/learn/learn.ts';
import { methods, tableOf } from '#src/learn/options.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { generateHouseholder } from '#src/synthetic/householder.ts';
import { scaledByPower, strangeData } from '../fuzz/strange-data.ts';
import { judge, modelWays, waysOf } from '../fuzz/strange-runs.ts';
import { bits } from '../helpers/bytes.ts';
import { fastKernels } from '../helpers/kernels.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(7);
const executor = inlineExecutor(fastKernels);
const sets = [...strangeData(seed)];
const all = methods.map((method) => [method.name, method] as const);

/** The degree of a method's objective, 4 unless listed. */
const DEGREES: Readonly<Record<string, number>> = {
  ica: 0,
  procrustes: 2,
  gtransform: 2,
  ksvd: 2,
};

describe.each(all)('%s', (name, method) => {
  it('gives a sane result or says why not', async () => {
    const ways = waysOf(method);
    const wrong: string[] = [];
    for (const [at, set] of sets.entries()) {
      for (const way of new Set([ways[at % ways.length], ways[(at + 5) % ways.length]])) {
        const found = await judge(way, set.samples, executor);
        if (found) wrong.push(`${way.name} on ${set.name}: ${found}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  const usual = method.learn
    ? generateHouseholder({ samples: 200, features: 6, reflectors: 1, theta: 0.2, seed }).samples
    : generate({ samples: 300, features: 6, theta: 0.3, seed }).samples;
  const options = { method: name, ...('maxIterations' in tableOf(method) && { maxIterations: 5 }) };
  const learned = (exponent: number) => learn(scaledByPower(usual, exponent), options, { executor });
  let plain: LearnResult;
  beforeAll(async () => {
    plain = await learned(0);
  });

  it.each([-60, -1, 7, 100])('learns the same bits from data times 2^%d', async (exponent) => {
    const scaled = await learned(exponent);
    expect(bits(scaled.dictionary.transform)).toBe(bits(plain.dictionary.transform));
    expect([scaled.status, scaled.iterations]).toEqual([plain.status, plain.iterations]);
  });

  // moments of such numbers are taken after scaling, so they round differently
  it.each([-950, 950])('learns the same up to rounding from data times 2^%d', async (exponent) => {
    const scaled = await learned(exponent);
    expect(maxDifference(scaled.dictionary.atoms, plain.dictionary.atoms)).toBeLessThan(1e-10);
    expect(scaled.status).toBe(plain.status);
    if (method.learn) return;
    expect(Number.isFinite(scaled.objective) && scaled.objective !== 0).toBe(true);
    const degree = DEGREES[name] ?? 4;
    const back = Math.log2(Math.abs(scaled.objective / plain.objective)) + degree * Math.log2(scaled.objectiveUnit);
    expect(back / (degree || 1)).toBeCloseTo(degree === 0 ? 0 : exponent, 6);
  });
});

describe('the models', () => {
  it.each(modelWays.map((way) => [way.name, way] as const))('%s: sane, or says why not', async (_, way) => {
    const wrong: string[] = [];
    for (const set of sets) {
      const found = await judge(way, set.samples, executor);
      if (found) wrong.push(`${set.name}: ${found}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('the largest norm', () => {
  const { samples } = generate({ samples: 400, features: 12, theta: 0.3, seed });

  it.each(['mixed', 'f32', 'f64'] as const)('64 works in precision %s', async (precision) => {
    const { objective, dictionary, status } = await learn(samples, { norm: 64, precision }, { executor });
    expect(Number.isFinite(objective) && objective > 0).toBe(true);
    expect(status).toBe('converged');
    expect(dictionary.atoms.data.every(Number.isFinite)).toBe(true);
  });

  it('keeps its objective in the units of the samples where float64 has room', async () => {
    const { objective, objectiveUnit } = await learn(samples, { norm: 64 }, { executor });
    const twice = await learn(scaledByPower(samples, 1), { norm: 64 }, { executor });
    expect([objectiveUnit, twice.objectiveUnit]).toEqual([1, 1]);
    expect(twice.objective).toBe(objective * 2 ** 64);
  });
});

describe('data that differs by rounding only', () => {
  it('is not learned from when it is centred', async () => {
    const data = Float64Array.from({ length: 3000 * 3 }, (_, at) => [0.1, 0.7, 1.3][at % 3]);
    await expect(learn({ rows: 3000, cols: 3, data }, { center: true }, { executor })).rejects.toThrow(
      'learn: samples must be different from each other when center is on; got equal samples.',
    );
  });
});
