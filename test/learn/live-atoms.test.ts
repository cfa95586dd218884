/** The atoms that a run shows after every step. */
import { describe, expect, it } from 'vitest';
import { norm, row } from '#src/core/matrix.ts';
import { generate, type LearnOptions, learn, type Matrix64, METHODS, matchAtoms, recoveryError } from '#src/index.ts';

/** Methods that take no steps of the common loop. */
const ONE_STEP = ['procrustes', 'pca', 'dct', 'gtransform', 'householder'];

async function watch(options: LearnOptions, condition = 1) {
  const data = generate({ samples: 3000, features: 8, theta: 0.3, condition, seed: 3 });
  const seen: Matrix64[] = [];
  const onProgress = ({ atoms }: { atoms?: (() => Matrix64) | undefined }) => {
    if (atoms) seen.push(atoms());
  };
  const result = await learn(data.samples, options, { onProgress });
  return { data, seen, result };
}

describe('the atoms of a step', () => {
  it.each([
    ['orthogonal', {}, 1],
    ['complete', { whiten: 'zca' }, 3],
    ['of fewer components', { components: 5, refine: 'none' }, 1],
  ] as const)('are those of the result in the end: %s', async (_, options, condition) => {
    const { seen, result } = await watch({ ...options, seed: 1 }, condition);
    expect(seen.length).toBeGreaterThan(3);
    const last = matchAtoms(seen.at(-1)!, result.dictionary.atoms);
    expect(last.maxAtomError).toBeLessThan(0.01); // without refinement the result keeps the last step's matching
    expect(matchAtoms(seen[0], result.dictionary.atoms).maxAtomError).toBeGreaterThan(last.maxAtomError);
  });

  it('approach the truth', async () => {
    const { data, seen } = await watch({ seed: 1 });
    const errors = seen.map((atoms) => recoveryError(atoms, data.atoms));
    expect(errors.at(-1)).toBeLessThan(1e-12);
    expect(errors[0]).toBeGreaterThan(0.01);
  });

  it.each(METHODS.filter((method) => !ONE_STEP.includes(method)))('have unit norm with %s', async (method) => {
    const { seen } = await watch({ method, maxIterations: 3, seed: 1 } as LearnOptions);
    expect(seen.length).toBeGreaterThan(0);
    for (const atoms of seen) {
      for (let i = 0; i < atoms.rows; i++) expect(norm(row(atoms, i))).toBeCloseTo(1, 6);
    }
  });
});
