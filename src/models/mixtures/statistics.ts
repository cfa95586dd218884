/**
 * A mixture and what expectation maximisation sums up for it, the means over the samples of r_lk t(x_l): one row for
 * each cluster, (w_k, w_k μ_k, w_k E_k[second(x)]). See families.ts.
 */
import { type Matrix64, row, selectRows, zeros } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { type Covariance, covarianceOfCluster, families } from './families.ts';

/** Gaussians with means, weights and covariances. */
export interface Mixture {
  /** k×d */
  readonly means: Matrix64;
  /** Sum to 1. */
  readonly weights: Float64Array;
  /** What the covariances are: by default one variance for all clusters and features. */
  readonly covariance: Covariance;
  /**
   * `common`: 1×1; `spherical`: k×1, a variance for each cluster; `diagonal`: k×d, the variances of its features; `tied`:
   * d×d, the covariance matrix of all; `full`: kd×d, the covariance matrices one above the other.
   */
  readonly covariances: Matrix64;
}

/** What bounds the covariances that fit statistics. */
export interface Bounds {
  /** S = E[x⊗x], d×d. */
  readonly scatter: Matrix64;
  /** Least variance. */
  readonly floor: number;
}

/** Length of t(x). */
export const widthOf = (covariance: Covariance, d: number): number => 1 + d + families[covariance].seconds(d);

/** A cluster with a smaller weight is empty: it has no share in any sample. */
const LEAST_WEIGHT = 1e-200;
/** ln of the density of an empty cluster. */
export const IMPOSSIBLE = -1e30;

/** The likeliest mixture with these statistics. */
export function mixtureOf(s: Matrix64, covariance: Covariance, { scatter, floor }: Bounds, kernels: Kernels): Mixture {
  const family = families[covariance];
  const [k, d] = [s.rows, scatter.cols];
  const weights = Float64Array.from({ length: k }, (_, i) => s.data[i * s.cols]);
  const parts = Array.from(weights, (w, i) => row(s, i).map((x) => (w > LEAST_WEIGHT ? x / w : 0)));
  const means = stacked(parts.map((part) => part.subarray(1, d + 1)));
  const central = family.shared
    ? [family.central(within(scatter, means, weights).data, row(means, 0))]
    : parts.map((part, i) => family.central(part.subarray(d + 1), row(means, i)));
  const [rows, cols] = family.shape(k, d);
  const covariances = zeros(rows, cols);
  central.forEach((moments, i) => {
    covariances.data.set(family.covariance(moments, d, floor, kernels), i * family.height(d) * cols);
  });
  return { means, weights, covariance, covariances };
}

/** S − Σ w μ⊗μ */
function within(S: Matrix64, means: Matrix64, weights: Float64Array): Matrix64 {
  const d = S.cols;
  const out = S.data.slice();
  weights.forEach((w, i) => {
    const mean = row(means, i);
    for (let a = 0; a < d; a++) {
      const factor = w * mean[a];
      for (let b = 0; b < d; b++) out[a * d + b] -= factor * mean[b];
    }
  });
  return { ...S, data: out };
}

/** The expected statistics of samples from a mixture. */
export function statisticsOf({ means, weights, covariance, covariances }: Mixture): Matrix64 {
  const family = families[covariance];
  const d = means.cols;
  const s = zeros(means.rows, widthOf(covariance, d));
  weights.forEach((w, i) => {
    const out = row(s, i);
    out[0] = 1;
    out.set(row(means, i), 1);
    if (!family.shared) {
      const own = covarianceOfCluster(family, covariances, i, d);
      family.fill(out, 1, d, d + 1);
      family.spread(own, d).forEach((value, at) => {
        out[d + 1 + at] += value;
      });
    }
    for (let at = 0; at < out.length; at++) out[at] *= w;
  });
  return s;
}

/** ln p(x) = ln Σ_k exp(η_k · t(x)) + `rest`, with the mean of `rest` over samples of this scatter. */
export interface Natural {
  /** k×width */
  readonly eta: Matrix64;
  /** Mean of −½ xᵀPx where that is left out of t(x), because all clusters have one P. */
  restOf(scatter: Matrix64): number;
}

export function naturalOf({ means, weights, covariance, covariances }: Mixture): Natural {
  const family = families[covariance];
  const { rows: k, cols: d } = means;
  const eta = zeros(k, widthOf(covariance, d));
  const precision = (i: number) => family.precision(covarianceOfCluster(family, covariances, i, d), d);
  const shared = family.shared ? precision(0) : undefined;
  for (let i = 0; i < k; i++) {
    const out = row(eta, i);
    out[0] = IMPOSSIBLE;
    if (!(weights[i] > LEAST_WEIGHT)) continue;
    const P = shared ?? precision(i);
    const mean = row(means, i);
    const direction = P.times(mean);
    const square = mean.reduce((sum, x, c) => sum + x * direction[c], 0);
    out[0] = Math.log(weights[i]) - (d * Math.log(2 * Math.PI) + P.logDet + square) / 2;
    out.set(direction, 1);
    if (!shared) out.set(P.coefficients(), d + 1);
  }
  return { eta, restOf: (scatter) => (shared ? -shared.traceWith(scatter) / 2 : 0) };
}

/** Replaces the covariances of a mixture by σ² I, in any kind. */
export function isotropic(
  { means, weights }: Pick<Mixture, 'means' | 'weights'>,
  variance: number,
  covariance: Covariance,
): Mixture {
  const family = families[covariance];
  const [rows, cols] = family.shape(means.rows, means.cols);
  const one = family.isotropic(variance, means.cols);
  const data = Float64Array.from({ length: rows * cols }, (_, at) => one[at % one.length]);
  return { means, weights, covariance, covariances: { rows, cols, data } };
}

/** The mean variance of a feature in each cluster. */
function variancesOf({ means, covariance, covariances }: Mixture): Float64Array {
  const family = families[covariance];
  return Float64Array.from({ length: means.rows }, (_, i) =>
    family.meanVariance(covarianceOfCluster(family, covariances, i, means.cols), means.cols),
  );
}

/** The mean variance of a feature about the mean of its cluster. */
export const meanVarianceOf = (mixture: Mixture): number =>
  variancesOf(mixture).reduce((sum, variance, i) => sum + mixture.weights[i] * variance, 0);

/** The mixture of offset + scales∘x, where this one is that of x. */
export function mapped(mixture: Mixture, offset: Float64Array, scales: Float64Array): Mixture {
  const { means, covariance, covariances } = mixture;
  const family = families[covariance];
  const size = family.height(means.cols) * covariances.cols;
  const data = new Float64Array(covariances.data.length);
  for (let at = 0; at < data.length; at += size) {
    data.set(family.scaled(covariances.data.subarray(at, at + size), scales), at);
  }
  const moved = means.data.map((x, at) => offset[at % means.cols] + scales[at % means.cols] * x);
  return { ...mixture, means: { ...means, data: moved }, covariances: { ...covariances, data } };
}

/** The heaviest cluster first. */
export function byWeight(mixture: Mixture): Mixture {
  const { means, weights, covariance, covariances } = mixture;
  const family = families[covariance];
  const order = Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a]);
  const height = family.height(means.cols);
  const rows = order.flatMap((i) => Array.from({ length: height }, (_, r) => i * height + r));
  return {
    means: selectRows(means, order),
    weights: Float64Array.from(order, (i) => weights[i]),
    covariance,
    covariances: family.shared ? covariances : selectRows(covariances, rows),
  };
}

/** How many numbers describe it. */
export function parametersOf({ means, covariance }: Pick<Mixture, 'means' | 'covariance'>): number {
  const { rows: k, cols: d } = means;
  return k * d + k - 1 + families[covariance].parameters(k, d);
}

function stacked(rows: readonly Float64Array[]): Matrix64 {
  const out = zeros(rows.length, rows[0].length);
  rows.forEach((values, i) => {
    out.data.set(values, i * out.cols);
  });
  return out;
}
