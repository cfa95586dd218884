/** Samples from a mixture of spherical Gaussians with random means and weights. */
import { type Matrix64, zeros } from '../core/matrix.ts';
import { count, defineOptions, required } from '../core/options.ts';
import { createRandom, normalMatrix } from '../core/random.ts';
import type { GenerateMixtureOptions } from './option-types.ts';
import { amount, dataSeed, features, samples } from './options.ts';

/** The options of `generateMixture`. */
export const generateMixtureOptions = defineOptions({
  samples,
  features,
  clusters: required(count({ placeholder: 'K', help: 'number of clusters' })),
  spread: amount('S', "standard deviation of the means' entries", 2),
  deviation: amount('S', 'standard deviation of the samples around their mean', 1),
  seed: dataSeed,
});

/** Samples with their clusters. */
export interface GeneratedMixture {
  readonly samples: Matrix64;
  /** k×d */
  readonly means: Matrix64;
  /** The cluster of each sample. */
  readonly labels: Int32Array;
}

/**
 * Samples from a mixture of spherical Gaussians with random means and weights.
 *
 * @example
 * ```js
 * import { generateMixture } from 'orthodict';
 *
 * const { samples, means, labels } = generateMixture({ samples: 100, features: 4, clusters: 3, seed: 1 });
 * console.log(samples.rows, means.rows, labels.length); // 100 3 100
 * ```
 */
export function generateMixture(options: GenerateMixtureOptions): GeneratedMixture {
  const settings = generateMixtureOptions.settle('generateMixture', options);
  const { samples: p, features: d, clusters: k, spread, deviation, seed } = settings;
  const random = createRandom(seed, 'samples of a mixture');
  const means = normalMatrix(k, d, random);
  for (let at = 0; at < means.data.length; at++) means.data[at] *= spread;
  const labels = Int32Array.from({ length: p }, () => random.integer(k));
  const drawn = zeros(p, d);
  for (let l = 0, at = 0; l < p; l++) {
    for (let c = 0; c < d; c++, at++) drawn.data[at] = means.data[labels[l] * d + c] + deviation * random.normal();
  }
  return { samples: drawn, means, labels };
}
