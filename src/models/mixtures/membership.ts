/**
 * The probable cluster of a sample, and the likelihood of samples:
 *
 *     p(x) = Σ_k w_k (2πσ²)^(−d/2) exp(−‖x − μ_k‖²/2σ²),   r_k = the share of the k-th term in it
 */
import { demand } from '../../core/errors.ts';
import type { FloatArray, Matrix, Matrix64 } from '../../core/matrix.ts';
import { requireFiniteMatrix } from '../../core/require-matrix.ts';

/** Spherical Gaussians of one variance: means and weights. */
export interface Mixture {
  /** k×d */
  readonly means: Matrix64;
  /** Sum to 1. */
  readonly weights: Float64Array;
  /** σ² */
  readonly variance: number;
}

/** Fills `shares` with the r_k of the sample at `data[first]` (d numbers), and returns ln p(x). */
export type Membership = (data: FloatArray, first: number, shares: Float64Array) => number;

export function membership({ means, weights, variance }: Mixture): Membership {
  const { rows: k, cols: d, data: centres } = means;
  const logWeights = weights.map(Math.log);
  const normaliser = (d / 2) * Math.log(2 * Math.PI * variance);
  return (data, first, shares) => {
    let largest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < k; i++) {
      let distance = 0;
      for (let c = 0; c < d; c++) distance += (data[first + c] - centres[i * d + c]) ** 2;
      shares[i] = logWeights[i] - distance / (2 * variance);
      largest = Math.max(largest, shares[i]);
    }
    let total = 0;
    for (let i = 0; i < k; i++) {
      shares[i] = Math.exp(shares[i] - largest);
      total += shares[i];
    }
    for (let i = 0; i < k; i++) shares[i] /= total;
    return largest + Math.log(total) - normaliser;
  };
}

/** Samples assigned to the clusters of a mixture. */
export interface Assigned {
  /** The most probable cluster of every sample. */
  readonly labels: Int32Array;
  /** Mean of ln p(x) over the samples. */
  readonly logLikelihood: number;
}

/** Assigns samples, old or new, to the clusters of a mixture. */
export function assignToClusters(samples: Matrix, mixture: Mixture): Assigned {
  const { cols } = requireFiniteMatrix('assignToClusters', 'samples', samples);
  const features = mixture.means.cols;
  demand(cols === features, 'assignToClusters', 'samples', `of ${features} features, as the means`, cols);
  return assign(samples, mixture);
}

/** The same without checks. */
export function assign({ rows: p, cols: d, data }: Matrix, mixture: Mixture): Assigned {
  const share = membership(mixture);
  const shares = new Float64Array(mixture.means.rows);
  const labels = new Int32Array(p);
  let sum = 0;
  for (let l = 0; l < p; l++) {
    sum += share(data, l * d, shares);
    labels[l] = shares.indexOf(shares.reduce((most, value) => Math.max(most, value)));
  }
  return { labels, logLikelihood: sum / p };
}
