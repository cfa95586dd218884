/**
 * The methods in the figures of Dash & Siripuram, "Fast structured orthogonal dictionary learning using Householder
 * reflections", and their scores. Samples y = V x + noise, V = H_1 … H_m, entries of u uniform.
 */
import {
  type GeneratedHouseholder,
  generateHouseholder,
  type HouseholderOptions,
  InputError,
  learnHouseholder,
  type Matrix64,
} from 'orthodict';
import {
  copy,
  polar,
  qr,
  reflect,
  reflectForward,
  row,
  select,
  selectKernels,
  toFloat64,
  transpose,
  zeros,
} from 'orthodict/extend';
import type { Measured, Point } from '../framework/experiment.ts';
import { listedAlgorithm1 } from './listed-algorithm.ts';
import { unit } from './unit.ts';

export const GROUP = 'householder';
export const PAPER = 'Dash & Siripuram, Fast structured orthogonal dictionary learning using Householder reflections';

/** Mean and mean square of the codes that are not zero, uniform in [1, 2]. */
export const MEAN = 1.5;
const MEAN_SQUARE = 7 / 3;
/** ζ of the paper's hard threshold: half the smallest code. The paper chooses it heuristically. */
export const THRESHOLD = 0.5;

/** Point: n, p, m (default 1), theta, snr in dB (default: no noise). */
export function householderData({ n, p, m = 1, theta, snr }: Point, seed: number): GeneratedHouseholder {
  const noise = snr === undefined ? 0 : Math.sqrt((theta * MEAN_SQUARE) / 10 ** (snr / 10));
  return generateHouseholder({ samples: p, features: n, reflectors: m, theta, noise, seed });
}

/** Returns no reflectors (V̂ = I) if the data is rejected. */
export async function learn(
  { samples }: GeneratedHouseholder,
  options: HouseholderOptions,
  signal: AbortSignal,
): Promise<Matrix64> {
  try {
    return (await learnHouseholder(samples, options, { signal })).reflectors;
  } catch (error) {
    if (error instanceof InputError) return zeros(0, samples.cols);
    throw error;
  }
}

/**
 * ‖V − V̂‖_F for the orthogonal V̂ that minimises ‖Y − V̂X‖ with X known. With Y = Q_Y R_Y, X = Q_X R_X (features as
 * rows), V̂ Q_X = Q_Y W, W = polar(R_Y R_Xᵀ). If p < n, V̂ is undetermined on the complement of X. A random orthogonal
 * matrix there, which is what a singular value decomposition of rank p amounts to, adds 2(n − p) on average.
 */
export async function knownCodesDistance({ samples, codes, reflectors }: GeneratedHouseholder): Promise<number> {
  const kernels = await selectKernels('auto');
  const { rows: p, cols: n } = codes;
  if (p > n) throw new Error(`knownCodesDistance: at most ${n} samples; got ${p}.`);
  const [X, Y] = [qr(transpose(codes)), qr(transpose(toFloat64(samples)))];
  const fitted = transpose(kernels.multiply(Y.q, polar(kernels.multiply(Y.r, X.r, 'nt'), kernels), 'nn'));
  const images = transpose(X.q);
  let sum = 2 * (n - p);
  for (let j = 0; j < p; j++) {
    reflectForward(reflectors, row(images, j));
    for (let i = 0; i < n; i++) sum += (row(images, j)[i] - row(fitted, j)[i]) ** 2;
  }
  return Math.sqrt(sum);
}

/** One reflector: the true u, that of Algorithm 1 (not a unit vector), and ours; both methods are given θ and μ. */
export async function singleReflector(data: GeneratedHouseholder, theta: number, signal: AbortSignal) {
  const found = await learn(data, { reflectors: 1, theta, mean: MEAN }, signal);
  return {
    truth: row(data.reflectors, 0),
    moments: listedAlgorithm1(data.samples, theta * MEAN).u,
    ours: found.rows > 0 ? row(found, 0) : new Float64Array(data.samples.cols), // H = I
  };
}

/** Errors of u for m = 1, up to sign, in ℓ∞ and ℓ2. */
export async function reflectorErrors(point: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const { truth, moments, ours } = await singleReflector(householderData(point, seed), point.theta, signal);
  const [paper, own] = [moments, ours].map((u) => errorsOf(u, truth));
  return { moments: paper.largest, ours: own.largest, momentsNorm: paper.norm, oursNorm: own.norm };
}

function errorsOf(u: Float64Array, truth: Float64Array) {
  const differences = [1, -1].map((sign) => truth.map((value, i) => Math.abs(u[i] - sign * value)));
  return {
    largest: Math.min(...differences.map((difference) => Math.max(...difference))),
    norm: Math.min(...differences.map((difference) => Math.hypot(...difference))),
  };
}

/** ‖X − X̂‖_F/√(np) for m = 1, X̂ = HT_ζ(Ĥ Y). */
export async function codeErrors(point: Point, seed: number, signal: AbortSignal): Promise<Measured> {
  const data = householderData(point, seed);
  const { moments, ours } = await singleReflector(data, point.theta, signal);
  return { moments: codeError(data, moments), ours: codeError(data, ours) };
}

function codeError({ samples, codes }: GeneratedHouseholder, u: Float64Array): number {
  const found = copy(toFloat64(samples));
  const norm = Math.hypot(...u);
  if (norm > 0) for (let j = 0; j < found.rows; j++) reflect(row(found, j), unit(u));
  select(found, { threshold: THRESHOLD });
  let sum = 0;
  for (let at = 0; at < codes.data.length; at++) sum += (found.data[at] - codes.data[at]) ** 2;
  return Math.sqrt(sum / codes.data.length);
}
