/**
 * The model of Dash & Siripuram, "Fast structured orthogonal dictionary learning using Householder reflections":
 *
 *     y = V x + σ N,   V = H_1 … H_m,   H = I − 2uuᵀ,   x_i = Bernoulli(θ) · Uniform[1, 2]
 *
 * where u has uniform (in [0, 1)) or standard normal entries and is normalised. V is never formed: O(nmp).
 */
import { demand } from '../core/errors.ts';
import { type Matrix, type Matrix64, row, unitRows, zeros } from '../core/matrix.ts';
import { choice, count, defineOptions, type SettingsOf } from '../core/options.ts';
import { createRandom, type Random } from '../core/random.ts';
import { reflectForward } from '../linalg/reflectors.ts';
import type { GenerateHouseholderOptions } from './option-types.ts';
import { amount, dataSeed, features, precision, samples, theta } from './options.ts';

/** The options of `generateHouseholder`. */
export const generateHouseholderOptions = defineOptions({
  samples,
  features,
  theta,
  reflectors: count({ placeholder: 'M', default: 1, help: 'number of reflectors, at most the number of features' }),
  // normal ones have zero mean, so first moments reveal nothing about them
  entries: choice(['uniform', 'normal'], {
    placeholder: 'WHICH',
    default: 'uniform',
    help: "distribution of the entries of the reflectors' vectors, before normalisation",
  }),
  noise: amount('S', 'standard deviation of the normal noise on every number', 0),
  precision,
  // reflectors, codes and noise are independent streams
  seed: dataSeed,
});

type Settings = SettingsOf<typeof generateHouseholderOptions.table>;

/** Samples with the reflectors and the codes that they were made of. */
export interface GeneratedHouseholder {
  /** Samples, p×n. */
  readonly samples: Matrix;
  /** Reflectors as unit rows, m×n: V = H_1 … H_m. */
  readonly reflectors: Matrix64;
  /** Codes, p×n; a sample is V times its codes, before noise. */
  readonly codes: Matrix64;
}

/**
 * Samples y = V x of a product V of random Householder reflectors, with sparse positive codes.
 *
 * @example
 * ```js
 * import { generateHouseholder } from 'orthodict';
 *
 * const { samples, reflectors } = generateHouseholder({ samples: 100, features: 10, theta: 0.3, reflectors: 2, seed: 1 });
 * console.log(samples.rows, reflectors.rows, reflectors.cols); // 100 2 10
 * ```
 */
export function generateHouseholder(options: GenerateHouseholderOptions): GeneratedHouseholder {
  const who = 'generateHouseholder';
  const settings = generateHouseholderOptions.settle(who, options);
  const { samples: p, features: n, reflectors: m, seed, noise } = settings;
  demand(m <= n, who, 'reflectors', `a whole number from 1 to the number of features, ${n}`, m);
  const reflectors = randomReflectors(settings, createRandom(seed, 'generate reflectors'));
  const codes = uniformCodes(settings, createRandom(seed, 'generate codes'));
  const random = createRandom(seed, 'generate noise');
  const data = settings.precision === 'f32' ? new Float32Array(p * n) : new Float64Array(p * n);
  for (let j = 0; j < p; j++) {
    const sample = row(codes, j).slice();
    reflectForward(reflectors, sample);
    if (noise > 0) for (let i = 0; i < n; i++) sample[i] += noise * random.normal();
    data.set(sample, j * n);
  }
  return { samples: { rows: p, cols: n, data }, reflectors, codes };
}

function randomReflectors({ reflectors: m, features: n, entries }: Settings, random: Random): Matrix64 {
  const draw = entries === 'uniform' ? random.uniform : random.normal;
  const vectors = zeros(m, n);
  for (let at = 0; at < vectors.data.length; at++) vectors.data[at] = draw();
  return unitRows(vectors);
}

function uniformCodes({ samples: p, features: n, theta: density }: Settings, random: Random): Matrix64 {
  const codes = zeros(p, n);
  for (let at = 0; at < codes.data.length; at++) {
    if (random.uniform() < density) codes.data[at] = 1 + random.uniform();
  }
  return codes;
}
