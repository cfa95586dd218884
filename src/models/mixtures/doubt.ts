/** Whether the moments of samples determine a mixture, and whether its clusters lie where the samples are. */
import { type Matrix64, norm, row } from '../../core/matrix.ts';
import type { Mixture } from './statistics.ts';

/** Below this independence (moments.ts) the moments say too little about some of the means. */
export const LEAST_INDEPENDENCE = 3;

/** Why the mixture may be wrong; undefined if there is no reason to think so. `independence`: if it is by moments. */
export function doubtAbout(X: Matrix64, mixture: Mixture, independence = Number.POSITIVE_INFINITY): string | undefined {
  const strays = strayWords(X, mixture);
  if (strays || independence >= LEAST_INDEPENDENCE || mixture.means.rows === 1) return strays;
  return `the ${mixture.means.rows} means are too near to linearly dependent for the moments of ${X.rows} samples`;
}

/** The words for clusters that have no samples or lie outside them; undefined if there are none. */
export function strayWords(X: Matrix64, mixture: Mixture): string | undefined {
  const strays = straysOf(X, mixture);
  return strays > 0 ? `${strays} of ${mixture.means.rows} clusters had no samples or a mean outside them` : undefined;
}

/** Clusters with less than a sample, or with a mean farther from the mean sample than every sample. */
function straysOf(X: Matrix64, { means, weights }: Mixture): number {
  const { rows: p, cols: d } = X;
  const centre = new Float64Array(d);
  for (let at = 0; at < X.data.length; at++) centre[at % d] += X.data[at] / p;
  let farthest = 0;
  for (let l = 0; l < p; l++) farthest = Math.max(farthest, distance(row(X, l), centre));
  const room = farthest + 1e-9 * (farthest + norm(centre)); // for rounding
  let strays = 0;
  for (let i = 0; i < means.rows; i++) {
    if (!(weights[i] * p >= LEAST_SAMPLES && distance(row(means, i), centre) <= room)) strays++;
  }
  return strays;
}

/** A cluster of one sample has this weight after expectation maximisation, up to rounding and overlap. */
export const LEAST_SAMPLES = 0.5;

const distance = (a: Float64Array, b: Float64Array): number => norm(a.map((x, c) => x - b[c]));
