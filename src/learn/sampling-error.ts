/**
 * Estimates how much of an objective ‖X‖_q^q, X = Z Aᵀ, is left to gain, relative to its sampling error. Turning atoms
 * i and j against each other changes it at the rate q·g_ij, a sum over samples:
 *
 *     g_ij = Σ_s φ(x_i) x_j − x_i φ(x_j) = (S − Sᵀ)_ij,   S = G Aᵀ,   G = φ(X)ᵀ Z
 *     v_ij = Σ_s (φ(x_i) x_j − x_i φ(x_j))² = (ΦΦ)ᵀ(XX) + (XX)ᵀ(ΦΦ) − 2 PᵀP       entrywise products, P = φ(X) X
 *
 *     left = mean of g_ij²/v_ij over the planes
 *
 * √v_ij is the standard error of g_ij. With other samples of the same kind g² would be about v at the same atoms. So once
 * `left` is well below 1, further steps fit this sample and no other. Each plane has its own scale: atoms of great
 * energy, such as the brightness of patches, do not dominate the others.
 *
 * v is estimated from some of the samples; the gradient is that of all. ICA estimates its own `left` (methods/ica/ica.ts).
 */
import { dot, firstRows, type Matrix64, type Precision, row, toFloat64, zeros } from '../core/matrix.ts';
import { accumulate, definePass } from '../engine/pass.ts';
import { endingAt, type StopRule } from '../engine/stop.ts';
import type { Conditioning, Kernels } from '../kernels/kernels.ts';
import { powersFit } from './powers.ts';
import type { Problem } from './problem.ts';
import { isWhite } from './whitening.ts';

/** Number of samples from which v is estimated. */
const SAMPLES = 4096;

/**
 * Largest `left` at which a run may end: less on white data, where steps are long and a refinement may follow, and less on a
 * coreset, whose steps cost little.
 */
const ENOUGH = { white: 0.01, coreset: 0.05, all: 0.1 } as const;

export function enoughFor({ input, samples }: Problem): number {
  if (isWhite(input.coordinates)) return ENOUGH.white;
  return samples < input.allSamples ? ENOUGH.coreset : ENOUGH.all;
}

/** Stops a run whose further steps would fit the sample only. */
export function stopAtSamplingError(enough: number): StopRule {
  return endingAt({ left: enough }, ({ left }) =>
    left !== undefined && left <= enough
      ? {
          status: 'converged',
          code: 'sampling error',
          reason: `converged to within sampling error (${share(left)} of a standard error left)`,
        }
      : undefined,
  );
}

const share = (left: number): string => Math.sqrt(left).toPrecision(1);

export interface GradientVarianceParams {
  /** A, K×n. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  /** q */
  readonly norm: number;
}

/** v, K×K. */
export const gradientVariancePass = definePass<GradientVarianceParams, Matrix64>(import.meta.url, {
  name: 'gradient-variance',
  contribute({ samples }, { atoms, conditioning, norm }, kernels) {
    const X = toFloat64(kernels.project(samples, atoms, conditioning, 'f64'));
    const [squares, slopes, values] = [zeros(X.rows, X.cols), zeros(X.rows, X.cols), X];
    for (let at = 0; at < X.data.length; at++) {
      const square = X.data[at] ** 2;
      const value = norm === 4 ? square * square : square ** (norm / 2);
      squares.data[at] = square;
      slopes.data[at] = square > 0 ? (value * value) / square : 0; // φ(x)²
      values.data[at] = value;
    }
    return combine(kernels.multiply(slopes, squares, 'tn'), kernels.multiply(values, values, 'tn'));
  },
  add(total, part) {
    accumulate(total.data, part.data);
    return total;
  },
  example: (samples) => ({ params: { atoms: firstRows(samples), conditioning: { scale: 1 }, norm: 4 } }),
});

/** Returns M + Mᵀ − 2N. */
function combine({ rows: K, data: M }: Matrix64, { data: N }: Matrix64): Matrix64 {
  const sum = zeros(K, K);
  for (let i = 0; i < K; i++) {
    for (let j = 0; j < K; j++) sum.data[i * K + j] = M[i * K + j] + M[j * K + i] - 2 * N[i * K + j];
  }
  return sum;
}

/** Returns v at these atoms for all samples, or undefined if the powers could overflow. */
export async function gradientVariance(problem: Problem, atoms: Matrix64, norm: number): Promise<Matrix64 | undefined> {
  if (!powersFit(problem.largestCode, 2 * norm, problem.samples)) return undefined;
  const some = problem.spread(SAMPLES);
  const variance = await some.sum(gradientVariancePass, atoms, { norm });
  const factor = problem.samples / some.samples;
  return { ...variance, data: variance.data.map((v) => v * factor) };
}

/** Upper bound of the error of g from rounding, relative to the norms of the two rows of G. */
const ROUNDING = { f32: 1e-5, f64: 1e-12 } as const;

/** Returns `left`; infinite if rounding dominates in every plane. `precision`: in which G was computed. */
export function leftToGain(
  G: Matrix64,
  A: Matrix64,
  variance: Matrix64,
  kernels: Kernels,
  precision: Precision,
): number {
  const K = A.rows;
  const S = kernels.multiply(G, A, 'nt').data;
  const rounding = Float64Array.from({ length: K }, (_, i) => ROUNDING[precision] ** 2 * dot(row(G, i), row(G, i)));
  let sum = 0;
  let planes = 0;
  for (let i = 0; i < K; i++) {
    for (let j = 0; j < i; j++) {
      const v = variance.data[i * K + j];
      if (!(v > 0)) continue;
      sum += (S[i * K + j] - S[j * K + i]) ** 2 / (v + rounding[i] + rounding[j]);
      planes++;
    }
  }
  return planes > 0 ? sum / planes : Number.POSITIVE_INFINITY;
}
