/** Procrustes: the energy kept never falls, planted dictionaries are found, and known codes give the closed form. */
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { maxDifference, selectRows } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import type { AtomsState, Solver } from '#src/engine/solver.ts';
import { learn } from '#src/learn/learn.ts';
import { procrustesAtoms } from '#src/learn/methods/procrustes.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { recoveryError } from '#src/metrics/recovery-error.ts';
import type { Selection } from '#src/passes/select-codes.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';
import { orthonormalityError, product } from '../../helpers/matrices.ts';
import { problemOf, solverOf } from '../../helpers/problem.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(7);
const random = createRandom(seed, 'procrustes');
const selections: Selection[] = [{ keep: 3 }, { threshold: 0.6 }, {}];

describe.each(selections)('the alternation with %j', (selection) => {
  it('never keeps less energy than before, on white data and on other data', async () => {
    for (const condition of [1, 30]) {
      const { samples } = generate({ samples: 2000, features: 12, theta: 0.25, condition, seed });
      const problem = await problemOf(samples);
      const start = randomOrthogonal(12, random);
      const solver = solverOf(problem, { method: 'procrustes', ...selection }, start) as unknown as Solver<AtomsState>;
      let state = await solver.init();
      for (let k = 0; k < 25; k++) {
        const next = await solver.step(state);
        expect(next.objective).toBeGreaterThanOrEqual(state.objective - 1e-12 * Math.abs(next.objective));
        state = next;
      }
      expect(orthonormalityError(state.atoms)).toBeLessThan(1e-12);
    }
  });

  it('finds a planted dictionary; with the refinement, exactly', async () => {
    const { samples, atoms } = generate({ samples: 5000, features: 16, theta: 0.2, seed });
    const found = await learn(samples, { method: 'procrustes', ...selection, refine: 'none' });
    expect(found.status).toBe('converged');
    expect(found.iterations).toBeLessThan(300);
    expect(recoveryError(found.dictionary.atoms, atoms)).toBeLessThan(5e-3);
    const refined = await learn(samples, { method: 'procrustes', ...selection });
    expect(recoveryError(refined.dictionary.atoms, atoms)).toBeLessThan(1e-12);
  });

  it('reports the objective in the units of the samples', async () => {
    const { samples } = generate({ samples: 1000, features: 8, theta: 0.2, seed });
    const tenfold = { ...samples, data: samples.data.map((y) => 10 * y) as Float64Array };
    const ten = { ...selection, ...(selection.threshold && { threshold: 10 * selection.threshold }) };
    const options = { method: 'procrustes', maxIterations: 3, refine: 'none', precision: 'f64' } as const;
    const [one, other] = [
      await learn(samples, { ...options, ...selection }),
      await learn(tenfold, { ...options, ...ten }),
    ];
    expect(other.objective / one.objective).toBeCloseTo(100, 8);
    expect(maxDifference(one.dictionary.atoms, other.dictionary.atoms)).toBeLessThan(1e-9);
  });
});

describe('procrustesAtoms', () => {
  it('recovers the atoms from samples and codes, all of them and a part', async () => {
    const atoms = randomOrthogonal(9, random);
    for (const K of [9, 4, 1]) {
      const some = selectRows(atoms, [...Array(K).keys()]);
      const codes = normalMatrix(40, K, random);
      expect(maxDifference(await procrustesAtoms(product(codes, some), codes), some)).toBeLessThan(1e-12);
    }
  });

  it('is orthonormal for any input', async () => {
    const [samples, codes] = [normalMatrix(3, 9, random), normalMatrix(3, 9, random)];
    expect(orthonormalityError(await procrustesAtoms(samples, codes))).toBeLessThan(1e-12);
  });

  it('refuses what does not fit', async () => {
    const samples = normalMatrix(5, 3, random);
    await expect(procrustesAtoms(samples, normalMatrix(4, 3, random))).rejects.toBeInstanceOf(InputError);
    await expect(procrustesAtoms(samples, normalMatrix(5, 4, random))).rejects.toThrow(
      'codes must be of 1 to 3 columns; got 4',
    );
    const spoiled = { ...samples, data: samples.data.map((x, i) => (i === 2 ? Number.NaN : x)) };
    await expect(procrustesAtoms(spoiled, samples)).rejects.toThrow('samples must be finite');
  });
});
