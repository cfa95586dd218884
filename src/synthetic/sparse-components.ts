/**
 * Data with planted sparse principal components:
 *
 *     y = Σ_i s_i x_i z_i + σ ε,   x_i and ε standard normal,   z_i unit, K entries ±1/√K on disjoint random supports
 *
 * with standard deviations s_i in arithmetic progression from first to last. In its support, a component has standard
 * deviation s_i/√K per feature, to be compared with the noise σ.
 */
import { inputError } from '../core/errors.ts';
import { type Matrix64, row, zeros } from '../core/matrix.ts';
import { createRandom, type Random } from '../core/random.ts';

export interface SparseComponentsOptions {
  readonly samples: number;
  readonly features: number;
  readonly components: number;
  /** Per component; components × nonzeros is at most the number of features. */
  readonly nonzeros: number;
  readonly seed: number;
  /** Standard deviation σ of the noise on every number. */
  readonly noise?: number;
  /** Standard deviations of the first and the last component. */
  readonly deviations?: readonly [first: number, last: number];
}

export const sparseComponentsDefaults = Object.freeze({
  noise: 1,
  deviations: [10, 6],
} as const satisfies Partial<SparseComponentsOptions>);

export interface SparseComponentsData {
  /** p×n. */
  readonly samples: Matrix64;
  /** m×n, unit rows. */
  readonly loadings: Matrix64;
  /** Features of every component, ascending. */
  readonly support: readonly (readonly number[])[];
}

type Settings = Required<SparseComponentsOptions>;

export function generateSparseComponents(options: SparseComponentsOptions): SparseComponentsData {
  const settings: Settings = { ...sparseComponentsDefaults, ...options };
  const { loadings, support } = plantComponents(settings);
  const samples = zeros(settings.samples, settings.features);
  const draw = sampler(settings, loadings, support);
  for (let j = 0; j < samples.rows; j++) draw(row(samples, j));
  return { samples, loadings, support };
}

/** The same samples as an endless stream, each in a new array; `samples` does not apply. */
export function* streamSparseComponents(options: Omit<SparseComponentsOptions, 'samples'>): Generator<Float64Array> {
  const settings: Settings = { ...sparseComponentsDefaults, ...options, samples: 1 };
  const { loadings, support } = plantComponents(settings);
  for (const draw = sampler(settings, loadings, support); ; ) {
    const sample = new Float64Array(settings.features);
    draw(sample);
    yield sample;
  }
}

function sampler({ components, noise, deviations, seed }: Settings, loadings: Matrix64, support: number[][]) {
  const random = createRandom(seed, 'sparse components samples');
  const [first, last] = deviations;
  return (sample: Float64Array) => {
    for (let k = 0; k < sample.length; k++) sample[k] = noise * random.normal();
    for (let i = 0; i < components; i++) {
      const deviation = components === 1 ? first : first + ((last - first) * i) / (components - 1);
      const x = deviation * random.normal();
      for (const k of support[i]) sample[k] += x * loadings.data[i * loadings.cols + k];
    }
  };
}

function plantComponents(settings: Settings): { loadings: Matrix64; support: number[][] } {
  validate(settings);
  const { features, components, nonzeros, seed } = settings;
  const random = createRandom(seed, 'sparse components loadings');
  const order = shuffled(features, random);
  const loadings = zeros(components, features);
  const support = Array.from({ length: components }, (_, i) =>
    order.slice(i * nonzeros, (i + 1) * nonzeros).sort((a, b) => a - b),
  );
  support.forEach((places, i) => {
    for (const k of places) loadings.data[i * features + k] = (random.uniform() < 0.5 ? -1 : 1) / Math.sqrt(nonzeros);
  });
  return { loadings, support };
}

function shuffled(count: number, random: Random): number[] {
  const order = Array.from({ length: count }, (_, k) => k);
  for (let i = 0; i < count - 1; i++) {
    const other = i + random.integer(count - i);
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
}

function validate({ samples, features, components, nonzeros, noise, deviations, seed }: Settings): void {
  const demand = (ok: boolean, parameter: string, mustBe: string, got: unknown) => {
    if (!ok) throw inputError('generateSparseComponents', parameter, mustBe, got);
  };
  const isCount = (value: number) => Number.isSafeInteger(value) && value > 0;
  demand(isCount(samples), 'samples', 'a positive whole number', samples);
  demand(isCount(features), 'features', 'a positive whole number', features);
  demand(isCount(components), 'components', 'a positive whole number', components);
  demand(
    isCount(nonzeros) && nonzeros * components <= features,
    'nonzeros',
    `a positive whole number with components × nonzeros at most the ${features} features`,
    nonzeros,
  );
  demand(noise >= 0 && noise < Infinity, 'noise', 'a finite number ≥ 0', noise);
  demand(
    deviations.length === 2 && deviations.every((s) => s >= 0 && s < Infinity),
    'deviations',
    'two finite numbers ≥ 0',
    deviations,
  );
  demand(Number.isSafeInteger(seed), 'seed', 'a whole number', seed);
}
