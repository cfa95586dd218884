/**
 * The model of Dash & Siripuram, "Fast structured orthogonal dictionary learning using Householder reflections":
 *
 *     y = V x + σ N,   V = H_1 … H_m,   H = I − 2uuᵀ,   x_i = Bernoulli(θ) · Uniform[1, 2]
 *
 * where u has uniform (in [0, 1)) or standard normal entries and is normalised. V is never formed: O(nmp).
 */
import { inputError } from '../core/errors.ts';
import { type Matrix, type Matrix64, type Precision, row, zeros } from '../core/matrix.ts';
import { createRandom, type Random } from '../core/random.ts';
import { reflectForward } from '../linalg/reflectors.ts';

export interface GenerateHouseholderOptions {
  /** Number of samples p. */
  readonly samples: number;
  /** Number of features n. */
  readonly features: number;
  /** Number of reflectors m, at most n. */
  readonly reflectors: number;
  /** Probability θ that a code is non-zero, in (0, 1]. */
  readonly theta: number;
  /** Determines every random number; reflectors, codes and noise are independent streams. */
  readonly seed: number;
  /** Entries of u before normalisation. Normal ones have zero mean, so first moments reveal nothing about them. */
  readonly entries?: 'uniform' | 'normal';
  /** Standard deviation of the normal noise added to every entry of samples. */
  readonly noise?: number;
  /** Precision of `samples`. */
  readonly precision?: Precision;
}

export const generateHouseholderDefaults = Object.freeze({
  entries: 'uniform',
  noise: 0,
  precision: 'f64',
} as const satisfies Partial<GenerateHouseholderOptions>);

export interface GeneratedHouseholderData {
  /** p×n. */
  readonly samples: Matrix;
  /** m×n, unit rows: V = H_1 … H_m. */
  readonly reflectors: Matrix64;
  /** p×n; a sample is V times its codes, before noise. */
  readonly codes: Matrix64;
}

type Settings = Required<GenerateHouseholderOptions>;

export function generateHouseholder(options: GenerateHouseholderOptions): GeneratedHouseholderData {
  const settings: Settings = { ...generateHouseholderDefaults, ...options };
  validate(settings);
  const { samples: p, features: n, seed, noise, precision } = settings;
  const reflectors = randomReflectors(settings, createRandom(seed, 'generate reflectors'));
  const codes = uniformCodes(settings, createRandom(seed, 'generate codes'));
  const random = createRandom(seed, 'generate noise');
  const data = precision === 'f32' ? new Float32Array(p * n) : new Float64Array(p * n);
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
  const reflectors = zeros(m, n);
  for (let k = 0; k < m; k++) {
    const u = row(reflectors, k);
    let energy = 0;
    for (let i = 0; i < n; i++) {
      u[i] = draw();
      energy += u[i] ** 2;
    }
    const norm = Math.sqrt(energy);
    for (let i = 0; i < n; i++) u[i] /= norm;
  }
  return reflectors;
}

function uniformCodes({ samples, features, theta }: Settings, random: Random): Matrix64 {
  const codes = zeros(samples, features);
  for (let at = 0; at < codes.data.length; at++) {
    if (random.uniform() < theta) codes.data[at] = 1 + random.uniform();
  }
  return codes;
}

function validate(settings: Settings): void {
  const { samples, features, reflectors, theta, seed, entries, noise, precision } = settings;
  const demand = (ok: boolean, parameter: string, mustBe: string, got: unknown) => {
    if (!ok) throw inputError('generate', parameter, mustBe, got);
  };
  demand(Number.isSafeInteger(samples) && samples > 0, 'samples', 'a positive whole number', samples);
  demand(Number.isSafeInteger(features) && features > 0, 'features', 'a positive whole number', features);
  demand(
    Number.isSafeInteger(reflectors) && reflectors > 0 && reflectors <= features,
    'reflectors',
    `a whole number from 1 to the number of features, ${features}`,
    reflectors,
  );
  demand(theta > 0 && theta <= 1, 'theta', 'in (0, 1]', theta);
  demand(Number.isSafeInteger(seed), 'seed', 'a whole number', seed);
  demand(entries === 'uniform' || entries === 'normal', 'entries', 'uniform or normal', entries);
  demand(noise >= 0 && noise < Infinity, 'noise', 'a finite number ≥ 0', noise);
  demand(precision === 'f32' || precision === 'f64', 'precision', 'f32 or f64', precision);
}
