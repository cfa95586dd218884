/** Data that is neither white nor Bernoulli-Gaussian: the default must end no lower than plain MSP, and beat PCA. */
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Matrix } from '#src/core/matrix.ts';
import { pcaAtoms } from '#src/dictionaries/pca.ts';
import { inlineExecutor } from '#src/engine/inline.ts';
import { imagePatches } from '#src/images/patches.ts';
import { learn } from '#src/learn/learn.ts';
import { topResidual } from '#src/metrics/top-residual.ts';
import { readMatrix } from '#src/node/formats/arrays.ts';
import { fastKernels } from '../helpers/kernels.ts';
import { orthonormalityError } from '../helpers/matrices.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(0);
const executor = inlineExecutor(fastKernels);
const shipped = (spec: string) => readMatrix(fileURLToPath(new URL(`../../data/${spec}`, import.meta.url)));

async function photographPatches(): Promise<Matrix> {
  const { rows, cols, data } = await shipped('photograph.npz:pixels');
  const picture = { width: cols, height: rows, pixels: Uint8Array.from(data) };
  return imagePatches(picture, { size: 6, count: 3000, removeMean: true, seed });
}

describe.each([
  ['digits', () => shipped('digits.npz:samples')],
  ['patches of a photograph', photographPatches],
])('%s', (_, load) => {
  let samples: Matrix;
  beforeAll(async () => {
    samples = await load();
  });

  it('the default ends no lower than plain MSP, in float64', async () => {
    const byDefault = await learn(samples, { precision: 'f64', seed }, { executor });
    const plain = await learn(samples, { precision: 'f64', seed, shift: 'none', refine: 'none' }, { executor });
    expect(byDefault.objective).toBeGreaterThanOrEqual(plain.objective * (1 - 1e-12));
    expect(orthonormalityError(byDefault.dictionary.atoms)).toBeLessThanOrEqual(1e-12);
    const [ours, pca] = [byDefault.dictionary.atoms, await pcaAtoms(samples)].map((atoms) =>
      topResidual(samples, atoms, 5),
    );
    expect(ours).toBeLessThan(pca);
  });

  it('the default, which explores in float32, gets as far, up to the precision of its sums', async () => {
    const byDefault = await learn(samples, { seed }, { executor });
    const plain = await learn(samples, { seed, shift: 'none', refine: 'none' }, { executor });
    expect(byDefault.objective).toBeGreaterThanOrEqual(plain.objective * (1 - 1e-7));
    expect(byDefault.refined).toBe(false);
    expect(byDefault.refinement).not.toBe('');
    expect(topResidual(samples, byDefault.dictionary.atoms, 5)).toBeLessThan(
      topResidual(samples, await pcaAtoms(samples), 5),
    );
  });

  it('momentum takes fewer passes, never lowers the objective, and ends as high unless at another local maximum', async () => {
    const options = { precision: 'f64', seed, refine: 'none' } as const;
    const objectives: number[] = [];
    const onProgress = ({ objective }: { objective: number }) => objectives.push(objective);
    const plain = await learn(samples, { ...options, shift: 'none' }, { executor });
    const fast = await learn(samples, { ...options, momentum: true }, { executor, onProgress });
    expect(fast.passes).toBeLessThanOrEqual(0.9 * plain.passes); // 156 of 192 on digits at worst, usually a third
    for (let k = 1; k < objectives.length; k++) {
      expect(objectives[k]).toBeGreaterThanOrEqual(objectives[k - 1] * (1 - 1e-12));
    }
    expect(fast.objective).toBeGreaterThanOrEqual(plain.objective * (1 - 1e-3));
    expect(orthonormalityError(fast.dictionary.atoms)).toBeLessThanOrEqual(1e-12);
  });
});
