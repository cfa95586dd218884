import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { type Matrix, maxDifference, row } from '#src/core/matrix.ts';
import { density } from '#src/metrics/sparsity.ts';
import { generate, generateWithPauses } from '#src/synthetic/bernoulli-gaussian.ts';
import type { GenerateOptions } from '#src/synthetic/option-types.ts';
import { singularValues } from './singular-values.ts';

const seed = Number(process.env.ORTHODICT_TEST_SEED ?? 11);
const base = { samples: 5000, features: 20, theta: 0.3, seed } satisfies GenerateOptions;
const entries = base.samples * base.features;

/** Five standard deviations of a share estimated from `count` draws. */
const fiveSigma = (share: number, count = entries) => 5 * Math.sqrt((share * (1 - share)) / count);

function difference(a: Matrix, b: Matrix): Float64Array {
  return Float64Array.from(a.data, (value, at) => value - b.data[at]);
}

const meanSquare = (values: ArrayLike<number>) => Array.from(values).reduce((sum, x) => sum + x * x, 0) / values.length;

/** Bit by bit; toEqual takes a second for matrices of this size. */
function expectSame(a: Matrix, b: Matrix) {
  expect([a.rows, a.cols]).toEqual([b.rows, b.cols]);
  expect(Buffer.compare(bytesOf(a), bytesOf(b))).toBe(0);
}

const bytesOf = ({ data }: Matrix) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);

const clean = generate(base);

describe('generate', () => {
  it('gives samples = codes · atoms with an orthogonal dictionary', () => {
    const { samples, atoms, codes } = clean;
    expect([samples.rows, samples.cols, atoms.rows, atoms.cols, codes.rows, codes.cols]).toEqual([
      5000, 20, 20, 20, 5000, 20,
    ]);
    for (const value of singularValues(atoms)) expect(value).toBeCloseTo(1, 13);
    for (const j of [0, 17, 4999]) {
      const sample = row(samples, j).map((_, k) => row(codes, j).reduce((sum, x, i) => sum + x * row(atoms, i)[k], 0));
      for (let k = 0; k < 20; k++) expect(row(samples, j)[k]).toBeCloseTo(sample[k], 13);
    }
  });

  it('has a share θ of non-zero codes, which are standard normal', () => {
    expect(Math.abs(density(clean.codes) - base.theta)).toBeLessThan(fiveSigma(base.theta));
    const values = clean.codes.data.filter((x) => x !== 0);
    expect(Math.abs(values.reduce((sum, x) => sum + x, 0) / values.length)).toBeLessThan(5 / Math.sqrt(values.length));
    expect(Math.abs(meanSquare(values) - 1)).toBeLessThan(5 * Math.sqrt(2 / values.length));
    expect(density(generate({ ...base, samples: 100, theta: 1 }).codes)).toBe(1);
  });

  it('adds noise of the given standard deviation, and changes nothing else', () => {
    const noisy = generate({ ...base, noise: 0.25 });
    expectSame(noisy.atoms, clean.atoms);
    expectSame(noisy.codes, clean.codes);
    const deviation = Math.sqrt(meanSquare(difference(noisy.samples, clean.samples)));
    expect(Math.abs(deviation / 0.25 - 1)).toBeLessThan(5 / Math.sqrt(2 * entries));
  });

  it('corrupts the given share of entries by ±1, equally likely', () => {
    const corrupted = generate({ ...base, corruption: 0.1 });
    expectSame(corrupted.codes, clean.codes);
    const changes = difference(corrupted.samples, clean.samples).map(Math.round);
    const share = (value: number) => changes.filter((change) => change === value).length / entries;
    expect(share(0) + share(1) + share(-1)).toBeCloseTo(1, 12);
    expect(Math.abs(share(1) - 0.05)).toBeLessThan(fiveSigma(0.05));
    expect(Math.abs(share(-1) - 0.05)).toBeLessThan(fiveSigma(0.05));
  });

  it('replaces exactly the given share of samples by dense ones of the same energy', () => {
    const { samples, codes } = generate({ ...base, outliers: 0.2 });
    const rows = Array.from({ length: base.samples }, (_, j) => j);
    const changed = rows.filter((j) => row(samples, j).some((value, k) => value !== row(clean.samples, j)[k]));
    expect(changed.length).toBe(1000);
    expect(changed.some((j) => j < 100) && changed.some((j) => j >= 4900)).toBe(true);
    for (const j of changed) expect(row(codes, j).every((x) => x === 0)).toBe(true);
    const energy = meanSquare(changed.flatMap((j) => [...row(samples, j)]));
    expect(Math.abs(energy / base.theta - 1)).toBeLessThan(5 * Math.sqrt(2 / (changed.length * base.features)));
    expect(generate({ ...base, outliers: 1 }).codes.data.every((x) => x === 0)).toBe(true);
  });

  it('makes a dictionary of the given condition number, with the same codes', () => {
    const { atoms, codes } = generate({ ...base, condition: 50 });
    const values = singularValues(atoms);
    expect(values[0] / values[19]).toBeCloseTo(50, 8);
    expectSame(codes, clean.codes);
  });

  it('depends only on the seed', () => {
    const spoiled = { ...base, noise: 0.1, outliers: 0.1, corruption: 0.1 };
    const [first, second] = [generate(spoiled), generate(spoiled)];
    expectSame(first.samples, second.samples);
    expectSame(first.atoms, second.atoms);
    expectSame(first.codes, second.codes);
    const other = generate({ ...base, seed: seed + 1 });
    expect(maxDifference(other.atoms, clean.atoms)).toBeGreaterThan(0.1);
    expect(maxDifference(other.codes, clean.codes)).toBeGreaterThan(0.1);
  });

  it('draws dictionary, codes and noise from independent streams', () => {
    const noise = difference(generate({ ...base, noise: 1 }).samples, clean.samples);
    const correlation = noise.reduce((sum, e, at) => sum + e * clean.codes.data[at], 0) / entries;
    expect(Math.abs(correlation)).toBeLessThan(5 * Math.sqrt(base.theta / entries));
    expectSame(generate({ ...base, samples: 10 }).atoms, clean.atoms);
  });

  it('rounds the same samples to float32', () => {
    const { samples } = generate({ ...base, precision: 'f32' });
    expectSame(samples, { ...clean.samples, data: Float32Array.from(clean.samples.data) });
  });

  it('generates 40,000 × 100', () => {
    const { samples, codes } = generate({ samples: 40_000, features: 100, theta: 0.3, seed, precision: 'f32' });
    expect([samples.rows, samples.cols, samples.data.constructor]).toEqual([40_000, 100, Float32Array]);
    const nonZeros = codes.data.reduce((count, x) => (x === 0 ? count : count + 1), 0);
    expect(Math.abs(nonZeros / 4e6 - 0.3)).toBeLessThan(5 * Math.sqrt((0.3 * 0.7) / 4e6));
  });

  it.each<[Partial<GenerateOptions>, string]>([
    [{ samples: 0 }, 'generate: samples must be a whole number from 1; got 0.'],
    [{ features: 2.5 }, 'generate: features must be a whole number from 1; got 2.5.'],
    [{ theta: 0 }, 'generate: theta must be in (0, 1]; got 0.'],
    [{ theta: Number.NaN }, 'generate: theta must be in (0, 1]; got NaN.'],
    [{ noise: -1 }, 'generate: noise must be a finite number, 0 or more; got -1.'],
    [{ outliers: 1.5 }, 'generate: outliers must be in [0, 1]; got 1.5.'],
    [{ corruption: -0.1 }, 'generate: corruption must be in [0, 1]; got -0.1.'],
    [{ condition: 0.5 }, 'generate: condition must be in [1, 1e12]; got 0.5.'],
    [{ condition: 2, features: 1 }, 'generate: condition must be 1 for a single feature; got 2.'],
    [{ seed: 1.5 }, 'generate: seed must be a whole number; got 1.5.'],
  ])('refuses %o', (change, message) => {
    expect(() => generate({ ...base, ...change })).toThrow(new InputError(message, 'generate'));
  });
});

describe('generateWithPauses', () => {
  it('gives the same numbers, of every kind of perturbation', async () => {
    const options = { ...base, noise: 0.1, outliers: 0.05, corruption: 0.02, condition: 10, precision: 'f32' } as const;
    const [expected, got] = [generate(options), await generateWithPauses(options)];
    for (const name of ['samples', 'atoms', 'codes'] as const) expectSame(got[name], expected[name]);
  });

  it('lets the event loop turn, and ends when it is aborted', async () => {
    const controller = new AbortController();
    const options = { ...base, samples: 10_000_000, features: 4 }; // would take seconds
    setTimeout(() => controller.abort(new Error('enough')), 20);
    await expect(generateWithPauses(options, controller.signal)).rejects.toThrow('enough');
    await expect(generateWithPauses(base, controller.signal)).rejects.toThrow('enough');
  });

  it('refuses under its own name', async () => {
    await expect(generateWithPauses({ ...base, theta: 2 })).rejects.toThrow(/^generateWithPauses: theta must be/);
  });
});
