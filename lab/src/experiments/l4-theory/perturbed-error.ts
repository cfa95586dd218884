/**
 * The recovery error |1 − g| of ℓ4 maximisation for many perturbed Bernoulli-Gaussian samples.
 *
 * The plane of atoms i and j is turned by 4 Σ(z_i³z_j − z_j³z_i)/(p·c), z the codes of the perturbed samples,
 *
 *     c = 8E z⁴ − 24E z_i²z_j²,   E(z_i³z_j − z_j³z_i)² = 2(E z_i⁶z_j² − E z_i⁴z_j⁴) = v,   |1 − g| → 2(n − 1)·16v/(c²p)
 *
 * Without perturbation it is 2(n − 1)/(3(1 − θ)²p). Noise adds σ²-normals to the codes. Outliers, a share r of dense
 * normal samples of variance θ, leave (1 − r) of c. Corruptions ±1 of a share β of the numbers are noise of variance β in
 * the codes, up to their own ℓ4 norm, which pulls towards the axes of the numbers a little.
 */
import type { Point } from '../framework/experiment.ts';

/** Point: n, p, theta, and noise, outliers, corruption. */
export function perturbedError({ n, p, theta, noise, outliers, corruption }: Point): number {
  const s = noise ** 2 + corruption;
  const second = theta + s;
  const fourth = 3 * theta + 6 * theta * s + 3 * s ** 2;
  const sixth = 15 * theta + 45 * theta * s + 45 * theta * s ** 2 + 15 * s ** 3;
  const dense = theta + s;
  const variance = 2 * ((1 - outliers) * (sixth * second - fourth ** 2) + outliers * 6 * dense ** 4);
  const curvature = (1 - outliers) * (8 * fourth - 24 * second ** 2);
  return (2 * (n - 1) * 16 * variance) / (curvature ** 2 * p);
}
