/** Symmetric tensors with known orthogonal factors: T = Σ_k λ_k v_k ⊗ v_k ⊗ v_k, and the same with noise. */
import type { Matrix64 } from '../../core/matrix.ts';
import type { Random } from '../../core/random.ts';
import { randomOrthogonal } from '../../linalg/qr.ts';
import { fromFactors, type SymmetricTensor } from './symmetric-tensor.ts';

/** A tensor with known orthogonal factors. */
export interface OrthogonalTensor {
  readonly T: SymmetricTensor;
  /** Factors as rows, d×d. */
  readonly V: Matrix64;
  /** Weights λ, all positive. */
  readonly weights: Float64Array;
}

/** Random orthonormal factors with these weights. */
export function orthogonalTensor(weights: Float64Array, random: Random): OrthogonalTensor {
  const V = randomOrthogonal(weights.length, random);
  return { T: fromFactors(V, weights), V, weights };
}

/** Draws d weights uniformly from [1, 2]. */
export const uniformWeights = (d: number, random: Random): Float64Array =>
  Float64Array.from({ length: d }, () => 1 + random.uniform());

/** Weights from 1 down to 1/ratio, in geometric progression. */
export const geometricWeights = (d: number, ratio: number): Float64Array =>
  Float64Array.from({ length: d }, (_, k) => ratio ** (-k / Math.max(1, d - 1)));

/**
 * T + E with E the symmetric part of independent normal entries: its distribution is the same in every orthonormal
 * basis. E_iij has deviation σ, E_iii √3 σ, E_ijk σ/√2.
 */
export function withNoise({ size: d, data }: SymmetricTensor, sigma: number, random: Random): SymmetricTensor {
  const noisy = data.slice();
  for (let a = 0; a < d; a++) {
    for (let b = 0; b <= a; b++) {
      for (let c = 0; c <= b; c++) {
        const places = placesOf(d, a, b, c);
        const noise = sigma * Math.sqrt(3 / places.size) * random.normal(); // 1, 3 or 6 places
        for (const at of places) noisy[at] += noise;
      }
    }
  }
  return { size: d, data: noisy };
}

/** The places of an entry, without repetition. */
function placesOf(d: number, a: number, b: number, c: number): Set<number> {
  const at = (x: number, y: number, z: number) => (x * d + y) * d + z;
  return new Set([at(a, b, c), at(a, c, b), at(b, a, c), at(b, c, a), at(c, a, b), at(c, b, a)]);
}
