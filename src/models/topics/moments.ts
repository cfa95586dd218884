/**
 * Moments of words in documents (Anandkumar et al. 2014), whitened; nothing of the size of the vocabulary squared is
 * formed.
 *
 *     x₁, x₂, x₃   three words of a document, as unit vectors; c its counts, N = Σ c
 *     E[x₁⊗x₂] = mean of (c⊗c − diag c) / N(N−1)
 *     E[x₁⊗x₂⊗x₃] = mean of (c⊗c⊗c − Σ_v c_v 3 sym(e_v⊗e_v⊗c) + 2 Σ_v c_v e_v⊗e_v⊗e_v) / N(N−1)(N−2)
 *     M1 = E[x₁],   M2 = E[x₁⊗x₂] − α₀/(α₀+1) M1⊗M1 = Σ_k α_k/(α₀(α₀+1)) μ_k⊗μ_k
 *     M3 = E[x₁⊗x₂⊗x₃] − α₀/(α₀+2) 3 sym(E[x₁⊗x₂]⊗M1) + 2α₀²/((α₀+1)(α₀+2)) M1⊗M1⊗M1 = Σ_k 2α_k/(α₀(α₀+1)(α₀+2)) μ_k⊗μ_k⊗μ_k
 *
 * With M2 ≈ Uᵀ S U of rank K and W = S^(−1/2) U (K×V), M3(W, W, W) has orthogonal factors.
 */
import { type Counts, documentLengths, multiplyCounts, multiplyTransposed, weightedSum } from '../../core/counts.ts';
import { inputError } from '../../core/errors.ts';
import { identity, type Matrix64, scaleRows, transpose, zeros } from '../../core/matrix.ts';
import type { Random } from '../../core/random.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { topEigen } from '../../linalg/top-eigen.ts';
import type { MomentTerm } from '../tensor/dense-moment.ts';

export interface WhitenedMoments {
  /** M3(W, W, W) as sums of cubes, of K components. */
  readonly terms: MomentTerm[];
  /** The K largest eigenvalues of M2. */
  readonly spectrum: Float64Array;
  /** U^T S^(1/2) as rows, K×V: un-whitens. */
  readonly unwhiten: Matrix64;
}

/** Eigenvalues of M2 below this share of the largest are rounding. */
const SMALLEST_EIGENVALUE = 1e-10;

/** Computes the whitened moments. Throws an error that names `who` if there are too few words or the rank is too small. */
export function whitenedMoments(
  who: string,
  counts: Counts,
  K: number,
  alpha0: number,
  random: Random,
  kernels: Kernels,
): WhitenedMoments {
  const lengths = documentLengths(counts);
  const [one, two, three] = [1, 2, 3].map((order) => wordTuples(who, lengths, order));
  const mean = weightedSum(counts, one);
  const eigen = topEigen(secondMoment(counts, two, mean, alpha0), counts.cols, K, random, kernels);
  requireRank(who, eigen.values, K);
  const W = scaleRows(
    eigen.vectors,
    eigen.values.map((value) => 1 / Math.sqrt(value)),
  );
  return {
    terms: thirdMoment(counts, three, mean, W, alpha0),
    spectrum: eigen.values,
    unwhiten: scaleRows(eigen.vectors, eigen.values.map(Math.sqrt)),
  };
}

/** 1/(D N(N−1)…) for every document with enough words, D of them; 0 for the others. */
function wordTuples(who: string, lengths: Float64Array, order: number): Float64Array {
  const usable = lengths.filter((length) => length >= order).length;
  if (usable === 0) {
    throw inputError(who, 'counts', `of at least one document of ${order} words`, 'shorter documents only');
  }
  return lengths.map((length) => {
    if (length < order) return 0;
    let tuples = usable;
    for (let k = 0; k < order; k++) tuples *= length - k;
    return 1 / tuples;
  });
}

/** X ↦ M2 X */
function secondMoment(counts: Counts, weights: Float64Array, mean: Float64Array, alpha0: number) {
  const diagonal = weightedSum(counts, weights);
  const share = alpha0 / (alpha0 + 1);
  return (X: Matrix64): Matrix64 => {
    const product = multiplyTransposed(counts, weights, multiplyCounts(counts, X));
    const along = new Float64Array(X.cols);
    for (let v = 0; v < X.rows; v++) for (let k = 0; k < X.cols; k++) along[k] += mean[v] * X.data[v * X.cols + k];
    for (let v = 0, at = 0; v < X.rows; v++) {
      for (let k = 0; k < X.cols; k++, at++) product.data[at] -= diagonal[v] * X.data[at] + share * mean[v] * along[k];
    }
    return product;
  };
}

/** W M2 Wᵀ = I, so that E[x₁⊗x₂] becomes I + α₀/(α₀+1) m⊗m, m = W M1. */
function thirdMoment(
  counts: Counts,
  weights: Float64Array,
  mean: Float64Array,
  W: Matrix64,
  alpha0: number,
): MomentTerm[] {
  const K = W.rows;
  const words = transpose(W); // V×K
  const documents = multiplyCounts(counts, words); // W c for every document
  const neighbours = multiplyTransposed(counts, weights, documents); // V×K: Σ_l w_l c_lv W c_l
  const m = zeros(K, 1);
  for (let k = 0; k < K; k++) for (let v = 0; v < W.cols; v++) m.data[k] += W.data[k * W.cols + v] * mean[v];
  const repeated = zeros(K, K);
  for (let k = 0; k < K; k++) repeated.data.fill(m.data[k], k * K, (k + 1) * K);
  const once = alpha0 / (alpha0 + 2);
  const cubed = (2 * alpha0 ** 2) / ((alpha0 + 1) * (alpha0 + 2)) - (3 * once * alpha0) / (alpha0 + 1);
  return [
    { x: transpose(documents), weight: weights },
    { x: W, y: transpose(neighbours), weight: -3 },
    { x: W, weight: weightedSum(counts, weights).map((sum) => 2 * sum) },
    { x: identity(K), y: repeated, weight: -3 * once },
    { x: m, weight: cubed },
  ];
}

function requireRank(who: string, values: Float64Array, K: number): void {
  const rank = values.filter((value) => value > SMALLEST_EIGENVALUE * values[0]).length;
  if (rank < K) {
    throw inputError(who, 'topics', `at most ${rank}, the rank of the second moment of the counts`, K);
  }
}
