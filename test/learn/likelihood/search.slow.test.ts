/**
 * Maximum likelihood where the l4 norm fails: few samples, dense codes, noise. And the certificate that distinguishes success from
 * failure.
 */
import { describe, expect, it } from 'vitest';
import type { Matrix, Matrix64 } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { type LearnResult, learn } from '#src/learn/learn.ts';
import type { LearnOptions } from '#src/learn/option-types.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { matchAtoms } from '#src/metrics/match-atoms.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import type { GenerateOptions } from '#src/synthetic/option-types.ts';
import { fastKernels } from '../../helpers/kernels.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(18);
const executor = inlineExecutor(fastKernels);
const run = (samples: Matrix, options: LearnOptions = {}): Promise<LearnResult> =>
  learn(samples, { seed, ...options }, { executor });

describe.each<[string, GenerateOptions, Extract<LearnOptions, { method?: 'msp' | undefined }>]>([
  ['few samples', { samples: 110, features: 25, theta: 0.3 }, {}],
  ['dense codes', { samples: 1500, features: 25, theta: 0.8 }, {}],
  ['one number of twenty wrong', { samples: 4000, features: 20, theta: 0.3, corruption: 0.05 }, {}],
  ['a complete dictionary', { samples: 500, features: 25, theta: 0.5, condition: 10 }, { whiten: 'zca' }],
  ['centred samples', { samples: 400, features: 25, theta: 0.5 }, { center: true }],
])('%s', (_, data, options) => {
  it('are exact, and certified unless codes recur, where the l4 norm and the refinement fail', async () => {
    const { samples, atoms } = generate({ ...data, seed });
    const without = await run(samples, { ...options, fallback: 'none' });
    expect(recoveryError(without.dictionary.atoms, atoms)).toBeGreaterThan(1e-4);
    const found = await run(samples, options);
    expect(recoveryError(found.dictionary.atoms, atoms)).toBeLessThan(1e-12);
    const K = data.features;
    if (data.corruption) {
      // one number off by 1 gives codes that recur: a turned basis could have such zeros
      expect(found).toMatchObject({
        status: 'converged',
        refined: true,
        certainty: { certified: 0, refusal: 'few values' },
      });
      return;
    }
    expect(found).toMatchObject({ status: 'converged', refined: true, certainty: { certified: K, atoms: K } });
    const { digits } = found.certainty!;
    const words = `certified: ${K} of ${K} atoms to ${digits} digits`;
    expect(found.meta).toMatchObject({ certainty: words, certified: K });
    const { pairs } = matchAtoms(found.dictionary.atoms, atoms);
    for (const { learned, error } of pairs) expect(error).toBeLessThan(found.certainty!.errors[learned]!);
  });
});

it('looks for fewer atoms than features in their own directions', async () => {
  const { samples, atoms } = generate({ samples: 110, features: 25, theta: 0.3, seed });
  const frame = { ...randomOrthogonal(40, createRandom(seed, 'frame')), rows: 25 };
  const embedded = { ...frame, data: frame.data.slice(0, 25 * 40) };
  const { dictionary, certainty } = await run(fastKernels.multiply(samples as Matrix64, embedded), { components: 25 });
  expect(certainty?.certified).toBe(25);
  expect(recoveryError(dictionary.atoms, fastKernels.multiply(atoms, embedded))).toBeLessThan(1e-12);
});

describe('with noise', () => {
  // (n−1)/(p(Jv−1)), J the Fisher information of a code: a sum over a fine grid
  const limit = (p: number, n: number, theta: number, noise: number): number => {
    const [spike, slab] = [noise ** 2, 1 + noise ** 2];
    let information = 0;
    for (let x = -12; x <= 12; x += 1e-3) {
      const a = ((1 - theta) * Math.exp(-(x ** 2) / (2 * spike))) / Math.sqrt(2 * Math.PI * spike);
      const b = (theta * Math.exp(-(x ** 2) / (2 * slab))) / Math.sqrt(2 * Math.PI * slab);
      if (a + b > 0) information += (((a / spike + b / slab) * x) ** 2 / (a + b)) * 1e-3;
    }
    return (n - 1) / (p * (information * (theta + noise ** 2) - 1));
  };

  it.each([0.2, 0.5])('of %f the error is the Cramér-Rao limit, and two starts agree', async (noise) => {
    const errors: number[] = [];
    for (const each of [seed, seed + 1, seed + 2, seed + 3]) {
      const { samples, atoms } = generate({ samples: 8000, features: 20, theta: 0.3, noise, seed: each });
      const { dictionary, certainty } = await run(samples, { seed: each });
      expect(certainty).toMatchObject({ certified: 0, atoms: 20, reproducible: true });
      errors.push(recoveryError(dictionary.atoms, atoms));
    }
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    expect(mean / limit(8000, 20, 0.3, noise)).toBeLessThan(1.2);
  });

  it('heavy tails without a spike gain too: Laplace codes', async () => {
    const random = createRandom(seed, 'laplace');
    const laplace = () => (random.uniform() < 0.5 ? 1 : -1) * Math.log(1 - random.uniform());
    const codes = { rows: 4000, cols: 20, data: Float64Array.from({ length: 80_000 }, laplace) };
    const atoms = randomOrthogonal(20, random);
    const samples = fastKernels.multiply(codes, atoms);
    const l4 = await run(samples, { fallback: 'none' });
    const found = await run(samples);
    expect(found.certainty?.reproducible).toBe(true);
    expect(recoveryError(found.dictionary.atoms, atoms)).toBeLessThan(0.5 * recoveryError(l4.dictionary.atoms, atoms));
  });
});

describe('where there is nothing to find', () => {
  const normal = normalMatrix(600, 20, createRandom(seed, 'normal'));

  it('nothing is certified, the result stays, and the search ends within its budget', async () => {
    const without = await run(normal, { fallback: 'none' });
    const found = await run(normal);
    expect(found.certainty).toMatchObject({ certified: 0, atoms: 20, reproducible: false });
    expect(found.dictionary.atoms).toEqual(without.dictionary.atoms);
    const again = await run(normal, { fallback: 0.05 });
    expect(found.passes).toBeGreaterThan(without.passes);
    expect(again.passes).toBeLessThan(found.passes);
  });

  it('data that is not white is not searched', async () => {
    const stretched = { ...normal, data: normal.data.map((y, k) => y * (1 + (k % 20))) };
    const [without, found] = [await run(stretched, { fallback: 'none' }), await run(stretched)];
    expect(found.passes).toBe(without.passes);
  });
});

describe('method ml', () => {
  const { samples, atoms } = generate({ samples: 110, features: 25, theta: 0.3, seed });

  it('finds the same by itself', async () => {
    const found = await run(samples, { method: 'ml' });
    expect(found).toMatchObject({ status: 'converged', refined: true, certainty: { certified: 25 } });
    expect(recoveryError(found.dictionary.atoms, atoms)).toBeLessThan(1e-12);
  });

  it('begins with narrowing where a start is given', async () => {
    const near = { ...atoms, data: atoms.data.map((a, k) => a + 0.02 * Math.sin(7 * k)) };
    const solvers = new Set<string>();
    const onProgress = ({ solver }: { solver: string }) => void solvers.add(solver);
    const found = await learn(samples, { method: 'ml', start: near }, { executor, onProgress });
    expect(recoveryError(found.dictionary.atoms, atoms)).toBeLessThan(1e-12);
    expect([...solvers][0]).toBe('likelihood: anneal');
    expect(solvers).not.toContain('likelihood: explore');
  });
});
