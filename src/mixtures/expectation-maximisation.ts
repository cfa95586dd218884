/**
 * Expectation maximisation for a mixture of spherical Gaussians of one variance:
 *
 *     r_lk ∝ w_k exp(−‖x_l − μ_k‖²/2σ²),   w_k = mean r_k,   μ_k = Σ r_lk x_l / Σ r_lk,   σ² = Σ r_lk ‖x_l − μ_k‖² / pd
 */
import { type Matrix64, zeros } from '../matrix.ts';

export interface Mixture {
  /** k×d */
  readonly means: Matrix64;
  /** Sum to 1. */
  readonly weights: Float64Array;
  /** σ² */
  readonly variance: number;
}

/** It has converged when no mean moves by more than this share of σ. */
const CONVERGED = 1e-8;

export async function maximiseLikelihood(
  X: Matrix64,
  start: Mixture,
  maxSteps: number,
  signal?: AbortSignal,
): Promise<{ mixture: Mixture; iterations: number }> {
  let mixture = start;
  for (let step = 0; step < maxSteps; step++) {
    const next = expectationMaximisationStep(X, mixture);
    const moved = next.means.data.reduce(
      (most, value, at) => Math.max(most, Math.abs(value - mixture.means.data[at])),
      0,
    );
    mixture = next;
    if (moved <= CONVERGED * Math.sqrt(next.variance)) return { mixture, iterations: step + 1 };
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
  }
  return { mixture, iterations: maxSteps };
}

export function expectationMaximisationStep(X: Matrix64, { means, weights, variance }: Mixture): Mixture {
  const { rows: p, cols: d, data } = X;
  const k = means.rows;
  const sums = zeros(k, d);
  const totals = new Float64Array(k);
  const shares = new Float64Array(k);
  let energy = 0;
  for (let l = 0; l < p; l++) {
    let largest = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < k; i++) {
      let distance = 0;
      for (let c = 0; c < d; c++) distance += (data[l * d + c] - means.data[i * d + c]) ** 2;
      shares[i] = Math.log(weights[i]) - distance / (2 * variance);
      largest = Math.max(largest, shares[i]);
    }
    let total = 0;
    for (let i = 0; i < k; i++) {
      shares[i] = Math.exp(shares[i] - largest);
      total += shares[i];
    }
    for (let i = 0; i < k; i++) {
      const share = shares[i] / total;
      totals[i] += share;
      for (let c = 0; c < d; c++) sums.data[i * d + c] += share * data[l * d + c];
    }
    for (let c = 0; c < d; c++) energy += data[l * d + c] ** 2;
  }
  // Σ r ‖x − μ‖² = Σ ‖x‖² − Σ_k (Σ r) ‖μ_k‖² at the new means
  for (let i = 0; i < k; i++) {
    for (let c = i * d; c < (i + 1) * d; c++) {
      sums.data[c] = totals[i] > 0 ? sums.data[c] / totals[i] : means.data[c];
      energy -= totals[i] * sums.data[c] ** 2;
    }
  }
  return {
    means: sums,
    weights: totals.map((total) => total / p),
    variance: Math.max(energy / (p * d), Number.MIN_VALUE),
  };
}
