/**
 * Expectation maximisation for a mixture of spherical Gaussians of one variance:
 *
 *     r_lk ∝ w_k exp(−‖x_l − μ_k‖²/2σ²),   w_k = mean r_k,   μ_k = Σ r_lk x_l / Σ r_lk,   σ² = Σ r_lk ‖x_l − μ_k‖² / pd
 */
import { breather } from '../../core/breathe.ts';
import { type Matrix64, maxDifference, zeros } from '../../core/matrix.ts';
import type { Outcome } from '../../engine/iterate.ts';
import type { Run } from '../../engine/run.ts';
import type { Solver, SolverState } from '../../engine/solver.ts';
import { finite, matrix, number, vector } from '../../engine/state-shape.ts';
import { stopAfterIterations, stopWhenChangeBelow } from '../../engine/stop.ts';
import { type Mixture, membership } from './membership.ts';
import { CONVERGED } from './options.ts';

export interface MaximisationState extends Mixture, SolverState {
  /** Mean of ln p(x) over the samples, for the mixture before the last step. */
  readonly logLikelihood: number;
  /** Largest movement of an entry of a mean in the last step, in units of σ. */
  readonly change: number;
  readonly [name: string]: number | boolean | Float64Array | Matrix64;
}

export function maximiseLikelihood(
  X: Matrix64,
  start: Mixture,
  maxIterations: number,
  run: Run,
): Promise<Outcome<MaximisationState>> {
  const stop = [stopWhenChangeBelow(CONVERGED), stopAfterIterations(maxIterations)];
  return run.drive(expectationMaximisation(X, start, run.signal), { stop, samplesPerStep: X.rows });
}

export function expectationMaximisation(X: Matrix64, start: Mixture, signal?: AbortSignal): Solver<MaximisationState> {
  const breathe = breather(signal);
  return {
    name: 'expectation maximisation',
    shape: {
      ...mixtureShape(start.means.rows, X.cols),
      logLikelihood: number,
      change: number,
    },
    init: async () => ({ ...start, logLikelihood: Number.NEGATIVE_INFINITY, change: Number.POSITIVE_INFINITY }),
    async step(state) {
      await breathe();
      const { logLikelihood, ...next } = maximisationStep(X, state);
      return { ...next, logLikelihood, change: maxDifference(next.means, state.means) / Math.sqrt(next.variance) };
    },
    report: ({ logLikelihood, change }) => ({ objective: logLikelihood, change }),
  };
}

export const mixtureShape = (clusters: number, features: number) => ({
  means: matrix(clusters, features),
  weights: vector(clusters, { least: 0 }),
  variance: finite(0),
});

/** The next mixture, and the likelihood of this one. */
export function maximisationStep(X: Matrix64, mixture: Mixture): Mixture & { readonly logLikelihood: number } {
  const { rows: p, cols: d, data } = X;
  const { means } = mixture;
  const k = means.rows;
  const sums = zeros(k, d);
  const totals = new Float64Array(k);
  const shares = new Float64Array(k);
  const share = membership(mixture);
  let energy = 0;
  let likelihood = 0;
  for (let l = 0; l < p; l++) {
    likelihood += share(data, l * d, shares);
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
    logLikelihood: likelihood / p,
  };
}
