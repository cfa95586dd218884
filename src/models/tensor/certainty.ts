/**
 * How certain the factors of a tensor are: their weights compared with those that noise alone would give. The noise E is symmetric and
 * normal, the same in every orthonormal basis; σ is the deviation of entries like E_iij, √3 σ that of E(u, u, u).
 *
 *     σ² = 2 ‖T − Σ w v⊗v⊗v‖² / ((d−1) d (d+1))     3σ² for each of the ν = (d−1)d(d+1)/6 dimensions that the factors leave
 *     max E(u, u, u) = √3 E₀ √m σ                    over unit u in m dimensions, for large m
 *     Σ_i E(u_i, u_i, u_i) ≈ 2.1 d √d σ              the best that d factors make of noise alone (measured, d = 15 to 60)
 *     error of factor i = σ √(2 Σ_j (w_i + w_j)⁻²)    root mean square, to first order (experiments/givens/noise.ts)
 *
 * E₀ = 1.657 is the ground state of the spherical 3-spin model (Auffinger, Ben Arous & Černý 2013). In order of falling
 * weights a factor is certain if those before it are and its weight is above what noise makes in the m = d − k + 1
 * dimensions that they leave, with a margin: w_k > (√3 E₀ √m + 1) σ̄, where σ̄ is an upper limit of σ (95 %); and if its error is at
 * most .25: beyond, weak factors mix with each other, and the first order is no longer accurate.
 */
import { requireObject } from '../../core/require-matrix.ts';

/** The noise of a decomposition, and which factors are certain. */
export interface TensorCertainty {
  /** Number of factors that noise cannot have made; they come first, by descending weight. */
  readonly certain: number;
  /** Number of all factors. */
  readonly factors: number;
  /** σ, the deviation of the noise on entries like T_iij. */
  readonly noise: number;
  /** Expected distance of each factor from the true one, to first order in the noise; at most √2. */
  readonly errors: Float64Array;
}

const GROUND_STATE = 1.657;
/** Margin above the largest weight of noise, in units of σ; docs/tensors.md has the measurements. */
const MARGIN = 1;
/** Largest error of a certain factor, to first order. */
const LARGEST_ERROR = 0.25;
/** Σ w / (d √d σ) of the best factors of noise alone. */
const NOISE_SUM = 2.1;

/** `weights` in falling order; `rest`: ‖T − Σ w v⊗v⊗v‖². */
export function tensorCertaintyOf(weights: Float64Array, rest: number): TensorCertainty {
  const d = weights.length;
  const noise = d > 1 ? Math.sqrt((2 * rest) / ((d - 1) * d * (d + 1))) : 0;
  const limit = noise * upperLimit(((d - 1) * d * (d + 1)) / 6);
  const errors = weights.map((weight, i) => firstOrder(noise, inverseSquares(weights, weight, i)));
  const isCertain = (weight: number, k: number) =>
    weight > (Math.sqrt(3 * (d - k)) * GROUND_STATE + MARGIN) * limit && weight > 0 && errors[k] <= LARGEST_ERROR;
  const doubted = weights.findIndex((weight, k) => !isCertain(weight, k));
  return { certain: doubted < 0 ? d : doubted, factors: d, noise, errors };
}

/** Whether the factors that are not certain are no more than the best ones of noise alone; false if all are. */
export function restIsNoise(weights: Float64Array, { certain, noise }: TensorCertainty): boolean {
  const others = weights.subarray(certain);
  return others.length > 0 && sum(others) <= NOISE_SUM * others.length ** 1.5 * noise;
}

/** Words for a certainty, such as `certain: 7 of 10 factors`. */
export function tensorCertaintyWords(certainty: TensorCertainty): string {
  requireObject('tensorCertaintyWords', 'certainty', certainty, 'the certainty of a result');
  return `certain: ${certainty.certain} of ${certainty.factors} factors`;
}

/** Upper 95 % limit of σ relative to its estimate from ν squares: √(ν/χ²), χ² by Wilson & Hilferty. */
function upperLimit(nu: number): number {
  const root = 1 - 2 / (9 * nu) - 1.645 * Math.sqrt(2 / (9 * nu));
  return root > 0 ? root ** -1.5 : Number.POSITIVE_INFINITY;
}

const firstOrder = (noise: number, inverse: number): number =>
  noise > 0 ? Math.min(Math.SQRT2, noise * Math.sqrt(2 * inverse)) : 0;

/** Σ_j (w_i + w_j)⁻² over j ≠ i */
const inverseSquares = (weights: Float64Array, weight: number, i: number): number =>
  weights.reduce((total, other, j) => (j === i ? total : total + (weight + other) ** -2), 0);

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
