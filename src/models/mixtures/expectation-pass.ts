/**
 * The pass of expectation maximisation over samples x = (y − offset)∘inverse, with t and η of families.ts:
 *
 *     u_lk = η_k · t(x_l),   r_lk = exp(u_lk) / Σ_k exp(u_lk)        Σ_l r_lk t(x_l)  and  Σ_l ln Σ_k exp(u_lk)
 *
 * Two matrix products and an exponential for each sample and cluster.
 */
import { firstRows, type Matrix, type Matrix64, rowRange, zeros } from '../../core/matrix.ts';
import { accumulate, definePass } from '../../engine/pass.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { expBelowZero } from './exponential.ts';
import { type Covariance, families } from './families.ts';
import { widthOf } from './statistics.ts';

/** Coordinates in which the features have about the same scale: x = (y − offset)∘inverse. */
export interface Frame {
  readonly offset: Float64Array;
  /** 1/scale of every feature. */
  readonly inverse: Float64Array;
}

export interface ExpectationParams extends Frame {
  /** Whether the rows of the source are t(x), not samples. */
  readonly described?: boolean | undefined;
  readonly covariance: Covariance;
  /** k×width */
  readonly eta: Matrix64;
}

export interface Expectation {
  /** Σ_l r_lk t(x_l), k×width. */
  readonly sums: Matrix64;
  /** Σ_l ln Σ_k exp(u_lk) */
  readonly logSum: number;
}

export const expectationPass = definePass<ExpectationParams, Expectation>(import.meta.url, {
  name: 'mixture-expectation',
  contribute({ samples }, params, kernels) {
    const sums = zeros(params.eta.rows, params.eta.cols);
    let logSum = 0;
    forBlocks(samples, params, kernels, (T, U) => {
      logSum += shareOut(U);
      accumulate(sums.data, kernels.multiply(U, T, 'tn').data);
    });
    return { sums, logSum };
  },
  add(total, part) {
    accumulate(total.sums.data, part.sums.data);
    return { sums: total.sums, logSum: total.logSum + part.logSum };
  },
  example: (samples) => ({ params: exampleParams(samples) }),
});

/** The most probable cluster of every sample, and Σ_l ln Σ_k exp(u_lk). */
export interface Labelled {
  readonly labels: Int32Array;
  readonly logSum: number;
}

export const labelPass = definePass<ExpectationParams, Labelled>(import.meta.url, {
  name: 'mixture-labels',
  contribute({ samples }, params, kernels) {
    const labels = new Int32Array(samples.rows);
    let [at, logSum] = [0, 0];
    forBlocks(samples, params, kernels, (_, U) => {
      logSum += shareOut(U);
      for (let l = 0; l < U.rows; l++) labels[at++] = largestAt(U.data, l * U.cols, U.cols);
    });
    return { labels, logSum };
  },
  add(total, part) {
    const labels = new Int32Array(total.labels.length + part.labels.length);
    labels.set(total.labels);
    labels.set(part.labels, total.labels.length);
    return { labels, logSum: total.logSum + part.logSum };
  },
  example: (samples) => ({ params: exampleParams(samples) }),
});

/** Size of a block of t(x), in numbers: it stays in the cache. */
const BLOCK = 1 << 14;

/** Calls `visit` with the t(x_l) of successive samples as rows T, and with U = T ηᵀ, which it may overwrite. */
export function forBlocks(
  samples: Matrix,
  { eta, covariance, offset, inverse, described }: ExpectationParams,
  kernels: Kernels,
  visit: (T: Matrix64, U: Matrix64) => void,
): void {
  const width = eta.cols;
  const size = Math.min(samples.rows, Math.max(16, Math.floor(BLOCK / width)));
  const room = zeros(described ? 0 : size, width);
  const codes = zeros(size, eta.rows);
  for (let start = 0; start < samples.rows; start += size) {
    const end = Math.min(samples.rows, start + size);
    const rows = rowRange(samples, start, end);
    const T = described ? (rows as Matrix64) : rowRange(room, 0, end - start);
    if (!described) describe(rows, { offset, inverse }, covariance, T);
    visit(T, kernels.multiply(T, eta, 'nt', rowRange(codes, 0, end - start)));
  }
}

/** Writes t(x_l) to the rows of T. */
export function describe({ rows, cols: d, data }: Matrix, frame: Frame, covariance: Covariance, T: Matrix64): void {
  const { offset, inverse } = frame;
  const { fill } = families[covariance];
  const { cols: width, data: out } = T;
  for (let l = 0, from = 0; l < rows; l++) {
    const first = l * width + 1;
    out[first - 1] = 1;
    for (let c = 0; c < d; c++, from++) out[first + c] = (data[from] - offset[c]) * inverse[c];
    fill(out, first, d, first + d);
  }
}

/** The samples in the coordinates of a frame. */
export function inFrame(samples: Matrix, { offset, inverse }: Frame): Matrix64 {
  const { rows, cols, data } = samples;
  const X = zeros(rows, cols);
  for (let l = 0, at = 0; l < rows; l++) {
    for (let c = 0; c < cols; c++, at++) X.data[at] = (data[at] - offset[c]) * inverse[c];
  }
  return X;
}

/** exp below this is lost in the rounding of a sum with 1. */
const NEGLIGIBLE = -40;

/** A product beyond this is replaced by its logarithm. */
const LARGE = 1e200;

/** Replaces the rows u_l of U by r_l; returns Σ_l ln Σ_k exp(u_lk). */
export function shareOut({ rows, cols: k, data }: Matrix64): number {
  let logSum = 0;
  let product = 1; // product of the Σ_k exp(u_lk − max_k u_lk), each from 1 to k: one logarithm serves many samples
  for (let l = 0, first = 0; l < rows; l++, first += k) {
    const end = first + k;
    let largest = data[first];
    for (let at = first + 1; at < end; at++) if (data[at] > largest) largest = data[at];
    let total = 0;
    for (let at = first; at < end; at++) {
      const below = data[at] - largest;
      const share = below > NEGLIGIBLE ? expBelowZero(below) : 0;
      data[at] = share;
      total += share;
    }
    const factor = 1 / total;
    for (let at = first; at < end; at++) data[at] *= factor;
    logSum += largest;
    product *= total;
    if (product > LARGE) {
      logSum += Math.log(product);
      product = 1;
    }
  }
  return logSum + Math.log(product);
}

/** Index of the largest of u_1 … u_k, from 0. */
export function largestAt(data: Float64Array, first: number, k: number): number {
  let best = 0;
  for (let i = 1; i < k; i++) if (data[first + i] > data[first + best]) best = i;
  return best;
}

function exampleParams(samples: Matrix): ExpectationParams {
  const d = samples.cols;
  const eta = zeros(3, widthOf('diagonal', d));
  const rows = firstRows(samples);
  for (let i = 0; i < 3; i++) {
    for (let c = 0; c < d; c++) {
      eta.data[i * eta.cols + 1 + c] = rows.data[(i % rows.rows) * d + c];
      eta.data[i * eta.cols + 1 + d + c] = -0.5;
    }
  }
  return {
    eta,
    covariance: 'diagonal',
    offset: new Float64Array(d).fill(0.1),
    inverse: new Float64Array(d).fill(0.5),
  };
}
