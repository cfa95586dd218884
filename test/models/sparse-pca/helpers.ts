/** Planted components, and how many of them were found to the last feature. */
import { copy, type Matrix, type Matrix64, row } from '#src/core/matrix.ts';
import { Run } from '#src/engine/run.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { selectKernels } from '#src/kernels/select.ts';
import { sampleMoments } from '#src/models/sparse-pca/moments.ts';
import { nearestOrthonormalRows } from '#src/models/sparse-pca/orthonormal-rows.ts';
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
  return loadingsObjective(R, loadings, new Float64Array(loadings.rows).fill(gamma / unit)) * unit ** 2;
}

/**
 * Σ_i [u_i R z_iᵀ − γ_i ‖z_i‖₁]₊² for given unit loadings z_i and the orthonormal u_i that fit them, found by
 * alternating u = polar and weights = the brackets. It scores any loadings by the objective, never above its maximum.
 */
function loadingsObjective(R: Matrix64, loadings: Matrix64, gammas: ArrayLike<number>): number {
  const T = kernels.multiply(loadings, R, 'nt'); // m×r: rows R z_i
  const lengths = Array.from({ length: loadings.rows }, (_, i) =>
    row(loadings, i).reduce((l, z) => l + Math.abs(z), 0),
  );
  let weights = Array.from({ length: T.rows }, () => 1);
  for (let turn = 0; ; turn++) {
    const weighted = copy(T);
    for (let i = 0; i < T.rows; i++) for (let k = 0; k < T.cols; k++) weighted.data[i * T.cols + k] *= weights[i];
    const U = nearestOrthonormalRows(weighted);
    weights = weights.map((_, i) => {
      const inner = row(U, i).reduce((sum, u, k) => sum + u * T.data[i * T.cols + k], 0);
      return Math.max(0, inner - gammas[i] * lengths[i]);
    });
    if (turn === 10) return weights.reduce((sum, w) => sum + w * w, 0);
  }
}
