/**
 * The two objectives that the theorems are measured on, maximised over orthogonal A, with a Lipschitz constant L of
 * g′ for g(φ) = f(R(i, j, φ) A), which holds for all planes and all A.
 *
 *     degree 3   f = Σ_i T(a_i, a_i, a_i),  T = Σ_k λ_k v_k⊗v_k⊗v_k:  L = (10√5/3) λ_max
 *     degree 4   f = ‖Y Aᵀ‖₄⁴/(3pθ),  Y = X D Bernoulli-Gaussian:     L = 8 λ_max(Σ_l z_l z_lᵀ)/(3pθ),  z = vec(y yᵀ)
 *
 * Degree 3: with a, b the turned rows, in the coordinates of the v_k, and a_k = ρ_k cos ω_k, b_k = ρ_k sin ω_k,
 * g″ = −3 Σ λ_k (a_k + b_k)(a_k² − 3a_k b_k + b_k²) = −3 Σ λ_k ρ_k³ s_k (5 − 3s_k²)/2 with s = cos ω + sin ω. Its
 * magnitude is at most 5√5/9 per k, at s² = 5/9, and Σ ρ_k³ ≤ Σ ρ_k² = 2, since ρ_k ≤ 1.
 *
 * Degree 4: g = const + ¼ Re Σ_l (x_l + iy_l)⁴ exp(−4iφ), so |g″| ≤ 4 Σ_l (x_l² + y_l²)². With P the projection on the
 * plane, that is 4 Σ_l (z_l · vec P)², and ‖vec P‖² = 2.
 */
import type { Matrix64 } from 'orthodict';
import {
  createRandom,
  denseTensorObjective,
  eigenvalues,
  type Kernels,
  l4Objective,
  orthogonalTensor,
  type RotationObjective,
  toFloat64,
  transpose,
  uniformWeights,
  zeros,
} from 'orthodict/extend';
import type { Point } from '../framework/experiment.ts';
import { bernoulliGaussian } from '../l4/l4-runs.ts';
import { sum } from './sum.ts';

export const THETA = 0.3;
/** Samples per feature. */
export const SAMPLES = 100;

export const OBJECTIVES: Readonly<Record<number, string>> = { 3: 'tensor', 4: 'ℓ4 norm of codes' };

export interface Problem {
  readonly objective: RotationObjective;
  /** L. */
  lipschitz(): number;
  /** The maximum of f, if it is known. */
  readonly most?: number | undefined;
}

/** Point: degree, d. */
export function problemOf({ degree, d }: Point, seed: number, kernels: Kernels): Problem {
  return degree === 3 ? tensorProblem(d, seed, kernels) : l4Problem(d, seed, kernels);
}

function tensorProblem(d: number, seed: number, kernels: Kernels): Problem {
  const random = createRandom(seed, 'a tensor with orthogonal factors');
  const { T, weights } = orthogonalTensor(uniformWeights(d, random), random);
  return {
    objective: denseTensorObjective(T, kernels),
    lipschitz: () => ((10 * Math.sqrt(5)) / 3) * Math.max(...weights),
    most: sum(weights),
  };
}

function l4Problem(n: number, seed: number, kernels: Kernels): Problem {
  const p = SAMPLES * n;
  const { samples } = bernoulliGaussian({ n, p, theta: THETA }, seed);
  const unit = (3 * p * THETA) ** -0.25;
  const Y: Matrix64 = { ...samples, data: toFloat64(samples).data.map((value) => unit * value) };
  const Yt = transpose(Y);
  return {
    objective: l4Objective(n, (A) => kernels.multiply(A, Yt)),
    lipschitz: () => 8 * fourthMomentNorm(Y, kernels),
  };
}

/** λ_max(Σ_l z_l z_lᵀ), z = vec(y yᵀ): symmetric, so each pair of features is taken once, times √2. */
function fourthMomentNorm({ rows, cols: n, data }: Matrix64, kernels: Kernels): number {
  const Z = zeros(rows, (n * (n + 1)) / 2);
  for (let l = 0, at = 0; l < rows; l++) {
    for (let a = 0; a < n; a++) {
      for (let b = 0; b <= a; b++) Z.data[at++] = (a === b ? 1 : Math.SQRT2) * data[l * n + a] * data[l * n + b];
    }
  }
  return Math.max(...eigenvalues(kernels.multiply(Z, Z, 'tn')));
}
