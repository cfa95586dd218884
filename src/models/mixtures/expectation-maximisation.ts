/**
 * Expectation maximisation for a mixture of spherical Gaussians of one variance:
 *
 *     r_lk ∝ w_k exp(−‖x_l − μ_k‖²/2σ²),   w_k = mean r_k,   μ_k = Σ r_lk x_l / Σ r_lk,   σ² = Σ r_lk ‖x_l − μ_k‖² / pd
 */
import { type Matrix64, zeros } from '../../core/matrix.ts';
import { type Mixture, membership } from './membership.ts';

/** It has converged when no mean moves by more than this share of σ. */
const CONVERGED = 1e-8;

export interface MaximiseRun {
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((step: number) => void) | undefined;
}

export async function maximiseLikelihood(
  X: Matrix64,
  start: Mixture,
  maxSteps: number,
  { signal, onStep }: MaximiseRun = {},
): Promise<{ mixture: Mixture; iterations: number; converged: boolean }> {
  let mixture = start;
  for (let step = 0; step < maxSteps; step++) {
    const next = expectationMaximisationStep(X, mixture);
    const moved = next.means.data.reduce(
      (most, value, at) => Math.max(most, Math.abs(value - mixture.means.data[at])),
      0,
    );
    mixture = next;
    onStep?.(step + 1);
    if (moved <= CONVERGED * Math.sqrt(next.variance)) return { mixture, iterations: step + 1, converged: true };
    await new Promise((resolve) => setTimeout(resolve));
    signal?.throwIfAborted();
  }
  return { mixture, iterations: maxSteps, converged: false };
}

export function expectationMaximisationStep(X: Matrix64, mixture: Mixture): Mixture {
  const { rows: p, cols: d, data } = X;
  const { means } = mixture;
  const k = means.rows;
  const sums = zeros(k, d);
  const totals = new Float64Array(k);
  const shares = new Float64Array(k);
  const share = membership(mixture);
  let energy = 0;
  for (let l = 0; l < p; l++) {
    share(data, l * d, shares);
    for (let i = 0; i < k; i++) {
      totals[i] += shares[i];
      for (let c = 0; c < d; c++) sums.data[i * d + c] += shares[i] * data[l * d + c];
    }
    for (let c = 0; c < d; c++) energy += data[l * d + c] ** 2;
  }
  const rounding = Number.EPSILON * energy;
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
    variance: Math.max(energy, rounding) / (p * d),
  };
}
