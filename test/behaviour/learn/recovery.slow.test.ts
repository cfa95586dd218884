/** The goals of the project: planted dictionaries are recovered in few passes, and exactly if the data is noiseless. */
import { describe, expect, it } from 'vitest';
import type { Matrix, Matrix64 } from '#src/core/matrix.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { type LearnResult, learn } from '#src/learn/learn.ts';
import { mspSolver } from '#src/learn/methods/msp.ts';
import type { LearnOptions } from '#src/learn/option-types.ts';
import { startingAtoms } from '#src/learn/start.ts';
import { matchAtoms } from '#src/metrics/match-atoms.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import type { GenerateOptions } from '#src/synthetic/option-types.ts';
import { fastKernels } from '../../helpers/kernels.ts';
import { orthonormalityError } from '../../helpers/matrices.ts';
import { problemOf } from '../../helpers/problem.ts';
import { testSeed } from '../../helpers/seed.ts';

const USUAL = 1;
const seed = testSeed(USUAL);
const executor = inlineExecutor(fastKernels);
const run = (samples: Matrix, options: LearnOptions = {}): Promise<LearnResult> =>
  learn(samples, options, { executor });

/**
 * A guard against regressions, a quarter above what the usual seeds take. Other seeds may take longer if samples are
 * few: 36 to 45 passes over ten seeds at θ = .3, p = 2000.
 */
function expectPasses({ passes }: LearnResult, ceiling: number): void {
  if (seed === USUAL) expect(passes).toBeLessThanOrEqual(ceiling);
}

function expectOrthogonal(atoms: Matrix64): void {
  expect(orthonormalityError(atoms)).toBeLessThanOrEqual(1e-12);
}

describe.each([
  [25, 10_000],
  [50, 20_000],
])('Table 2: n = %d, p = %d, θ = .3', (features, samples) => {
  it.each([seed, seed + 1, seed + 2])('seed %d', async (seed) => {
    const data = generate({ features, samples, theta: 0.3, seed });
    const plain = await run(data.samples, { refine: 'none', seed });
    expect(recoveryError(plain.dictionary.atoms, data.atoms)).toBeLessThanOrEqual(0.0045);
    expect(plain).toMatchObject({ status: 'converged', refined: false, refinement: 'not asked for' });
    expectOrthogonal(plain.dictionary.atoms);
    expectPasses(plain, 14);

    const refined = await run(data.samples, { seed });
    expect(recoveryError(refined.dictionary.atoms, data.atoms)).toBeLessThanOrEqual(1e-12);
    expect(refined).toMatchObject({ status: 'converged', refined: true });
    expectOrthogonal(refined.dictionary.atoms);
    expectPasses(refined, 18);
  });
});

/** Options of the data, largest error, largest number of passes; `learn` is not told θ or the noise. */
const rows: [Omit<GenerateOptions, 'features' | 'seed'>, bar: number, passes: number][] = [
  [{ theta: 0.3, samples: 2000 }, 1e-10, 50],
  [{ theta: 0.1, samples: 10_000 }, 1e-10, 18],
  [{ theta: 0.4, samples: 2000 }, 1e-10, 112],
  [{ theta: 0.5, samples: 5000 }, 1e-10, 52],
  [{ theta: 0.6, samples: 10_000 }, 1e-10, 52],
  [{ theta: 0.3, samples: 20_000, noise: 0.05 }, 4e-5, 40],
  [{ theta: 0.3, samples: 20_000, noise: 0.1 }, 1.8e-4, 40],
  [{ theta: 0.3, samples: 20_000, noise: 0.2 }, 8.5e-4, 44],
];

describe.each(rows)('refinement, n = 50, %o', (options, bar, passes) => {
  it.each([seed, seed + 1])('seed %d', async (seed) => {
    const data = generate({ features: 50, seed, ...options });
    const result = await run(data.samples, { seed });
    expect(recoveryError(result.dictionary.atoms, data.atoms)).toBeLessThanOrEqual(bar);
    expect(result.refined).toBe(true);
    expectOrthogonal(result.dictionary.atoms);
    expectPasses(result, passes);
  });
});

describe('refinement with barely enough samples, n = 50, p = 1000, θ = .2', () => {
  it('succeeds for most seeds', async () => {
    let exact = 0;
    for (let k = 0; k < 5; k++) {
      const data = generate({ features: 50, samples: 1000, theta: 0.2, seed: seed + k });
      const { dictionary } = await run(data.samples, { seed: seed + k });
      if (recoveryError(dictionary.atoms, data.atoms) <= 1e-4) exact++;
      expectOrthogonal(dictionary.atoms);
    }
    expect(exact).toBeGreaterThanOrEqual(3); // the bar is 8 of 10, met exactly by seeds 1 to 10; five seeds leave more to chance
  });
});

describe.each([10, 100])('a complete dictionary of condition %d, whitened', (condition) => {
  it.each([seed, seed + 1])('seed %d', async (seed) => {
    const data = generate({ features: 30, samples: 12_000, theta: 0.3, condition, seed });
    const result = await run(data.samples, { whiten: 'zca', seed });
    const { dictionary, refined } = result;
    const { maxAtomError, matched } = matchAtoms(dictionary.atoms, data.atoms);
    expect(maxAtomError).toBeLessThanOrEqual(1e-8);
    expect([matched, refined]).toEqual([30, true]);
    expectPasses(result, 20);
    // the encoder inverts the dictionary: codes come back as they were made, up to sign and order
    const decoded = await dictionary.decode(await dictionary.encode(data.samples));
    let worst = 0;
    for (let i = 0; i < decoded.data.length; i++)
      worst = Math.max(worst, Math.abs(decoded.data[i] - data.samples.data[i]));
    expect(worst).toBeLessThan(1e-10);
  });
});

describe('the shift', () => {
  it.each([seed, seed + 1])('reaches an error of 0.004 in three fifths of the iterations: seed %d', async (seed) => {
    const data = generate({ features: 50, samples: 20_000, theta: 0.3, seed });
    const problem = await problemOf(data.samples);
    const iterations = async (shift: 'auto' | 'none'): Promise<number> => {
      const start = startingAtoms(problem, undefined, seed);
      const solver = mspSolver(problem, { norm: 4, shift, precision: 'f32', start });
      let state = await solver.init();
      for (let k = 1; k <= 60; k++) {
        state = await solver.step(state);
        if (recoveryError(state.candidate, data.atoms) <= 0.004) return k;
      }
      return Number.POSITIVE_INFINITY;
    };
    const [plain, shifted] = [await iterations('none'), await iterations('auto')];
    // plain 19, shifted 8 seen; METHODS.md has 26 and 11 at n = 100
    expect(plain).toBeLessThan(30);
    expect(shifted).toBeLessThanOrEqual(0.6 * plain);
  });

  it('ends at the same optimum as plain MSP', async () => {
    const data = generate({ features: 25, samples: 10_000, theta: 0.3, seed });
    const [plain, shifted] = await Promise.all(
      (['none', 'auto'] as const).map((shift) =>
        run(data.samples, { shift, seed, refine: 'none', precision: 'f64', tolerance: 1e-5 }),
      ),
    );
    expect(shifted.objective).toBeGreaterThanOrEqual(plain.objective * (1 - 1e-9));
    expect(shifted.iterations).toBeLessThanOrEqual(0.7 * plain.iterations); // .54 to .67 over five seeds
  });
});

describe('other norms', () => {
  it.each([3, 6])('l%d recovers a planted dictionary', async (norm) => {
    const data = generate({ features: 20, samples: 10_000, theta: 0.2, seed });
    const { dictionary } = await run(data.samples, { norm, seed });
    expect(recoveryError(dictionary.atoms, data.atoms)).toBeLessThanOrEqual(1e-12);
  });

  it('l3 succeeds with too few samples for l4', async () => {
    // METHODS.md: n = 30, p = 1000, θ = .3: 10 of 10 against 0 of 10
    const data = generate({ features: 30, samples: 1000, theta: 0.3, seed });
    const error = async (norm: number) => {
      const { dictionary } = await run(data.samples, { norm, seed, refine: 'none' });
      return recoveryError(dictionary.atoms, data.atoms);
    };
    expect(await error(3)).toBeLessThan(0.5 * (await error(4)));
  });
});

describe('codes of very different sizes, whose samples are not white', () => {
  /** Atom k is 1 + 9k/(n − 1) times as strong as atom 0. */
  const stretched = (data: ReturnType<typeof generate>) => {
    const { codes, atoms } = data;
    const n = atoms.rows;
    const X = { ...codes, data: codes.data.map((x, at) => x * (1 + (9 * (at % n)) / (n - 1))) };
    return fastKernels.multiply(X, atoms);
  };

  it.each([
    { features: 20, samples: 4000, theta: 0.3 },
    { features: 50, samples: 20_000, theta: 0.2 },
    { features: 30, samples: 2000, theta: 0.1 },
  ])('are recovered exactly, after an early end: %o', async (options) => {
    for (const k of [1, 2]) {
      const data = generate({ ...options, seed: seed + k });
      const { dictionary, passes, reason } = await run(stretched(data), { seed: k });
      expect(recoveryError(dictionary.atoms, data.atoms)).toBeLessThanOrEqual(1e-16);
      expect(reason).toMatch(/^converged to within sampling error/);
      expect(passes).toBeLessThanOrEqual(40);
    }
  });
});
