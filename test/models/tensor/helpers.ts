/** Tensors with known factors. */
import type { Matrix64 } from '#src/core/matrix.ts';
import { createRandom, type Random } from '#src/core/random.ts';
import * as tensors from '#src/models/tensor/planted-tensor.ts';
import type { SymmetricTensor } from '#src/models/tensor/symmetric-tensor.ts';

/** Σ λ_i v_i ⊗ v_i ⊗ v_i with λ uniform in [1, 2]. */
export const odeco = (d: number, random: Random): tensors.OrthogonalTensor =>
  tensors.orthogonalTensor(tensors.uniformWeights(d, random), random);

/** T with symmetric normal noise. */
export const withNoise = (T: SymmetricTensor, sigma: number, seed: number): SymmetricTensor =>
  tensors.withNoise(T, sigma, createRandom(seed, 'noise on a tensor'));

/** The largest distance of a true factor from the nearest one found. */
export function factorError(found: Matrix64, V: Matrix64): number {
  const d = V.cols;
  let worst = 0;
  for (let i = 0; i < V.rows; i++) {
    let nearest = Number.POSITIVE_INFINITY;
    for (let j = 0; j < found.rows; j++) {
      let squares = 0;
      for (let k = 0; k < d; k++) squares += (V.data[i * d + k] - found.data[j * d + k]) ** 2;
      nearest = Math.min(nearest, Math.sqrt(squares));
    }
    worst = Math.max(worst, nearest);
  }
  return worst;
}
