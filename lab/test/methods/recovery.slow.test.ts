/** The methods of the laboratory find planted dictionaries, each as well as it can, over several seeds. */
import { generate, type LearnResult, learn, matchAtoms, recoveryError } from 'orthodict';
import { type AnyMethod, createRandom, type Matrix64, normalMatrix } from 'orthodict/extend';
import { describe, expect, it } from 'vitest';
import { fastica } from '#lab/methods/fastica/fastica.ts';
import { online } from '#lab/methods/online/online.ts';
import { subgradient } from '#lab/methods/subgradient/subgradient.ts';
import { orthonormalityError, product } from '../../../test/helpers/matrices.ts';
import { testSeed } from '../../../test/helpers/seed.ts';

const seed = testSeed(3);

const as = (method: unknown, options: object = {}) => ({ method: method as AnyMethod, ...options });

/** n=25, p=10,000, θ=.3: row (a) of the paper's Table 2. */
async function tableRow(options: ReturnType<typeof as>, trial: number): Promise<LearnResult & { error: number }> {
  const { samples, atoms } = generate({ samples: 10_000, features: 25, theta: 0.3, seed: seed + trial });
  const result = await learn(samples, { seed: seed + trial, ...options });
  return { ...result, error: recoveryError(result.dictionary.atoms, atoms) };
}

describe.each([
  // kurtosis has the finite-sample bias of l4, and whitening adds its own: 0.47 to 0.56 % measured
  ['fastica, cube', as(fastica), { error: 8e-3, iterations: 25 }],
  ['fastica, logcosh', as(fastica, { nonlinearity: 'logcosh' }), { error: 3e-3, iterations: 25 }],
  // sharp minima: the last step, 1e-5 of an atom, squared
  ['subgradient, atoms', as(subgradient), { error: 1e-8, iterations: 700 }],
  ['subgradient, whole', as(subgradient, { search: 'whole' }), { error: 1e-8, iterations: 150 }],
  ['online', as(online), { error: 5e-4, iterations: 50 }],
] as const)('%s', (_, options, { error: bound, iterations }) => {
  it('finds the dictionary of Table 2 (a)', async () => {
    for (let trial = 0; trial < 3; trial++) {
      const result = await tableRow(options, trial);
      expect(result.status).toBe('converged');
      expect(result.refined).toBe(false);
      expect(result.error).toBeLessThan(bound);
      expect(result.iterations).toBeLessThanOrEqual(iterations);
    }
  });
});

describe('fastica', () => {
  it('finds a dictionary that is not orthogonal; with the refinement, exactly', async () => {
    const { samples, atoms } = generate({ samples: 6000, features: 10, theta: 0.3, condition: 8, seed });
    const plain = await learn(samples, as(fastica, { nonlinearity: 'logcosh' }));
    expect(recoveryError(plain.dictionary.atoms, atoms)).toBeLessThan(5e-3);
    const refined = await learn(samples, as(fastica, { refine: 'auto' }));
    expect(refined.refined).toBe(true);
    expect(recoveryError(refined.dictionary.atoms, atoms)).toBeLessThan(1e-12);
  });

  it('also finds sources with light tails, whose signs change in every step', async () => {
    const random = createRandom(seed, 'uniform');
    const data = new Float64Array(30_000).map(() => 2 * random.uniform() - 1);
    const sources: Matrix64 = { rows: 5000, cols: 6, data };
    const mixing = normalMatrix(6, 6, random);
    const result = await learn(product(sources, mixing), as(fastica));
    expect(result.status).toBe('converged');
    expect(recoveryError(result.dictionary.atoms, mixing)).toBeLessThan(0.02);
  });
});

describe('subgradient', () => {
  it('finds every atom once, in as many rounds as it takes', async () => {
    const { samples, atoms } = generate({ samples: 5000, features: 14, theta: 0.2, seed });
    const { dictionary } = await learn(samples, as(subgradient));
    expect(orthonormalityError(dictionary.atoms)).toBeLessThan(1e-12);
    expect(matchAtoms(dictionary.atoms, atoms).maxAtomError).toBeLessThan(1e-3);
  });

  it('gives an orthogonal dictionary when stopped early', async () => {
    const { samples } = generate({ samples: 2000, features: 8, theta: 0.2, seed });
    for (const maxIterations of [3, 130]) {
      const { dictionary } = await learn(samples, as(subgradient, { maxIterations }));
      expect(orthonormalityError(dictionary.atoms)).toBeLessThan(1e-12);
    }
  });
});
