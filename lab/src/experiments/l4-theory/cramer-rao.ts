/**
 * The least recovery error |1 − g| that an unbiased estimate of an orthogonal dictionary can have under normal noise.
 *
 * The codes of noisy samples, z = x + σN, are independent with the density
 *
 *     f = (1 − θ) N(0, σ²) + θ N(0, 1 + σ²),   v = E z² = θ + σ²,   J = ∫ f′²/f
 *
 * Turning the plane of two atoms by an angle t changes the log-likelihood of a sample at the rate ψ(z_i) z_j − ψ(z_j) z_i,
 * ψ = f′/f, whose variance, the Fisher information of t, is 2(Jv − 1). So Var t ≥ 1/(2p(Jv − 1)), and with n − 1 planes per atom
 *
 *     |1 − g| = 2(n − 1) Var t ≥ (n − 1)/(p(Jv − 1))
 *
 * Jv = 1 for normal codes alone, which have no preferred basis; J → ∞ without noise.
 */
import type { Point } from '../framework/experiment.ts';

/** Steps of the quadrature per σ, and its range in standard deviations of the widest normal. */
const STEPS = 16;
const REACH = 12;

/** J, by the trapezoidal rule, which converges exponentially for such functions. */
export function fisherInformation(theta: number, noise: number): number {
  const parts = [
    { weight: 1 - theta, variance: noise ** 2 },
    { weight: theta, variance: 1 + noise ** 2 },
  ];
  const step = noise / STEPS;
  const end = REACH * Math.sqrt(1 + noise ** 2);
  let sum = 0; // at x = 0 the slope is 0
  for (let x = step; x < end; x += step) {
    let [f, slope] = [0, 0];
    for (const { weight, variance } of parts) {
      const density = (weight * Math.exp(-(x ** 2) / (2 * variance))) / Math.sqrt(2 * Math.PI * variance);
      f += density;
      slope -= (x / variance) * density;
    }
    if (f > 0) sum += slope ** 2 / f;
  }
  return 2 * step * sum;
}

/** Point: n, p, theta, noise. */
export function leastError({ n, p, theta, noise }: Point): number {
  if (noise === 0) return 0;
  return (n - 1) / (p * (fisherInformation(theta, noise) * (theta + noise ** 2) - 1));
}
