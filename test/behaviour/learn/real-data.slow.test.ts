/** Data that is neither white nor Bernoulli-Gaussian: few passes, atoms as good as plain MSP's, and better than PCA. */
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Matrix } from '#src/core/matrix.ts';
import { pcaAtoms } from '#src/dictionaries/pca.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { type LearnResult, learn } from '#src/learn/learn.ts';
import { topResidual } from '#src/metrics/top-residual.ts';
import { readMatrix } from '#src/node/io/arrays.ts';
import { patchesOf } from '#src/pictures/patches.ts';
import { fastKernels } from '../../helpers/kernels.ts';
import { orthonormalityError } from '../../helpers/matrices.ts';
import { testSeed } from '../../helpers/seed.ts';

const seed = testSeed(0);
/** Algorithm 2 of the paper. */
const PLAIN = { shift: 'none', momentum: 'off', refine: 'none', scout: 'none', tolerance: 1e-5 } as const;
const executor = inlineExecutor(fastKernels);
const shipped = (spec: string) => readMatrix(fileURLToPath(new URL(`../../../data/${spec}`, import.meta.url)));

async function photographPatches(): Promise<Matrix> {
  const { rows, cols, data } = await shipped('photograph.npz:pixels');
  const picture = { width: cols, height: rows, pixels: Uint8Array.from(data) };
  return patchesOf(picture, { width: 6, limit: 3000, removeMean: true, seed });
}

describe.each([
  ['digits', () => shipped('digits.npz:samples')],
  ['patches of a photograph', photographPatches],
])('%s', (_, load) => {
  let samples: Matrix;
  let plainMsp: LearnResult;
  beforeAll(async () => {
    samples = await load();
    plainMsp = await learn(samples, { ...PLAIN, tolerance: 1e-6, seed }, { executor });
  });

  it('plain MSP run to its end is what the paper describes, and no step lowers the objective', async () => {
    const objectives: number[] = [];
    const onProgress = ({ objective }: { objective: number }) => objectives.push(objective);
    const { reason } = await learn(samples, { ...PLAIN, precision: 'f64', seed }, { executor, onProgress });
    expect(reason).toMatch(/change .* ≤ 0.00001|objective gained/);
    for (let k = 1; k < objectives.length; k++) {
      expect(objectives[k]).toBeGreaterThanOrEqual(objectives[k - 1] * (1 - 1e-12));
    }
  });

  it.each(['f64', 'mixed'] as const)(
    'the default, %s, ends once converged to within sampling error, after few passes',
    async (precision) => {
      const byDefault = await learn(samples, { precision, seed }, { executor });
      expect(byDefault.reason).toMatch(/^converged to within sampling error \(0\.[123] of a standard error left\)$/);
      expect(byDefault.status).toBe('converged');
      expect(byDefault.passes).toBeLessThanOrEqual(25);
      expect(byDefault.refined).toBe(false);
      expect(byDefault.refinement).not.toBe('');
      expect(orthonormalityError(byDefault.dictionary.atoms)).toBeLessThanOrEqual(1e-12);
      expect(byDefault.objective).toBeGreaterThanOrEqual(plainMsp.objective * (1 - 1.5e-2));
      const residual = (atoms: Matrix) => topResidual(samples, atoms, 5);
      expect(residual(byDefault.dictionary.atoms)).toBeLessThan(1.03 * residual(plainMsp.dictionary.atoms));
      expect(residual(byDefault.dictionary.atoms)).toBeLessThan(residual(await pcaAtoms(samples)));
    },
  );

  it('a tolerance that is a number is met, from a start that coresets provide', async () => {
    const { reason, passes, iterations } = await learn(
      samples,
      { precision: 'f64', tolerance: 1e-3, objectiveTolerance: 0, seed },
      { executor },
    );
    expect(reason).toMatch(/^change .* ≤ 0.001$/);
    expect(passes).toBeLessThan(iterations); // steps on coresets count by their share
  });

  it('momentum takes fewer passes, never lowers the objective, and ends as high unless at another local maximum', async () => {
    const options = { ...PLAIN, precision: 'f64', seed } as const;
    const objectives: number[] = [];
    const onProgress = ({ objective }: { objective: number }) => objectives.push(objective);
    const plain = await learn(samples, options, { executor });
    const fast = await learn(samples, { ...options, momentum: 'on' }, { executor, onProgress });
    expect(fast.passes).toBeLessThanOrEqual(0.9 * plain.passes); // 156 of 192 on digits at worst, usually a third
    for (let k = 1; k < objectives.length; k++) {
      expect(objectives[k]).toBeGreaterThanOrEqual(objectives[k - 1] * (1 - 1e-12));
    }
    expect(fast.objective).toBeGreaterThanOrEqual(plain.objective * (1 - 1e-3));
    expect(orthonormalityError(fast.dictionary.atoms)).toBeLessThanOrEqual(1e-12);
  });
});
