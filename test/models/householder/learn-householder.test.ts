import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { type Matrix, type Matrix64, row, zeros } from '#src/core/matrix.ts';
import { createRandom } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import type { Source } from '#src/engine/source/source.ts';
import type { ReflectorTransform } from '#src/kernels/kernels.ts';
import { learn } from '#src/learn/learn.ts';
import { productDistance } from '#src/metrics/product-distance.ts';
import { learnHouseholder } from '#src/models/householder/learn-householder.ts';
import type { HouseholderOptions } from '#src/models/householder/option-types.ts';
import { generateHouseholder } from '#src/synthetic/householder.ts';
import type { GenerateHouseholderOptions } from '#src/synthetic/option-types.ts';
import { fastKernels } from '../../helpers/kernels.ts';
import { base, largestError, samplesOf } from './helpers.ts';

describe('reflectors', () => {
  it('one is found by its zeros where moments tell nothing: entries of u or codes of zero mean', async () => {
    const data = generateHouseholder({ ...base, entries: 'normal' });
    await expect(learnHouseholder(data.samples, { refine: 'none' })).rejects.toThrow(
      'learnHouseholder: samples must be of a dictionary that moves the vector of ones',
    );
    const found = await learnHouseholder(data.samples);
    expect([found.exact, found.identified]).toEqual([true, 1]);
    expect(largestError(found.reflectors.data, data.reflectors.data)).toBeLessThan(1e-10);

    const random = createRandom(base.seed, 'householder test');
    const signed = samplesOf(data.reflectors, 30, () => (random.uniform() < 0.3 ? random.normal() : 0));
    await expect(learnHouseholder(signed, { refine: 'none' })).rejects.toThrow('codes with non-zero mean');
    const signedFound = await learnHouseholder(signed);
    expect(signedFound.thetaMu).toBe(undefined);
    expect(largestError(signedFound.reflectors.data, data.reflectors.data)).toBeLessThan(1e-10);
  });

  it('start from given or random reflectors: the first is fitted, the others stay', async () => {
    const data = generateHouseholder({ ...base, reflectors: 3 });
    const start = generateHouseholder({ ...base, reflectors: 3, seed: base.seed + 1 }).reflectors;
    const given = await learnHouseholder(data.samples, { reflectors: 3, start, refine: 'none' });
    expect([given.identified, given.reflectors.rows]).toEqual([1, 3]);
    expect(largestError(row(given.reflectors, 2), row(start, 2))).toBeLessThan(1e-15);
    const random = await learnHouseholder(data.samples, { reflectors: 3, start: 'random', seed: 5, refine: 'none' });
    expect(random.reflectors.rows).toBe(3);
    expect((await learnHouseholder(data.samples, { reflectors: 3, start: 'random' })).exact).toBe(true);
    const { dictionary } = await learn(data.samples, { method: 'householder', reflectors: 3, start, refine: 'none' });
    expect((dictionary.transform as ReflectorTransform).reflectors).toEqual(given.reflectors);
  });

  it('stay as they are given if they explain the mean', async () => {
    const data = generateHouseholder({ ...base, samples: 40, features: 200, reflectors: 2 });
    const options = { reflectors: 2, start: data.reflectors, refine: 'none' } as const;
    const { reflectors, identified, reason } = await learnHouseholder(data.samples, options);
    expect([identified, reason]).toEqual([0, 'the start explains the mean of the samples up to noise']);
    expect(productDistance(reflectors, data.reflectors)).toBeLessThan(1e-12);
    const { exact, identified: all } = await learnHouseholder(data.samples, { reflectors: 2, start: data.reflectors });
    expect([exact, all]).toEqual([true, 2]);
  });
});

describe('one reflector in noise', () => {
  /** ℓ∞ errors of u and distances of V, summed over some seeds, of the default against the moment estimate. */
  async function ratios(options: Partial<GenerateHouseholderOptions>, seeds: number) {
    const sums = [0, 0, 0, 0];
    for (let k = 0; k < seeds; k++) {
      const data = generateHouseholder({ ...base, features: 300, ...options, seed: base.seed + k });
      for (const [at, refine] of (['none', 'auto'] as const).entries()) {
        const { reflectors } = await learnHouseholder(data.samples, { refine });
        sums[at] += largestError(reflectors.data, data.reflectors.data);
        sums[at + 2] += productDistance(reflectors, data.reflectors);
      }
    }
    return { largest: sums[1] / sums[0], distance: sums[3] / sums[2] };
  }

  it('is nearer than moments where features have few zeros', async () => {
    const { largest, distance } = await ratios({ theta: 0.5, noise: 0.034 }, 3); // 30 dB
    expect(largest).toBeLessThan(0.5); // certain zeros alone: above 1
    expect(distance).toBeLessThan(0.3);
  });

  it.each([
    [2, 0.5, 0.034],
    [6, 0.3, 0.26],
    [18, 0.3, 0.26],
    [18, 0.5, 0.6],
  ])('is nearer than moments with %d samples at θ = %d, noise %d', async (samples, theta, noise) => {
    const { largest, distance } = await ratios({ samples, theta, noise }, 6);
    expect(largest).toBeLessThan(1); // measured .87 and less
    expect(distance).toBeLessThan(0.95); // measured .88 and less
  });

  it('uses the mean of the samples that it does not read', async () => {
    const { distance } = await ratios({ features: 50, samples: 4000, theta: 0.5, noise: 0.6 }, 4);
    expect(distance).toBeLessThan(1.05);
  });

  it('says how it was found', async () => {
    const data = generateHouseholder({ ...base, features: 300, theta: 0.5, noise: 0.034 });
    const { refined, exact, refinement, status } = await learnHouseholder(data.samples);
    expect([refined, exact, status]).toEqual([true, false, 'converged']);
    expect(refinement).toMatch(/^zeros about (4[5-9]|5[0-5]) % of the codes, combined with their mean at a noise of/);
  });
});

describe('data without zeros', () => {
  it('keeps the moment estimate and says so', async () => {
    const { reflectors } = generateHouseholder({ ...base, features: 200 });
    const random = createRandom(base.seed, 'householder test');
    for (const draw of [() => 1 + random.uniform(), () => 0.7 + random.normal()]) {
      const samples = samplesOf(reflectors, 40, draw);
      const [plain, kept] = await Promise.all(
        (['none', 'auto'] as const).map((refine) => learnHouseholder(samples, { reflectors: 2, refine })),
      );
      expect(kept.refined).toBe(false);
      expect(kept.refinement).toMatch(/no zeros|too few|clearer/);
      expect(kept.reflectors).toEqual(plain.reflectors);
    }
  });
});

describe('what it costs', () => {
  /** A source that counts the numbers read from it. */
  function counting(samples: Matrix): Source & { read: Source['read']; numbers: number } {
    const inner = memorySource(samples);
    const source = {
      ...inner,
      numbers: 0,
      read: (start: number, end: number) => {
        source.numbers += (end - start) * samples.cols;
        return inner.read(start, end);
      },
    };
    return source;
  }

  it('reads every number once, for any number of reflectors', async () => {
    for (const reflectors of [1, 8]) {
      const { samples } = generateHouseholder({ ...base, samples: 3000, features: 50, reflectors });
      const source = counting(samples);
      await learnHouseholder(source, { reflectors, refine: 'none' });
      expect(source.numbers).toBe(150_000);
    }
  });

  it('gives the same for any executor and source, and an aborted run what it has', async () => {
    const { samples } = generateHouseholder({ ...base, reflectors: 2 });
    const executor = inlineExecutor(fastKernels);
    const first = await learnHouseholder(samples, { reflectors: 2 }, { executor });
    const second = await learnHouseholder(memorySource(samples), { reflectors: 2 }, { executor });
    expect(second.reflectors).toEqual(first.reflectors);
    const controller = new AbortController();
    const slow: Source = {
      ...memorySource(samples),
      read: async (start, end) => {
        if (end - start === 1) controller.abort();
        return memorySource(samples).read(start, end);
      },
    };
    const aborted = await learnHouseholder(slow, { reflectors: 2 }, { executor, signal: controller.signal });
    expect([aborted.status, aborted.refined, aborted.reflectors.rows]).toEqual(['aborted', false, 1]);
  });

  it('works in any units', async () => {
    const { samples, reflectors } = generateHouseholder(base);
    for (const unit of [1e-200, 1e200]) {
      const scaled = { ...samples, data: samples.data.map((value) => value * unit) as Float64Array };
      const found = await learnHouseholder(scaled);
      expect(found.thetaMu! / unit).toBeCloseTo(0.45, 1);
      expect(largestError(found.reflectors.data, reflectors.data)).toBeLessThan(1e-10);
    }
  });
});

describe('strange input', () => {
  it.each([1, 2, 3])('%d features have an answer or an error, never NaN', async (features) => {
    for (let reflectors = 1; reflectors <= features; reflectors++) {
      for (const samples of [2, 3, 40]) {
        const data = generateHouseholder({ ...base, samples, features, reflectors });
        try {
          const found = await learnHouseholder(data.samples, { reflectors });
          expect(found.reflectors.data.every(Number.isFinite)).toBe(true);
          expect(found.reflectors.rows).toBeLessThanOrEqual(reflectors);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }
    }
  });

  const { samples } = generateHouseholder({ ...base, samples: 6, features: 20 });
  const withValue = (value: number): Matrix => ({
    ...samples,
    data: samples.data.map((y, at) => (at === 45 ? value : y)) as Float64Array,
  });

  it.each<[string, Matrix, HouseholderOptions, string]>([
    [
      'one sample',
      { rows: 1, cols: 3, data: new Float64Array(3).fill(1) },
      {},
      'samples must be at least 2, to distinguish their mean from chance; got 1.',
    ],
    [
      'more reflectors than features',
      samples,
      { reflectors: 21 },
      'reflectors must be a whole number from 1 to the number of features, 20; got 21.',
    ],
    ['θ of 0', samples, { theta: 0, mean: 1.5 }, 'theta must be in (0, 1); got 0.'],
    ['θ of 1', samples, { theta: 1, mean: 1.5 }, 'theta must be in (0, 1); got 1.'],
    ['μ of 0', samples, { theta: 0.3, mean: 0 }, 'mean must be a finite number other than 0; got 0.'],
    ['θ alone', samples, { theta: 0.3 }, 'theta and mean must be given together; got 0.3.'],
    ['NaN', withValue(Number.NaN), {}, 'samples must be finite; got NaN at row 2, column 5.'],
    ['infinity', withValue(Number.NEGATIVE_INFINITY), {}, 'samples must be finite; got -Infinity at row 2, column 5.'],
    ['zeros', zeros(4, 5), {}, 'samples must be different from zero somewhere; got only zeros.'],
    ['a start of another shape', samples, { start: zeros(1, 3) }, 'start must be a 1×20 matrix; got 1×3.'],
    ['a start of zeros', samples, { start: zeros(1, 20) }, 'start must be of rows other than 0; got row 0.'],
  ])('refuses %s', async (_, data, options, message) => {
    await expect(learnHouseholder(data, options)).rejects.toThrow(new InputError(`learnHouseholder: ${message}`));
  });

  it('says what the data lacks and which method would work', async () => {
    const random = createRandom(2, 'householder test');
    const normal = samplesOf(zeros(0, 50), 30, random.normal);
    await expect(learnHouseholder(normal)).rejects.toThrow(/codes with non-zero mean.*use method msp/);
    const constant: Matrix64 = { rows: 3, cols: 4, data: new Float64Array(12).fill(2) };
    await expect(learnHouseholder(constant)).rejects.toThrow(/moves the vector of ones.*use method msp/);
  });
});
