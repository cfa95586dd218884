/**
 * The moments of a mixture of spherical Gaussians of one variance (Hsu & Kakade 2013), k ≤ d clusters with independent
 * means:
 *
 *     x ~ Σ_k w_k N(μ_k, σ² I),   σ² = mean of the d−k+1 smallest eigenvalues of the covariance
 *     M2 = E[x⊗x] − σ² I = Σ w_k μ_k⊗μ_k,   M3 = E[x⊗x⊗x] − σ² 3 sym(Σ_i e_i⊗e_i⊗E[x]) = Σ w_k μ_k⊗μ_k⊗μ_k
 *
 * With W = S^(−1/2) U of M2 ≈ Uᵀ S U the tensor M3(W, W, W) has orthogonal factors v_k of weights λ_k = 1/√w_k, and
 * μ_k = λ_k Uᵀ S^(1/2) v_k.
 */
import { inputError } from '../../core/errors.ts';
import { hashNumbers } from '../../core/hash.ts';
import { type Matrix64, range, row, scaleRows, selectRows, zeros } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { eigh } from '../../linalg/eigh.ts';
import { denseMoment } from '../tensor/dense-moment.ts';
import type { SymmetricTensor } from '../tensor/symmetric-tensor.ts';
import type { Mixture } from './membership.ts';

/** Eigenvalues of M2 below this share of the largest are rounding. */
const SMALLEST_EIGENVALUE = 1e-10;

export interface WhitenedMixture {
  /** M3(W, W, W), k×k×k. */
  readonly third: SymmetricTensor;
  /** The mixture whose whitened means are the given factors, with their weights λ. */
  unwhiten(factors: Matrix64, lambda: Float64Array): Mixture;
  /**
   * How far the means are from being linearly dependent: the smallest eigenvalue of M2 over its error, which p samples
   * leave. Below about 3 the moments say little about some of the means.
   */
  readonly independence: number;
  /** Hash of the samples' shape and first two moments. */
  readonly hash: string;
}

export function whitenedMixture(who: string, X: Matrix64, k: number, kernels: Kernels): WhitenedMixture {
  const { mean, second } = moments(X, kernels);
  const { variance, values, vectors } = spectrum(who, mean, second, k, kernels);
  const W = scaleRows(
    vectors,
    values.map((value) => 1 / Math.sqrt(value)),
  );
  const m = kernels.multiply(W, { rows: X.cols, cols: 1, data: mean });
  const repeated = zeros(k, X.cols);
  for (let i = 0; i < k; i++) row(repeated, i).fill(m.data[i]);
  return {
    third: denseMoment([
      { x: kernels.multiply(W, X, 'nt'), weight: 1 / X.rows },
      { x: W, y: repeated, weight: -3 * variance },
    ]),
    unwhiten(factors, lambda) {
      const inverse = lambda.map((value) => 1 / value ** 2);
      const total = inverse.reduce((sum, value) => sum + value, 0);
      const directions = kernels.multiply(factors, scaleRows(vectors, values.map(Math.sqrt)));
      return { means: scaleRows(directions, lambda), weights: inverse.map((value) => value / total), variance };
    },
    independence: values[k - 1] / ((values[k - 1] + variance) * Math.sqrt(X.cols / X.rows)),
    hash: `${X.rows}x${X.cols}-${hashNumbers([mean, second.data])}`,
  };
}

/** E[x] and E[x⊗x]. */
function moments(X: Matrix64, kernels: Kernels): { mean: Float64Array; second: Matrix64 } {
  const { rows: p, cols: d } = X;
  const mean = new Float64Array(d);
  for (let at = 0; at < X.data.length; at++) mean[at % d] += X.data[at] / p;
  const second = kernels.multiply(X, X, 'tn');
  for (let at = 0; at < second.data.length; at++) second.data[at] /= p;
  return { mean, second };
}

/** σ², and the k largest eigenvalues of M2 with their vectors. */
function spectrum(who: string, mean: Float64Array, second: Matrix64, k: number, kernels: Kernels) {
  const d = mean.length;
  const centred = second.data.map((value, at) => value - mean[Math.floor(at / d)] * mean[at % d]);
  const smallest = eigh({ ...second, data: centred }, kernels).values.slice(k - 1);
  const eigen = eigh(second, kernels);
  const rounding = Number.EPSILON * eigen.values[0];
  const variance = Math.max(rounding, smallest.reduce((sum, value) => sum + value, 0) / smallest.length);
  const values = eigen.values.slice(0, k).map((value) => value - variance);
  const rank = values.filter((value) => value > SMALLEST_EIGENVALUE * values[0]).length;
  if (rank < k) throw inputError(who, 'clusters', `at most ${rank}, the dimensions that the means span`, k);
  return { variance, values, vectors: selectRows(eigen.vectors, range(k)) };
}
