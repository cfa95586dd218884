/** Tensors with known factors. */
import type { Matrix64 } from '#src/core/matrix.ts';
import { createRandom, type Random } from '#src/core/random.ts';
import { randomOrthogonal } from '#src/linalg/qr.ts';
import { fromFactors, type SymmetricTensor } from '#src/models/tensor/symmetric-tensor.ts';

export interface Odeco {
  readonly T: SymmetricTensor;
  readonly V: Matrix64;
  readonly weights: Float64Array;
}

/** Σ λ_i v_i ⊗ v_i ⊗ v_i with λ uniform in [1, 2]. */
export function odeco(d: number, random: Random): Odeco {
  const V = randomOrthogonal(d, random);
  const weights = Float64Array.from({ length: d }, () => 1 + random.uniform());
  return { T: fromFactors(V, weights), V, weights };
}

/** T with normal noise on every entry, the same on entries that symmetry makes equal. */
export function withNoise({ size: d, data }: SymmetricTensor, sigma: number, seed: number): SymmetricTensor {
  const random = createRandom(seed, 'noise on a tensor');
  const noisy = data.slice();
  for (let a = 0; a < d; a++) {
    for (let b = 0; b <= a; b++) {
      for (let c = 0; c <= b; c++) {
        const noise = sigma * random.normal();
        const orders = [
          [a, b, c],
          [a, c, b],
          [b, a, c],
          [b, c, a],
          [c, a, b],
          [c, b, a],
        ];
        for (const at of new Set(orders.map(([x, y, z]) => (x * d + y) * d + z))) noisy[at] += noise;
      }
    }
  }
  return { size: d, data: noisy };
}

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
