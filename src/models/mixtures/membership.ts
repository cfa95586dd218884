/** The most probable clusters of samples, and how likely the samples are. */
import { demand } from '../../core/errors.ts';
import { type Matrix, zeros } from '../../core/matrix.ts';
import { requireFiniteMatrix, requireObject } from '../../core/require-matrix.ts';
import { referenceKernels } from '../../kernels/reference.ts';
import { type Frame, type Labelled, labelPass } from './expectation-pass.ts';
import { families } from './families.ts';
import { type Mixture, mapped, naturalOf } from './statistics.ts';

/** Samples assigned to the clusters of a mixture. */
export interface Assigned {
  /** The most probable cluster of every sample. */
  readonly labels: Int32Array;
  /** Mean of ln p(x) over the samples. */
  readonly logLikelihood: number;
}

/**
 * Assigns samples, old or new, to the clusters of a mixture.
 *
 * @example
 * ```js
 * import { assignToClusters, fromRows } from 'orthodict';
 *
 * const covariances = fromRows([[1], [1]]);
 * const mixture = { covariance: 'spherical', means: fromRows([[0, 0], [9, 9]]), weights: Float64Array.of(0.5, 0.5), covariances };
 * console.log(assignToClusters(fromRows([[1, -1], [8, 9]]), mixture).labels.join(' ')); // 0 1
 * ```
 */
export function assignToClusters(samples: Matrix, mixture: Mixture): Assigned {
  const { rows, cols } = requireFiniteMatrix('assignToClusters', 'samples', samples);
  requireObject('assignToClusters', 'mixture', mixture, 'a mixture with means, weights and covariances', ['means']);
  const features = mixture.means.cols;
  demand(cols === features, 'assignToClusters', 'samples', `of ${features} features, like the means`, cols);
  const { frame, inside } = framedMixture(mixture);
  const { eta, restOf } = naturalOf(inside);
  const params = { ...frame, covariance: mixture.covariance, eta };
  const { labels, logSum } = labelPass.contribute({ samples, start: 0, index: 0 }, params, referenceKernels);
  const rest = families[mixture.covariance].shared ? restOf(scatterOf(samples, frame)) : 0;
  return { labels, logLikelihood: logSum / rows + rest };
}

/** The mixture about its own mean, where nothing cancels. */
function framedMixture(mixture: Mixture): { readonly frame: Frame; readonly inside: Mixture } {
  const { means, weights } = mixture;
  const offset = new Float64Array(means.cols);
  means.data.forEach((x, at) => {
    offset[at % means.cols] += weights[Math.floor(at / means.cols)] * x;
  });
  const ones = new Float64Array(means.cols).fill(1);
  const inside = mapped(
    mixture,
    offset.map((x) => -x),
    ones,
  );
  return { frame: { offset, inverse: ones }, inside };
}

/** E[x⊗x] of x = (y − offset)∘inverse. */
function scatterOf({ rows: p, cols: d, data }: Matrix, { offset, inverse }: Frame) {
  const S = zeros(d, d);
  const x = new Float64Array(d);
  for (let l = 0; l < p; l++) {
    for (let c = 0; c < d; c++) x[c] = (data[l * d + c] - offset[c]) * inverse[c];
    for (let a = 0; a < d; a++) for (let b = 0; b < d; b++) S.data[a * d + b] += (x[a] * x[b]) / p;
  }
  return S;
}

/** Joins the labels and likelihoods of consecutive chunks. */
export function gathered(parts: readonly Labelled[]): Labelled {
  const labels = new Int32Array(parts.reduce((sum, part) => sum + part.labels.length, 0));
  let [at, logSum] = [0, 0];
  for (const part of parts) {
    labels.set(part.labels, at);
    at += part.labels.length;
    logSum += part.logSum;
  }
  return { labels, logSum };
}
