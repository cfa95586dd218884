/**
 * Finds roughly where the codes are zero: a robust fit of Y = X + a wᵀ, the part of L that the mean of the codes makes
 * large.
 *
 * For zero codes all ratios y_ij/w_j of a feature equal a_i, for other codes they differ: a_i is the ratio of greatest
 * likelihood under a spike of width h and a flat slab. Then a and w are fitted by weighted least squares, and h
 * shrinks.
 *
 *     score(a) = Σ_j log((1−θ) N(y_ij − a w_j; h) + θ/slab) + evidence of Σ_j x_ij
 */
import {
  clampTheta,
  codeSumEvidence,
  type Features,
  normalDensity,
  SLAB_WIDTH,
  shareOf,
  type ZeroMask,
} from './features.ts';

export interface RankOneStart {
  /** The fit a wᵀ, n×p. */
  readonly fit: Float64Array;
  readonly zeros: ZeroMask;
  /** Variance of the entries where codes are zero. */
  readonly variance: number;
}

/** Widths h of the spike, in units of the root mean square; never narrower than what further reflectors add. */
const WIDTHS = [0.35, 0.25, 0.18, 0.12, 0.1];
const CANDIDATES = 32;
const TYPICAL_THETA = 0.3;

/** `coefficients`: the first a, for instance u; `loadings`: w. */
export function rankOneStart(features: Features, coefficients: Float64Array, loadings: Float64Array): RankOneStart {
  const a = coefficients.slice();
  let w = loadings.slice();
  let theta = TYPICAL_THETA;
  for (const width of WIDTHS) {
    const weight = (residual: number) => {
      const spike = (1 - theta) * normalDensity(residual, width);
      return spike / (spike + theta / SLAB_WIDTH);
    };
    let zeroWeight = 0;
    for (let i = 0; i < features.count; i++) {
      a[i] = bestCandidate(features, i, a[i], w, width, theta);
      for (let repeat = 0; repeat < 3; repeat++) a[i] = fitCoefficient(features, i, a[i], w, weight);
      for (let j = 0; j < features.samples; j++) zeroWeight += weight(residualOf(features, i, j, a, w));
    }
    theta = clampTheta(1 - zeroWeight / features.values.length);
    for (let repeat = 0; repeat < 2; repeat++) w = fitLoadings(features, a, w, weight);
  }
  return describe(features, a, w, theta);
}

/** The start if there is no mean to use: L is small compared with the codes. */
export function zeroStart(features: Features): RankOneStart {
  return describe(features, new Float64Array(features.count), new Float64Array(features.samples), TYPICAL_THETA);
}

function describe(features: Features, a: Float64Array, w: Float64Array, theta: number): RankOneStart {
  const { count, samples, values } = features;
  const fit = new Float64Array(values.length);
  const zeros = new Uint8Array(values.length);
  const width = WIDTHS[WIDTHS.length - 1];
  let sum = 0;
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < samples; j++) {
      const at = i * samples + j;
      fit[at] = a[i] * w[j];
      const residual = values[at] - fit[at];
      zeros[at] = (1 - theta) * normalDensity(residual, width) > theta / SLAB_WIDTH ? 1 : 0;
      if (zeros[at]) sum += residual ** 2;
    }
  }
  return { fit, zeros, variance: sum / Math.max(1, shareOf(zeros) * zeros.length) };
}

function residualOf({ samples, values }: Features, i: number, j: number, a: Float64Array, w: Float64Array): number {
  return values[i * samples + j] - a[i] * w[j];
}

function bestCandidate(
  features: Features,
  i: number,
  current: number,
  w: Float64Array,
  width: number,
  theta: number,
): number {
  const { samples: p, values } = features;
  const slab = theta / SLAB_WIDTH;
  const score = (a: number) => {
    let sum = 0;
    let codeSum = 0;
    for (let j = 0; j < p; j++) {
      const residual = values[i * p + j] - a * w[j];
      codeSum += residual;
      sum += Math.log((1 - theta) * normalDensity(residual, width) + slab);
    }
    return sum + codeSumEvidence(features, codeSum);
  };
  let best = current;
  let bestScore = score(current);
  const stride = Math.max(1, Math.floor(p / CANDIDATES));
  for (let j = i % stride; j < p; j += stride) {
    const candidate = values[i * p + j] / w[j];
    const candidateScore = score(candidate);
    if (candidateScore > bestScore) [best, bestScore] = [candidate, candidateScore];
  }
  return best;
}

type Weight = (residual: number) => number;

function fitCoefficient(
  { samples: p, values }: Features,
  i: number,
  a: number,
  w: Float64Array,
  weight: Weight,
): number {
  let cross = 0;
  let square = 0;
  for (let j = 0; j < p; j++) {
    const y = values[i * p + j];
    const k = weight(y - a * w[j]);
    cross += k * y * w[j];
    square += k * w[j] * w[j];
  }
  return square > Number.MIN_VALUE ? cross / square : a;
}

function fitLoadings({ count, samples: p, values }: Features, a: Float64Array, w: Float64Array, weight: Weight) {
  const cross = new Float64Array(p);
  const square = new Float64Array(p);
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < p; j++) {
      const y = values[i * p + j];
      const k = weight(y - a[i] * w[j]);
      cross[j] += k * y * a[i];
      square[j] += k * a[i] * a[i];
    }
  }
  return cross.map((value, j) => (square[j] > Number.MIN_VALUE ? value / square[j] : w[j]));
}
