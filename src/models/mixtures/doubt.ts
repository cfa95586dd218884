/** Checks of a mixture: do the moments determine it, do its clusters lie among the samples, have clusters collapsed? */
import { type Matrix64, norm } from '../../core/matrix.ts';
import { cholesky } from '../../linalg/cholesky.ts';
import { covarianceOfCluster, families } from './families.ts';
import type { Mixture } from './statistics.ts';

/** Below this independence (moments.ts) the moments do not determine some of the means. */
export const LEAST_INDEPENDENCE = 3;

/** The error text for clusters without samples or outside all samples; undefined if there are none. */
export function strayWords(X: Matrix64, mixture: Mixture): string | undefined {
  const strays = straysOf(X, mixture);
  return strays > 0
    ? `${strays} of ${mixture.means.rows} clusters had no samples, or a mean outside all samples`
    : undefined;
}

/** Counts clusters with less than one sample, or with a mean farther from the mean sample than any sample. */
function straysOf(X: Matrix64, { means, weights }: Mixture): number {
  const centre = meanRowOf(X);
  const farthest = distances(X, centre).reduce((most, far) => Math.max(most, far), 0);
  const room = farthest + 1e-9 * (farthest + norm(centre)); // for rounding
  return distances(means, centre).filter((far, i) => !(weights[i] * X.rows >= LEAST_WEIGHT && far <= room)).length;
}

/** Weight, in samples, of a cluster of one sample after expectation maximisation, up to rounding and overlap. */
export const LEAST_WEIGHT = 0.5;

function meanRowOf({ rows, cols, data }: Matrix64): Float64Array {
  const mean = new Float64Array(cols);
  for (let l = 0, at = 0; l < rows; l++) for (let c = 0; c < cols; c++) mean[c] += data[at++] / rows;
  return mean;
}

/** The distance of every row from a point. */
function distances({ rows, cols, data }: Matrix64, from: Float64Array): Float64Array {
  const out = new Float64Array(rows);
  for (let l = 0, at = 0; l < rows; l++) {
    for (let c = 0; c < cols; c++) out[l] += (data[at++] - from[c]) ** 2;
    out[l] = Math.sqrt(out[l]);
  }
  return out;
}

/** How many clusters have collapsed. */
export const shrunkIn = (mixture: Mixture, samples: number, floor: number): number =>
  Array.from(mixture.weights).filter((_, i) => isShrunk(mixture, i, samples, floor)).length;

/** Whether a cluster has collapsed: it has fewer than two samples, or its own variance at the floor. */
export function isShrunk(
  { means, weights, covariance, covariances }: Mixture,
  i: number,
  samples: number,
  floor: number,
): boolean {
  if (weights[i] * samples < 2) return true;
  const family = families[covariance];
  if (family.shared) return false;
  const d = means.cols;
  const { data } = covarianceOfCluster(family, covariances, i, d);
  if (family.height(d) === 1) return data.some((variance) => variance <= 2 * floor);
  return !cholesky({ rows: d, cols: d, data: data.map((x, at) => (at % (d + 1) === 0 ? x - 2 * floor : x)) });
}
