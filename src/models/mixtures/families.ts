/**
 * The kinds of covariances, each an exponential family: the density of cluster k is exp(η_k · t(x)) with
 *
 *     t(x) = (1, x, second(x))
 *     η_k  = (ln w_k − ½ (d ln 2π + ln det Σ_k + μ_kᵀ P_k μ_k),  P_k μ_k,  −½ P_k)        P = Σ⁻¹
 *
 * and the likeliest mixture for given memberships r_lk depends only on the means of r_lk t(x_l) over the samples. Where
 * all clusters have one covariance, xᵀPx is the same for all of them: second(x) is empty, and the likelihood needs only
 * the scatter S = E[x⊗x].
 *
 *     common      σ² I        one number                  no second(x)
 *     spherical   σ_k² I      one number for a cluster    ‖x‖²
 *     diagonal    diag(v_k)   d numbers for a cluster     x_c²
 *     tied        Σ           one matrix                  no second(x)
 *     full        Σ_k         a matrix for a cluster      x_i x_j, i ≤ j
 *
 * Variances, or eigenvalues of matrices, do not fall below a floor. That is the likeliest choice among covariances that
 * respect it, so steps still never lower the likelihood.
 */
import { type Matrix64, rowRange, zeros } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { cholesky } from '../../linalg/cholesky.ts';
import { eigh, symmetricPower } from '../../linalg/eigh.ts';
import { axes, ellipsoid, type InverseCovariance, sphere } from './precision.ts';

/** The covariances that clusters can have. */
export const COVARIANCES = ['common', 'spherical', 'diagonal', 'tied', 'full'] as const;
/** Kind of covariances: one number or one matrix for all clusters, or separate ones for each. */
export type Covariance = (typeof COVARIANCES)[number];

/** A kind of covariances. */
export interface Family {
  /** Whether all clusters have one covariance. */
  readonly shared: boolean;
  /** Whether every feature may have its own unit. */
  readonly freeUnits: boolean;
  /** Length of second(x). */
  seconds(d: number): number;
  /** Writes second(x) of the d numbers at `data[from]` to `data[to]`. */
  fill(data: Float64Array, from: number, d: number, to: number): void;
  /** Numbers that describe the covariances. */
  parameters(k: number, d: number): number;
  /** Shape of the covariances of k clusters. */
  shape(k: number, d: number): readonly [rows: number, cols: number];
  /** Rows of the covariance of one cluster. */
  height(d: number): number;
  /** E[second(x)] about the mean, from that about zero; for a shared covariance, from S − Σ w μ⊗μ. */
  central(second: Float64Array, mean: Float64Array): Float64Array;
  /** The covariance with these central second moments, at least `floor`. */
  covariance(central: Float64Array, d: number, floor: number, kernels: Kernels): Float64Array;
  precision(covariance: Matrix64, d: number): InverseCovariance;
  /** E[second(x)] of a centred Gaussian of this covariance. */
  spread(covariance: Matrix64, d: number): Float64Array;
  /** The covariance σ² I. */
  isotropic(variance: number, d: number): Float64Array;
  /** The mean variance of a feature. */
  meanVariance(covariance: Matrix64, d: number): number;
  /** The covariance of s∘x. */
  scaled(covariance: Float64Array, scales: Float64Array): Float64Array;
}

const pairs = (d: number) => (d * (d + 1)) / 2;
const none = () => {};

const spherical: Family = {
  shared: false,
  freeUnits: false,
  seconds: () => 1,
  fill(data, from, d, to) {
    let sum = 0;
    for (let c = from; c < from + d; c++) sum += data[c] * data[c];
    data[to] = sum;
  },
  parameters: (k) => k,
  shape: (k) => [k, 1],
  height: () => 1,
  central: ([second], mean) => Float64Array.of(second - mean.reduce((sum, x) => sum + x * x, 0)),
  covariance: ([central], d, floor) => Float64Array.of(Math.max(floor, central / d)),
  precision: ({ data }, d) => sphere(data[0], d),
  spread: ({ data }, d) => Float64Array.of(d * data[0]),
  isotropic: (variance) => Float64Array.of(variance),
  meanVariance: ({ data }) => data[0],
  scaled: ([variance], scales) => Float64Array.of(variance * scales[0] ** 2),
};

const diagonal: Family = {
  shared: false,
  freeUnits: true,
  seconds: (d) => d,
  fill(data, from, d, to) {
    for (let c = 0; c < d; c++) data[to + c] = data[from + c] * data[from + c];
  },
  parameters: (k, d) => k * d,
  shape: (k, d) => [k, d],
  height: () => 1,
  central: (second, mean) => second.map((value, c) => value - mean[c] ** 2),
  covariance: (central, _, floor) => central.map((variance) => Math.max(floor, variance)),
  precision: ({ data }) => axes(data),
  spread: ({ data }) => data,
  isotropic: (variance, d) => new Float64Array(d).fill(variance),
  meanVariance: ({ data }, d) => data.reduce((sum, variance) => sum + variance, 0) / d,
  scaled: (variances, scales) => variances.map((variance, c) => variance * scales[c] ** 2),
};

const full: Family = {
  shared: false,
  freeUnits: true,
  seconds: pairs,
  fill(data, from, d, to) {
    for (let i = 0, at = to; i < d; i++) {
      const x = data[from + i];
      for (let j = i; j < d; j++) data[at++] = x * data[from + j];
    }
  },
  parameters: (k, d) => k * pairs(d),
  shape: (k, d) => [k * d, d],
  height: (d) => d,
  central(second, mean) {
    const d = mean.length;
    const out = new Float64Array(d * d);
    for (let i = 0, at = 0; i < d; i++) {
      for (let j = i; j < d; j++, at++) {
        out[i * d + j] = second[at] - mean[i] * mean[j];
        out[j * d + i] = out[i * d + j];
      }
    }
    return out;
  },
  covariance: (central, d, floor, kernels) => atLeast({ rows: d, cols: d, data: central }, floor, kernels),
  precision: (covariance) => ellipsoid(covariance),
  spread({ data }, d) {
    const out = new Float64Array(pairs(d));
    for (let i = 0, at = 0; i < d; i++) for (let j = i; j < d; j++) out[at++] = data[i * d + j];
    return out;
  },
  isotropic(variance, d) {
    const { data } = zeros(d, d);
    for (let c = 0; c < d; c++) data[c * d + c] = variance;
    return data;
  },
  meanVariance({ data }, d) {
    let sum = 0;
    for (let c = 0; c < d; c++) sum += data[c * d + c];
    return sum / d;
  },
  scaled: (values, scales) => {
    const d = scales.length;
    return values.map((value, at) => value * scales[Math.floor(at / d)] * scales[at % d]);
  },
};

/** The family in which all clusters have one covariance of this kind. */
const sharing = (family: Family, trace: Family['central']): Family => ({
  ...family,
  shared: true,
  seconds: () => 0,
  fill: none,
  parameters: (_, d) => family.parameters(1, d),
  shape: (_, d) => family.shape(1, d),
  central: trace,
});

const traceOf = (S: Float64Array, { length: d }: Float64Array) => {
  let sum = 0;
  for (let c = 0; c < d; c++) sum += S[c * d + c];
  return Float64Array.of(sum);
};

export const families: Readonly<Record<Covariance, Family>> = {
  common: sharing(spherical, traceOf),
  spherical,
  diagonal,
  tied: sharing(full, (S) => S),
  full,
};

/** S with its eigenvalues raised to `floor`. */
function atLeast(S: Matrix64, floor: number, kernels: Kernels): Float64Array {
  const d = S.cols;
  const rest = S.data.slice();
  for (let c = 0; c < d; c++) rest[c * d + c] -= floor;
  if (cholesky({ ...S, data: rest })) return S.data;
  const { values, vectors } = eigh(S, kernels);
  return symmetricPower({ values: values.map((value) => Math.max(value, floor)), vectors }, 1).data;
}

/** The covariance of cluster i. */
export function covarianceOfCluster(family: Family, covariances: Matrix64, i: number, d: number): Matrix64 {
  const height = family.height(d);
  const first = family.shared ? 0 : i * height;
  return rowRange(covariances, first, first + height);
}
