/** Planted components, and how many of them were found to the last feature. */
import type { Matrix, Matrix64 } from '#src/core/matrix.ts';
import { Run } from '#src/engine/run.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { selectKernels } from '#src/kernels/select.ts';
import { sampleMoments } from '#src/models/sparse-pca/moments.ts';
import { loadingsObjective } from '#src/models/sparse-pca/shrinkage.ts';
import { generateSparseComponents } from '#src/synthetic/sparse-components.ts';

/** 500 features, 5 × 20 non-zeros, 300 samples. */
export const plantedComponents = (seed: number) =>
  generateSparseComponents({ samples: 300, features: 500, components: 5, nonzeros: 20, seed });

export const smallComponents = (seed: number) =>
  generateSparseComponents({ samples: 60, features: 120, components: 4, nonzeros: 10, deviations: [8, 3], seed });

export const found = (support: readonly (readonly number[])[], planted: readonly (readonly number[])[]): number => {
  const names = new Set(planted.map((features) => features.join()));
  return support.filter((features) => names.has(features.join())).length;
};

const kernels = await selectKernels('auto');

/** A run without progress, signal or checkpoint. */
export const plainRun = () => Run.start('test', {});

export const momentsOf = async (samples: Matrix, components: number) =>
  sampleMoments(memorySource(samples), true, components, await plainRun());

/** What loadings are worth in the objective of all samples. */
export async function worth(samples: Matrix, loadings: Matrix64, gamma: number): Promise<number> {
  const { R, unit } = await momentsOf(samples, loadings.rows);
  return loadingsObjective(R, loadings, new Float64Array(loadings.rows).fill(gamma / unit), kernels) * unit ** 2;
}
