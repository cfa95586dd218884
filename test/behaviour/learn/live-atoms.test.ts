/** The atoms that a run shows after every step. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dot, norm, row } from '#src/core/matrix.ts';
import {
  generate,
  type LearnOptions,
  learn,
  learnSteps,
  type Matrix,
  type Matrix64,
  METHODS,
  matchAtoms,
  recoveryError,
} from '#src/index.ts';

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
    const { seen } = await watch({ method, maxIterations: 3, seed: 1 });
    expect(seen.length).toBeGreaterThan(0);
    for (const atoms of seen) {
      for (let i = 0; i < atoms.rows; i++) expect(norm(row(atoms, i))).toBeCloseTo(1, 6);
    }
  });
});

describe('the atoms of every step', () => {
  const STEPPING = METHODS.filter((method) => !ONE_STEP.includes(method));
  const ORTHOGONAL = STEPPING.filter((method) => !['ksvd', 'ica'].includes(method));
  const shapes = fc.record({
    n: fc.integer({ min: 2, max: 8 }),
    perAtom: fc.constantFrom(20, 60),
    theta: fc.constantFrom(0.3, 0.6, 0.8, 0.9),
    silent: fc.boolean(),
    seed: fc.nat(1e6),
    options: fc.oneof(
      { weight: 5, arbitrary: fc.constant({}) }, // the search of atoms beside certified ones is the default
      { weight: 1, arbitrary: fc.constantFrom(...STEPPING).map((method) => ({ method, maxIterations: 20 })) },
      { weight: 1, arbitrary: fc.constantFrom({ whiten: 'zca' }, { center: true }, { method: 'ml' }, { starts: 2 }) },
    ),
  });

  it('are as many and as long as those of the result, and orthonormal where these are', {
    timeout: 200_000,
  }, async () => {
    let beside = 0; // steps that look for some of the atoms only
    await fc.assert(
      fc.asyncProperty(shapes, async ({ n, perAtom, theta, silent, seed, options }) => {
        const { samples } = generate({ samples: perAtom * n, features: n, theta, seed });
        const data = silent && !('method' in options) ? withoutEnergy(samples) : samples; // some methods ask for full rank
        const steps = learnSteps(data, { seed, ...options });
        let rows: number | undefined;
        for (;;) {
          const { done, value } = await steps.next();
          if (done) {
            const { atoms } = value.dictionary;
            if (rows !== undefined) expect(rows).toBe(atoms.rows);
            break;
          }
          if (!value.atoms) continue;
          const atoms = value.atoms();
          expect([atoms.cols, rows ?? atoms.rows]).toEqual([data.cols, atoms.rows]);
          rows = atoms.rows;
          if (value.solver.startsWith('likelihood')) beside++;
          const isOrthogonal =
            !('whiten' in options) && ORTHOGONAL.includes((options as { method?: 'msp' }).method ?? 'msp');
          if (isOrthogonal) expect(largestCosine(atoms)).toBeLessThan(1e-5); // solvers may work in float32
        }
      }),
      { numRuns: 30 },
    );
    expect(beside).toBeGreaterThan(100);
  });
});

/** Adds a feature that is always 0. */
function withoutEnergy({ rows, cols, data }: Matrix): Matrix64 {
  const wider = new Float64Array(rows * (cols + 1));
  for (let j = 0; j < rows; j++) wider.set(data.subarray(j * cols, (j + 1) * cols), j * (cols + 1));
  return { rows, cols: cols + 1, data: wider };
}

/** Returns the largest |cosine| of two different rows. */
function largestCosine(atoms: Matrix64): number {
  let largest = 0;
  for (let i = 0; i < atoms.rows; i++) {
    for (let j = 0; j < i; j++) largest = Math.max(largest, Math.abs(dot(row(atoms, i), row(atoms, j))));
  }
  return largest;
}
