/** Samples from a mixture of spherical Gaussians with random means and weights. */
import { inputError } from '../core/errors.ts';
import { type Matrix64, zeros } from '../core/matrix.ts';
import { createRandom, normalMatrix } from '../core/random.ts';

export interface GenerateMixtureOptions {
  readonly samples: number;
  readonly features: number;
  readonly clusters: number;
  /** Standard deviation of the entries of the means. */
  readonly spread?: number | undefined;
  /** σ of the clusters. */
  readonly deviation?: number | undefined;
  readonly seed: number;
}

export const generateMixtureDefaults = Object.freeze({ spread: 2, deviation: 1 } as const);

export interface GeneratedMixture {
  readonly samples: Matrix64;
  /** k×d */
  readonly means: Matrix64;
  /** The cluster of each sample. */
  readonly labels: Int32Array;
}

export function generateMixture(options: GenerateMixtureOptions): GeneratedMixture {
  const { samples: p, features: d, clusters: k, seed } = options;
  const { spread = generateMixtureDefaults.spread, deviation = generateMixtureDefaults.deviation } = options;
  for (const [name, value] of Object.entries({ samples: p, features: d, clusters: k })) {
    if (!(Number.isInteger(value) && value > 0))
      throw inputError('generateMixture', name, 'a whole number from 1', value);
  }
  for (const [name, value] of Object.entries({ spread, deviation })) {
    if (!(value >= 0 && value < Infinity)) throw inputError('generateMixture', name, 'a finite number ≥ 0', value);
  }
  const random = createRandom(seed, 'samples of a mixture');
  const means = normalMatrix(k, d, random);
  for (let at = 0; at < means.data.length; at++) means.data[at] *= spread;
  const labels = Int32Array.from({ length: p }, () => random.integer(k));
  const samples = zeros(p, d);
  for (let l = 0, at = 0; l < p; l++) {
    for (let c = 0; c < d; c++, at++) samples.data[at] = means.data[labels[l] * d + c] + deviation * random.normal();
  }
  return { samples, means, labels };
}
