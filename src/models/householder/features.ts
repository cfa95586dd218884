/**
 * What the refinement works on: some of the samples, feature by feature, in units of their root mean square. The codes
 * have the same root mean square, since V is orthogonal.
 *
 *     Y = V X = X + L,   L = (V − I) X of rank at most m,   x_ij = 0 for most i, j
 *
 * With features as rows (n×p), L = A C: coefficients A (n×r), loadings C (r×p, kept as p×r so that a sample's are
 * contiguous).
 */

export interface Features {
  /** Number of features, n. */
  readonly count: number;
  /** Number of samples, p. */
  readonly samples: number;
  /** The samples, n×p; feature i is contiguous. */
  readonly values: Float64Array;
  /** θμ in these units, if known. */
  readonly codeMean: number | undefined;
}

/** Marks the codes taken to be zero with 1, n×p. */
export type ZeroMask = Uint8Array;

/** Non-zero codes are modelled as uniform, with this width in units of the root mean square. */
export const SLAB_WIDTH = 4;

const NORMALISATION = Math.sqrt(2 * Math.PI);

/** Density of Normal(0, deviation²). */
export function normalDensity(x: number, deviation: number): number {
  return Math.exp(-0.5 * (x / deviation) ** 2) / (deviation * NORMALISATION);
}

/**
 * Log-odds of the sum of a feature's codes, which is pθμ on average; heavy-tailed, like a sum of a few codes.
 */
export function codeSumEvidence({ samples, codeMean }: Features, codeSum: number): number {
  if (codeMean === undefined) return 0;
  const variance = samples * Math.max(1 - codeMean ** 2, 0.05);
  return -2 * Math.log1p((codeSum - samples * codeMean) ** 2 / (4 * variance));
}

/** Share of the entries that are marked. */
export function shareOf(mask: ZeroMask): number {
  let count = 0;
  for (let at = 0; at < mask.length; at++) count += mask[at];
  return count / mask.length;
}

/** Marked entries of feature i, of p. */
export function zeroCount(mask: ZeroMask, i: number, p: number): number {
  let count = 0;
  for (let j = 0; j < p; j++) count += mask[i * p + j];
  return count;
}

/** Keeps a share of non-zero codes away from 0 and 1, where logarithms fail. */
export const clampTheta = (theta: number): number => Math.min(Math.max(theta, 0.02), 0.95);
