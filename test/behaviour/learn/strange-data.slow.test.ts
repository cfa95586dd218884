/** Strange data: tiny, degenerate, badly scaled. The result is a sane dictionary, or a sentence that says why not. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRows, type Matrix, type Matrix64, maxDifference, row, transpose } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { type LearnResult, learn } from '#src/learn/learn.ts';
import type { LearnOptions } from '#src/learn/option-types.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { fastKernels } from '../../helpers/kernels.ts';
import { orthonormalityError, product } from '../../helpers/matrices.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(61);
const executor = inlineExecutor(fastKernels);
const run = (samples: Matrix, options: LearnOptions = {}): Promise<LearnResult> =>
  learn(samples, options, { executor });

const planted = generate({ samples: 3000, features: 10, theta: 0.25, seed });
/** A float64 copy with every number replaced by `edit` of it and its place. */
const edited = (matrix: Matrix, edit: (value: number, at: number) => number): Matrix64 => ({
  ...matrix,
  data: Float64Array.from(matrix.data, edit),
});
const times = (matrix: Matrix, factor: number) => edited(matrix, (x) => x * factor);

/** What every result promises: K×n finite orthonormal atoms, canonical signs, finite numbers. */
function expectSane({ dictionary, objective, status }: LearnResult, K: number, n: number): void {
  const { atoms } = dictionary;
  expect([atoms.rows, atoms.cols, dictionary.components, dictionary.features]).toEqual([K, n, K, n]);
  expect(orthonormalityError(atoms)).toBeLessThanOrEqual(1e-12);
  expect(Number.isFinite(objective) && objective > 0).toBe(true);
  expect(['converged', 'exhausted']).toContain(status);
  for (let i = 0; i < K; i++) {
    const atom = [...row(atoms, i)];
    expect(Math.max(...atom)).toBe(Math.max(...atom.map(Math.abs)));
  }
}

/** The energy that each atom explains. */
function energies(samples: Matrix, atoms: Matrix64): number[] {
  const codes = product(samples, transpose(atoms));
  return Array.from({ length: atoms.rows }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < codes.rows; j++) sum += codes.data[j * codes.cols + i] ** 2;
    return sum;
  });
}

describe('sizes', () => {
  it.each([1, 2, 3, 5, 7, 13, 31])('n = %d, p = 400', async (n) => {
    const data = generate({ samples: 400, features: n, theta: 0.3, seed });
    const result = await run(data.samples);
    expectSane(result, n, n);
    const order = energies(data.samples, result.dictionary.atoms);
    for (let i = 1; i < n; i++) expect(order[i]).toBeLessThanOrEqual(order[i - 1] * (1 + 1e-9));
  });

  it('one number', async () => {
    const result = await run(fromRows([[-3]]));
    expectSane(result, 1, 1);
    expect([...result.dictionary.atoms.data]).toEqual([1]);
    expect(result.objective).toBeCloseTo(81, 9);
  });

  it.each([2, 3, 11, 40])('as many samples as features: %d', async (n) => {
    expectSane(await run(normalMatrix(n, n, createRandom(seed, 'square'))), n, n);
  });

  it('every combination of small sizes, norms, whitening and precision', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 0, max: 30 }),
        fc.record({
          norm: fc.constantFrom(3, 4, 6, 10),
          precision: fc.constantFrom('mixed', 'f32', 'f64'),
          center: fc.boolean(),
          solver: fc.constantFrom<LearnOptions>(
            { method: 'msp' },
            { shift: 'none' },
            { shift: 3 },
            { method: 'pga', step: 0.5 },
          ),
          seed: fc.integer({ min: 0, max: 2 ** 31 }),
        }),
        async (n, more, { solver, ...options }) => {
          const samples = normalMatrix(n + more + 2, n, createRandom(options.seed, 'small'));
          expectSane(await run(samples, { ...options, ...solver }), n, n);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('degenerate samples', () => {
  it('zero samples change nothing but the sums', async () => {
    const zeros = new Float64Array(planted.samples.data.length + 5000 * 10);
    zeros.set(planted.samples.data, 2000 * 10);
    const result = await run({ rows: 8000, cols: 10, data: zeros });
    expectSane(result, 10, 10);
    expect(recoveryError(result.dictionary.atoms, planted.atoms)).toBeLessThan(1e-12);
  });

  it('zero columns are completed to an orthogonal basis, with the dictionary of the rest inside', async () => {
    const samples = { rows: 3000, cols: 13, data: new Float64Array(3000 * 13) };
    const place = [0, 2, 3, 4, 5, 6, 8, 9, 10, 11]; // 1, 7 and 12 stay zero
    for (let j = 0; j < 3000; j++)
      for (let k = 0; k < 10; k++) samples.data[j * 13 + place[k]] = planted.samples.data[j * 10 + k];
    const result = await run(samples);
    expectSane(result, 13, 13);
    const inside = fromRows(Array.from({ length: 10 }, (_, i) => place.map((k) => row(result.dictionary.atoms, i)[k])));
    expect(recoveryError(inside, planted.atoms)).toBeLessThan(1e-12);
    const silent = energies(samples, result.dictionary.atoms).slice(10);
    expect(Math.max(...silent)).toBeLessThan(1e-20);
  });

  it('constant columns', async () => {
    const samples = edited(planted.samples, (x, at) => (at % 10 === 4 ? 7 : x));
    expectSane(await run(samples), 10, 10);
    expectSane(await run(samples, { center: true }), 10, 10);
  });

  it('equal samples', async () => {
    const samples = { rows: 50, cols: 4, data: Float64Array.from({ length: 200 }, (_, i) => [1, -2, 3, 0.5][i % 4]) };
    const result = await run(samples);
    expectSane(result, 4, 4);
    const norm = Math.hypot(1, -2, 3, 0.5);
    const first = row(result.dictionary.atoms, 0);
    [1, -2, 3, 0.5].forEach((x, k) => {
      expect(first[k]).toBeCloseTo(x / norm, 12);
    });
    await expect(run(samples, { center: true })).rejects.toThrow(
      'learn: samples must be different from each other when center is on; got equal samples.',
    );
  });

  it('duplicated samples give the same dictionary', async () => {
    const twice = new Float64Array(2 * planted.samples.data.length);
    twice.set(planted.samples.data);
    twice.set(planted.samples.data, planted.samples.data.length);
    const result = await run({ rows: 6000, cols: 10, data: twice });
    expectSane(result, 10, 10);
    expect(recoveryError(result.dictionary.atoms, planted.atoms)).toBeLessThan(1e-12);
  });

  it('rank-deficient data is completed to an orthogonal basis', async () => {
    for (const rank of [1, 2, 6]) {
      const random = createRandom(seed + rank, 'rank');
      const samples = product(normalMatrix(200, rank, random), normalMatrix(rank, 9, random));
      const result = await run(samples);
      expectSane(result, 9, 9);
      expect(Math.max(0, ...energies(samples, result.dictionary.atoms).slice(rank))).toBeLessThan(1e-18 * 200 * 9);
    }
  });

  it('one huge outlier', async () => {
    const samples = edited(planted.samples, (x, at) => (at < 10 ? 1e6 * (x || 1) : x));
    const result = await run(samples);
    expectSane(result, 10, 10);
  });
});

describe('scale', () => {
  const usual = run(planted.samples);

  it.each([1e-30, 1e30, 1e-150, 1e150])('does not matter: %d, float64', async (factor) => {
    const result = await run(times(planted.samples, factor));
    // data that differs by rounding: the same number of steps up to one, and the same reason
    expect(Math.abs(result.iterations - (await usual).iterations)).toBeLessThanOrEqual(1);
    expect(result.reason.replaceAll(/[\d.e-]+/g, '')).toBe((await usual).reason.replaceAll(/[\d.e-]+/g, ''));
    expect(recoveryError(result.dictionary.atoms, planted.atoms)).toBeLessThan(1e-12);
    expect(orthonormalityError(result.dictionary.atoms)).toBeLessThan(1e-12);
  });

  it.each([1e-30, 1, 1e30])('does not matter: %d, float32', async (factor) => {
    const samples = { ...planted.samples, data: Float32Array.from(times(planted.samples, factor).data) };
    const result = await run(samples);
    // the samples are rounded to 6e-8: noise at that level
    expect(recoveryError(result.dictionary.atoms, planted.atoms)).toBeLessThan(1e-12);
    expect(orthonormalityError(result.dictionary.atoms)).toBeLessThan(1e-12);
  });

  it('shows in the objective, to the power of the norm', async () => {
    const { objective } = await run(times(planted.samples, 1e10));
    expect(objective / (await usual).objective / 1e40).toBeCloseTo(1, 5);
  });
});

describe('center', () => {
  it('subtracts the offset of the samples and stores it', async () => {
    const mean = Float64Array.from({ length: 10 }, (_, k) => 5 - k);
    const samples = edited(planted.samples, (x, at) => x + mean[at % 10]);
    const result = await run(samples, { center: true });
    expectSane(result, 10, 10);
    const offset = result.dictionary.mean!;
    mean.forEach((m, k) => {
      expect(offset[k]).toBeCloseTo(m, 10);
    });
    expect(recoveryError(result.dictionary.atoms, planted.atoms)).toBeLessThan(1e-12);
    const back = await result.dictionary.decode(await result.dictionary.encode(samples));
    expect(maxDifference(back, samples)).toBeLessThan(1e-12);
    expect((await run(samples)).dictionary.mean).toBeUndefined();
  });
});

describe('components', () => {
  it.each([1, 4, 10])('%d atoms, orthonormal, in the principal subspace', async (components) => {
    const result = await run(planted.samples, { components });
    expectSane(result, components, 10);
  });

  it.each([1, 4, 10])('%d atoms with zca: encode and decode are inverse on their span', async (components) => {
    const { dictionary } = await run(planted.samples, { components, whiten: 'zca' });
    expect([dictionary.components, dictionary.features]).toEqual([components, 10]);
    for (let i = 0; i < components; i++) expect(Math.hypot(...row(dictionary.atoms, i))).toBeCloseTo(1, 12);
    const codes = normalMatrix(20, components, createRandom(seed, 'components'));
    const again = await dictionary.encode(await dictionary.decode(codes));
    expect(maxDifference(again, codes)).toBeLessThan(1e-11);
  });

  it('learns from fewer samples than features when it is asked for few atoms', async () => {
    const few = normalMatrix(6, 20, createRandom(seed, 'few'));
    expectSane(await run(few, { components: 5 }), 5, 20);
  });

  it('zca on rank-deficient data has as many atoms as the rank', async () => {
    const random = createRandom(seed, 'zca rank');
    const samples = product(normalMatrix(500, 3, random), normalMatrix(3, 7, random));
    const { dictionary } = await run(samples, { whiten: 'zca' });
    expect([dictionary.components, dictionary.features]).toEqual([3, 7]);
    expect(maxDifference(await dictionary.decode(await dictionary.encode(samples)), samples)).toBeLessThan(1e-10);
  });
});

describe('a given start', () => {
  it('at the truth takes no more iterations than a random one', async () => {
    const result = await run(planted.samples, { start: planted.atoms });
    expect(recoveryError(result.dictionary.atoms, planted.atoms)).toBeLessThan(1e-12);
    const random = await run(planted.samples, { scout: 'none' });
    expect(result.iterations).toBeLessThanOrEqual(random.iterations);
  });

  it('need not be orthogonal or float64, and the seed then does not matter', async () => {
    const start = {
      rows: 10,
      cols: 10,
      data: Float32Array.from(normalMatrix(10, 10, createRandom(seed, 'start')).data),
    };
    const [a, b] = [await run(planted.samples, { start, seed: 1 }), await run(planted.samples, { start, seed: 2 })];
    expectSane(a, 10, 10);
    expect(maxDifference(a.dictionary.atoms, b.dictionary.atoms)).toBe(0);
  });
});

describe('the seed', () => {
  it('determines the whole result', async () => {
    const [a, b] = [await run(planted.samples, { seed: 5 }), await run(planted.samples, { seed: 5 })];
    expect(maxDifference(a.dictionary.atoms, b.dictionary.atoms)).toBe(0);
    expect(a.objective).toBe(b.objective);
  });
});
