/**
 * Fits Y = X + A C with most of X zero: finds the zeros and the low-rank part together.
 *
 *     a_i ← ridge fit on the zeros of feature i, λ = s²          (feature-fit.ts)
 *     c_j ← least squares over the features whose code in sample j is zero
 *     s   ← 1.4826 median |y − a·c| over the zeros               noise, and the error of the fit
 *     Z   ← entries more likely zero than not, each judged by a fit without it
 *
 * A is kept at unit covariance and the rows of C at principal axes, so the prior a ~ N(0, I) fits the data. On exact
 * data s falls to zero and Z stops changing; features that settle on a wrong mask, or on none, are tried again
 * (mask-search.ts).
 */
import type { Pause } from '../../core/breathe.ts';
import { type Matrix64, zeros as zeroMatrix } from '../../core/matrix.ts';
import { cholesky, solveSymmetric } from '../../linalg/cholesky.ts';
import { eigh } from '../../linalg/eigh.ts';
import { FeatureFit } from './feature-fit.ts';
import { clampTheta, type Features, shareOf, type ZeroMask, zeroCount } from './features.ts';
import { MaskSearch } from './mask-search.ts';
import type { RankOneStart } from './rank-one-start.ts';

export interface LowRank {
  readonly rank: number;
  /** Coefficients A, n×r. */
  readonly coefficients: Matrix64;
  /** Loadings C, p×r. */
  readonly loadings: Matrix64;
  readonly zeros: ZeroMask;
  /** Spread s, in units of the root mean square. */
  readonly spread: number;
  readonly iterations: number;
  /** Whether s fell to zero: the zeros are exact. */
  readonly exact: boolean;
}

const MAX_ITERATIONS = 60;
/** Spread below which data counts as exact; `polish` does the rest. */
const EXACT_SPREAD = 1e-5;
/** s falls by at most this factor per step: C needs time to follow. */
const FASTEST_FALL = Math.sqrt(0.1);
/** While s is small, zeros are judged at a multiple of s: leniently, since s lags behind the error of C. */
const LENIENCE = { factor: 4, most: 0.05 };
/** Below this s, the fit of C leaves out features with no more zeros than coefficients: they fit anything. */
const INFORMATIVE_SPREAD = 1e-2;
const SEARCH_STEPS = new Set([4, 10, 20]);
/** A feature with this many changes at once swings between masks, so other masks are tried. */
const UNSTABLE_CHANGES = 3;
/** On inexact data, s and Z have settled when s changed by less than this for some steps. */
const SETTLED = { change: 0.002, steps: 5 };
/** Ridge for C, relative to A of unit covariance. */
const LOADING_RIDGE = 1e-12;
const MEDIAN_SAMPLE = 20_000;

/** Fits the low-rank part; undefined if no zeros are left on the way. */
export async function fitLowRank(
  features: Features,
  start: RankOneStart,
  loadings: Float64Array,
  rank: number,
  pause: Pause,
): Promise<LowRank | undefined> {
  const p = features.samples;
  const C = { rows: p, cols: rank, data: loadings.slice() };
  const mask = start.zeros.slice();
  let spread = Math.sqrt(start.variance);
  let settled = 0;
  let iterations = 0;
  let exact = false;
  // its own loop, not `iterate`: it runs for milliseconds, once per start and rank tried
  while (iterations < MAX_ITERATIONS && !exact && settled < SETTLED.steps) {
    await pause();
    const informative = spread < INFORMATIVE_SPREAD ? rank : 0;
    const A = fitCoefficients(features, C, mask, spread ** 2);
    if (!fitLoadings(features, A, C, mask, informative, LOADING_RIDGE)) return undefined;
    const found = spreadOf(features, A, C, mask, informative);
    const before = spread;
    spread = Math.max(found, spread * FASTEST_FALL, EXACT_SPREAD);
    if (!standardise(A, C)) return undefined;

    const judging = Math.max(spread, Math.min(LENIENCE.factor * spread, LENIENCE.most)) ** 2;
    const theta = clampTheta(1 - shareOf(mask));
    const search = new MaskSearch(features, C, judging, theta);
    let changes = judge(search, mask, spread < INFORMATIVE_SPREAD ? UNSTABLE_CHANGES : p + 1);
    const resting = changes === 0 && spread <= EXACT_SPREAD * 1.01;
    if (SEARCH_STEPS.has(iterations) || resting) changes += search.improveDoubtful(mask);
    exact = changes === 0 && spread <= EXACT_SPREAD * 1.01;
    settled = Math.abs(spread / before - 1) < SETTLED.change ? settled + 1 : 0;
    iterations++;
    if (shareOf(mask) * p < 1) return undefined;
  }
  const coefficients = fitCoefficients(features, C, mask, spread ** 2);
  return { rank, coefficients, loadings: C, zeros: mask, spread, iterations, exact };
}

function fitCoefficients(features: Features, C: Matrix64, mask: ZeroMask, ridge: number): Matrix64 {
  const A = zeroMatrix(features.count, C.cols);
  const fit = new FeatureFit(features, C.data, C.cols);
  for (let i = 0; i < features.count; i++) {
    fit.fit(i, mask, ridge);
    A.data.set(fit.coefficients, i * C.cols);
  }
  return A;
}

/**
 * c_j = argmin Σ_i (y_ij − a_i·c_j)² over the zeros of sample j, in place, from features with more than `informative`
 * zeros. False if a sample has too few.
 */
export function fitLoadings(
  { count, samples: p, values }: Features,
  A: Matrix64,
  C: Matrix64,
  mask: ZeroMask,
  informative: number,
  ridge = 0,
): boolean {
  const r = A.cols;
  const grams = new Float64Array(p * r * r);
  const crosses = zeroMatrix(p, r);
  for (let i = 0; i < count; i++) {
    if (zeroCount(mask, i, p) <= informative) continue;
    for (let j = 0; j < p; j++) {
      if (!mask[i * p + j]) continue;
      const y = values[i * p + j];
      const gram = j * r * r;
      for (let k = 0; k < r; k++) {
        const a = A.data[i * r + k];
        crosses.data[j * r + k] += a * y;
        for (let l = 0; l <= k; l++) grams[gram + k * r + l] += a * A.data[i * r + l];
      }
    }
  }
  for (let j = 0; j < p; j++) {
    const gram: Matrix64 = { rows: r, cols: r, data: grams.subarray(j * r * r, (j + 1) * r * r) };
    for (let k = 0; k < r; k++) gram.data[k * r + k] += ridge * count;
    const right: Matrix64 = { rows: r, cols: 1, data: crosses.data.subarray(j * r, (j + 1) * r) };
    const solution = solveSymmetric(gram, right);
    if (!solution) return false;
    C.data.set(solution.data, j * r);
  }
  return true;
}

/** A robust standard deviation of the residuals on the zeros, corrected for the coefficients fitted. */
export function spreadOf(features: Features, A: Matrix64, C: Matrix64, mask: ZeroMask, informative: number): number {
  const { count, samples: p, values } = features;
  const r = A.cols;
  const stride = Math.max(1, Math.floor(mask.length / MEDIAN_SAMPLE / p)); // whole features
  const sizes: number[] = [];
  for (let i = 0; i < count; i += stride) {
    if (zeroCount(mask, i, p) <= informative) continue;
    for (let j = 0; j < p; j++) {
      if (!mask[i * p + j]) continue;
      let residual = values[i * p + j];
      for (let k = 0; k < r; k++) residual -= A.data[i * r + k] * C.data[j * r + k];
      sizes.push(Math.abs(residual));
    }
  }
  const sorted = Float64Array.from(sizes).sort();
  const freedom = Math.max(1 - r / (shareOf(mask) * p), 0.1);
  return sorted.length > 0 ? (1.4826 * sorted[sorted.length >> 1]) / Math.sqrt(freedom) : 0;
}

/**
 * Transforms C so that A would have unit covariance and the columns of C (p×r) are orthogonal, in order of decreasing
 * norm.
 */
function standardise(A: Matrix64, C: Matrix64): boolean {
  const r = A.cols;
  const covariance = zeroMatrix(r, r);
  addOuterProducts(covariance, A);
  for (let k = 0; k < r * r; k++) covariance.data[k] /= A.rows;
  let trace = 0;
  for (let k = 0; k < r; k++) trace += covariance.data[k * r + k];
  for (let k = 0; k < r; k++) covariance.data[k * r + k] += 1e-12 * trace;
  const L = cholesky(covariance);
  if (!L) return false;
  timesLower(C, L);
  const gram = zeroMatrix(r, r);
  addOuterProducts(gram, C);
  const { vectors } = eigh(gram);
  const turned = new Float64Array(r);
  for (let j = 0; j < C.rows; j++) {
    for (let k = 0; k < r; k++) {
      turned[k] = 0;
      for (let l = 0; l < r; l++) turned[k] += vectors.data[k * r + l] * C.data[j * r + l];
    }
    C.data.set(turned, j * r);
  }
  return true;
}

/** S += MᵀM. */
function addOuterProducts(S: Matrix64, M: Matrix64): void {
  const r = M.cols;
  for (let i = 0; i < M.rows; i++) {
    for (let k = 0; k < r; k++) {
      const value = M.data[i * r + k];
      for (let l = 0; l < r; l++) S.data[k * r + l] += value * M.data[i * r + l];
    }
  }
}

/** C ← C L for lower triangular L, in place: entry k of a row needs only entries from k on. */
export function timesLower(C: Matrix64, L: Matrix64): void {
  const r = L.rows;
  for (let j = 0; j < C.rows; j++) {
    for (let k = 0; k < r; k++) {
      let sum = 0;
      for (let l = k; l < r; l++) sum += C.data[j * r + l] * L.data[l * r + k];
      C.data[j * r + k] = sum;
    }
  }
}

function judge(search: MaskSearch, mask: ZeroMask, unstable: number): number {
  const { features, loadings: C, ridge, theta } = search;
  const p = features.samples;
  const fit = new FeatureFit(features, C.data, C.cols);
  const before = new Uint8Array(p);
  let changes = 0;
  for (let i = 0; i < features.count; i++) {
    before.set(mask.subarray(i * p, (i + 1) * p));
    fit.fit(i, mask, ridge);
    const changed = fit.markZeros(i, mask, theta);
    if (changed >= unstable) {
      mask.set(before, i * p);
      if (search.improve(i, mask)) changes++;
    } else changes += changed;
  }
  return changes;
}
