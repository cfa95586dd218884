/**
 * The moments of a mixture of spherical Gaussians of one variance (Hsu & Kakade 2013), k ≤ d clusters with means μ_i of
 * which none is an affine combination of the others. Samples x have mean zero:
 *
 *     x ~ Σ_i w_i N(μ_i, σ² I),   σ² = mean of the d−k+1 smallest eigenvalues of the covariance
 *     E[x⊗x] − σ² I = Σ w_i μ_i⊗μ_i = Uᵀ S U,  of rank k−1        u = S^(−1/2) U x
 *
 * The points (S^(−1/2) U μ_i, 1) are linearly independent, and Σ w_i of their squares is the identity. So √w_i times them
 * are orthonormal vectors v_i, and the third moment of (u, 1) is Σ λ_i v_i⊗v_i⊗v_i with λ_i = 1/√w_i:
 *
 *     T_abc = E[u_a u_b u_c],   T_ab1 = δ_ab,   T_a11 = 0,   T_111 = 1          μ_i = λ_i Uᵀ S^(1/2) v_i, without its last entry
 *
 * The noise is symmetric, so it does not appear in E[u⊗u⊗u].
 */
import { firstRows, type Matrix64, range, rowRange, scaleRows, selectRows, zeros } from '../../core/matrix.ts';
import { accumulate, definePass } from '../../engine/pass.ts';
import { eigh } from '../../linalg/eigh.ts';
import type { SymmetricTensor } from '../tensor/symmetric-tensor.ts';
import type { MixtureData } from './expectation-maximisation.ts';
import { type Frame, inFrame } from './expectation-pass.ts';
import { isotropic, type Mixture } from './statistics.ts';

/** Eigenvalues of Σ w μ⊗μ below this share of the largest are rounding. */
const SMALLEST_EIGENVALUE = 1e-10;

export interface WhitenedMixture {
  /** k×k×k */
  readonly third: SymmetricTensor;
  /** The mixture whose v_i are the given factors, with their weights λ. */
  unwhiten(factors: Matrix64, lambda: Float64Array): Mixture;
  /**
   * How far the means are from being affinely dependent: the smallest eigenvalue of Σ w μ⊗μ over its error, which p samples
   * leave. Below about 3 the moments hardly determine some of the means.
   */
  readonly independence: number;
}

/** The whitened mixture in the coordinates of the data's frame; undefined if the means span fewer than k−1 dimensions. */
export async function whitenedMixture(data: MixtureData, k: number): Promise<WhitenedMixture | undefined> {
  const { scatter, source, executor, frame, signal } = data;
  const { kernels } = executor;
  const d = scatter.cols;
  const eigen = eigh(scatter, kernels);
  const noise = eigen.values.slice(k - 1);
  const variance = Math.max(data.floor, noise.reduce((sum, value) => sum + value, 0) / noise.length);
  const values = eigen.values.slice(0, k - 1).map((value) => value - variance);
  if (values.some((value) => !(value > SMALLEST_EIGENVALUE * values[0]))) return undefined;
  const U = selectRows(eigen.vectors, range(k - 1));
  const whiten = scaleRows(
    U,
    values.map((value) => 1 / Math.sqrt(value)),
  );
  const sums = k > 1 ? await executor.sum(thirdMomentPass, { ...frame, whiten }, source, signal) : zeros(0, 0);
  const least = values[k - 2] ?? Number.POSITIVE_INFINITY;
  return {
    third: tensorOf(sums, k, source.rows),
    unwhiten(factors, lambda) {
      const inverse = lambda.map((value) => 1 / value ** 2);
      const total = inverse.reduce((sum, value) => sum + value, 0);
      const weights = inverse.map((value) => value / total);
      if (k === 1) return isotropic({ means: zeros(1, d), weights }, variance, 'common');
      const inner = { rows: k, cols: k - 1, data: factors.data.filter((_, at) => at % k < k - 1) };
      const directions = kernels.multiply(inner, scaleRows(U, values.map(Math.sqrt)));
      return isotropic({ means: scaleRows(directions, lambda), weights }, variance, 'common');
    },
    independence:
      least === Number.POSITIVE_INFINITY ? least : least / ((least + variance) * Math.sqrt(d / source.rows)),
  };
}

interface ThirdMomentParams extends Frame {
  /** S^(−1/2) U */
  readonly whiten: Matrix64;
}

const BLOCK_ROWS = 256;

/** The sum Σ (u_a u_b) u_c, with a row for each pair a ≤ b. */
export const thirdMomentPass = definePass<ThirdMomentParams, Matrix64>(import.meta.url, {
  name: 'mixture-third-moment',
  contribute({ samples }, { whiten, ...frame }, kernels) {
    const n = whiten.rows;
    const sums = zeros((n * (n + 1)) / 2, n);
    for (let start = 0; start < samples.rows; start += BLOCK_ROWS) {
      const part = rowRange(samples, start, Math.min(samples.rows, start + BLOCK_ROWS));
      const u = kernels.multiply(inFrame(part, frame), whiten, 'nt');
      accumulate(sums.data, kernels.multiply(pairsOf(u), u, 'tn').data);
    }
    return sums;
  },
  add(total, part) {
    accumulate(total.data, part.data);
    return total;
  },
  example: (samples) => ({
    params: {
      whiten: rowRange(firstRows(samples), 0, Math.min(4, samples.cols)),
      offset: new Float64Array(samples.cols).fill(0.1),
      inverse: new Float64Array(samples.cols).fill(0.5),
    },
  }),
});

/** The products u_a u_b, a ≤ b, of every row. */
function pairsOf({ rows, cols: n, data }: Matrix64): Matrix64 {
  const out = zeros(rows, (n * (n + 1)) / 2);
  for (let l = 0, at = 0; l < rows; l++) {
    for (let a = 0; a < n; a++) {
      for (let b = a; b < n; b++) out.data[at++] = data[l * n + a] * data[l * n + b];
    }
  }
  return out;
}

function tensorOf(sums: Matrix64, k: number, p: number): SymmetricTensor {
  const data = new Float64Array(k ** 3);
  const last = k - 1;
  const put = (a: number, b: number, c: number, value: number) => {
    data[(a * k + b) * k + c] = value;
  };
  put(last, last, last, 1);
  for (let a = 0, pair = 0; a < last; a++) {
    for (const [x, y, z] of [
      [a, a, last],
      [a, last, a],
      [last, a, a],
    ])
      put(x, y, z, 1);
    for (let b = a; b < last; b++, pair++) {
      for (let c = 0; c < last; c++) {
        const value = sums.data[pair * last + c] / p;
        put(a, b, c, value);
        put(b, a, c, value);
      }
    }
  }
  return { size: k, data };
}
