/**
 * Reflectors from first moments (Dash & Siripuram, Algorithms 1, 2 and 3). With E x = θμ 1 and z = ȳ/(θμ), z estimates
 * V1.
 *
 *     Algorithm 2, y = H Q x with known Q:   s = Q1,   k = (s − z)/2 = u (u·s),   u = k/√(k·s)
 *     Algorithm 1 is Q = I:                  s = 1,    k·s = c² = (n − Σz)/2
 *     Algorithm 3, V = H_1 … H_m:            for i = 1 … m: Algorithm 2 on H_{i−1} … H_1 y with s = H_{i+1} … H_m 1
 *
 * Which Z is Q1 at step i? The text has Q = H_{i+1} … H_m, so Q1 = Z[i+1] with Z[i] = H_i Z[i+1]. The listing uses
 * Z[i], which contains the H_i that the step is about to replace, and gives k = 0 wherever the start was right.
 *
 * The listing uses u as it comes; here it is normalised where it is used (an error 1 to 5 % lower, and an orthogonal H).
 * experiments/householder/listed-algorithm.ts has the listing to the letter.
 *
 * The mean of H y is H ȳ, so one pass over the samples serves every step: O(np + nm). The listing reflects the samples
 * and takes O(nmp), with the same numbers up to rounding.
 *
 * First moments identify only one vector, V1, and step 1 already fits it: H_1 maps s to z. From step 2 on the mean is
 * Z[i] of the start, so a step finds the reflector it was started with, and keeps it. A step counts as identified if
 * the start leaves more of the mean unexplained than noise: ‖z − H_i s‖² above its expectation 4ν by SIGNIFICANCE
 * standard deviations.
 */
import { dot, type Matrix64, row } from '../../core/matrix.ts';
import { definePass } from '../../engine/pass.ts';
import { reflect } from '../../linalg/reflectors.ts';
import { type Survey, surveyPass } from '../../passes/survey.ts';

/** What the estimates need: the survey of the samples and Σ‖y‖². */
export interface FirstMoments extends Survey {
  /** Σ‖y‖² / largest²: relative to the largest number, so that squares neither overflow nor underflow. */
  readonly energy: number;
}

export const firstMomentsPass = definePass<null, FirstMoments>(import.meta.url, {
  name: 'first-moments',
  contribute(chunk, _, kernels) {
    const survey = surveyPass.contribute(chunk, { moments: false }, kernels);
    const { largest } = survey;
    let energy = 0;
    if (largest > 0) for (const value of chunk.samples.data) energy += (value / largest) ** 2;
    return { ...survey, energy };
  },
  add(total, part) {
    const survey = surveyPass.add(total, part);
    const share = ({ energy, largest }: FirstMoments) => (largest > 0 ? energy * (largest / survey.largest) ** 2 : 0);
    return { ...survey, energy: share(total) + share(part) };
  },
  example: () => ({ params: null }),
});

export interface MeanSample {
  readonly mean: Float64Array;
  /** Trace of the covariance of the mean, Σ_i Var ȳ_i. */
  readonly variance: number;
}

export interface MomentReflectors {
  /** One u per step, not normalised, as in the algorithm; undefined stands for the identity. */
  readonly reflectors: readonly (Float64Array | undefined)[];
  /** How many steps found something the start did not have. */
  readonly identified: number;
  readonly reason: string;
}

const SIGNIFICANCE = 4;

/** ȳ and the variance of the mean from Σy and Σ‖y‖² of p ≥ 2 samples. */
export function meanSample(sum: Float64Array, energy: number, samples: number): MeanSample {
  const mean = sum.map((value) => value / samples);
  return { mean, variance: Math.max(0, energy / samples - dot(mean, mean)) / (samples - 1) };
}

/**
 * |θμ|: V is orthogonal, so ‖E y‖² = n(θμ)², and ‖ȳ‖² exceeds that by the variance of ȳ. Undefined if ‖ȳ‖ could be that
 * of codes with zero mean.
 */
export function estimateThetaMu({ mean, variance }: MeanSample): number | undefined {
  const n = mean.length;
  const excess = dot(mean, mean) - variance;
  return excess > SIGNIFICANCE * Math.sqrt(2 / n) * variance && excess > 0 ? Math.sqrt(excess / n) : undefined;
}

/** Algorithm 2. Returns u, or undefined if k·s ≤ 0, that is, if no reflector maps s towards z. */
export function reflectorFromMean(z: Float64Array, s: Float64Array): Float64Array | undefined {
  const k = s.map((value, i) => (value - z[i]) / 2);
  const energy = dot(k, s);
  if (!(energy > Number.EPSILON * s.length)) return undefined;
  const root = Math.sqrt(energy);
  return k.map((value) => value / root);
}

/** Algorithm 3. `start` has one unit row per step; without it every H_i starts as I. */
export function reflectorsFromMean(
  sample: MeanSample,
  thetaMu: number,
  steps: number,
  start?: Matrix64,
): MomentReflectors {
  const n = sample.mean.length;
  const z = sample.mean.map((value) => value / thetaMu);
  const noise = sample.variance / thetaMu ** 2;
  const unexplained = noise * (1 + SIGNIFICANCE * Math.sqrt(2 / n)) + n * 1e-20;
  const tails = tailImages(n, steps, start);
  const reflectors: (Float64Array | undefined)[] = [];
  let identified = 0;
  let reason = 'every reflector was identified';
  for (let i = 0; i < steps; i++) {
    const started = start && row(start, i).slice();
    const told = squaredDistance(z, tails[i]) > unexplained;
    const u = told ? reflectorFromMean(z, tails[i + 1]) : undefined;
    if (u) identified++;
    else if (reason.startsWith('every')) reason = told ? NO_REFLECTOR : NOTHING_LEFT;
    const found = u ?? started;
    reflectors.push(found);
    if (found) reflect(z, unit(found));
  }
  return { reflectors, identified, reason };
}

const NOTHING_LEFT = 'first moments determine only the image of the vector of ones under the dictionary';
export const NO_REFLECTOR = 'no reflector maps the expected mean to that of the samples (k·s ≤ 0)';

/** Z[1] … Z[m+1] = 1. */
function tailImages(n: number, steps: number, start?: Matrix64): Float64Array[] {
  const tails = [new Float64Array(n).fill(1)];
  for (let i = steps - 1; i >= 0; i--) {
    const tail = start ? tails[0].slice() : tails[0];
    if (start) reflect(tail, row(start, i));
    tails.unshift(tail);
  }
  return tails;
}

export function unit(u: Float64Array): Float64Array {
  const norm = Math.sqrt(dot(u, u));
  return u.map((value) => value / norm);
}

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return sum;
}
