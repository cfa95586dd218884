/**
 * Data with planted sparse principal components:
 *
 *     y = Σ_i s_i x_i z_i + σ ε,   x_i and ε standard normal,   z_i unit, K entries ±1/√K on disjoint random supports
 *
 * with standard deviations s_i in arithmetic progression from first to last. In its support, a component has standard
 * deviation s_i/√K per feature, to be compared with the noise σ.
 */
import { demand } from '../core/errors.ts';
import { type Matrix64, range, row, zeros } from '../core/matrix.ts';
import { count, defineOptions, type OptionSpec, required, type SettingsOf } from '../core/options.ts';
import { createRandom } from '../core/random.ts';
import type { GenerateSparseComponentsOptions } from './option-types.ts';
import { amount, dataSeed, features, samples } from './options.ts';
import { randomOrder } from './random-order.ts';

type Deviations = readonly [first: number, last: number];

const deviations: OptionSpec<Deviations, Deviations> = {
  is: (value): value is Deviations =>
    Array.isArray(value) && value.length === 2 && value.every((s) => s >= 0 && s < Number.POSITIVE_INFINITY),
  mustBe: 'two finite numbers, 0 or more',
  default: [10, 6],
  help: 'standard deviations of the first and the last component',
  type: 'readonly [first: number, last: number]',
};

/** The options of `generateSparseComponents`. */
export const generateSparseComponentsOptions = defineOptions({
  samples,
  features,
  components: required(count({ placeholder: 'M', help: 'number of components' })),
  nonzeros: required(
    count({ placeholder: 'K', help: 'non-zeros of every component; components × nonzeros is at most features' }),
  ),
  noise: amount('S', 'standard deviation of the normal noise on every number', 1),
  deviations,
  seed: dataSeed,
});

type Settings = SettingsOf<typeof generateSparseComponentsOptions.table>;

/** Samples with the sparse components that they were made of. */
export interface GeneratedSparseComponents {
  /** Samples, p×n. */
  readonly samples: Matrix64;
  /** Loadings as unit rows, m×n. */
  readonly loadings: Matrix64;
  /** Features of every component, ascending. */
  readonly support: readonly (readonly number[])[];
}

/**
 * Samples with planted sparse principal components on disjoint features, and noise.
 *
 * @example
 * ```js
 * import { generateSparseComponents } from 'orthodict';
 *
 * const { loadings, support } = generateSparseComponents({ samples: 100, features: 20, components: 2, nonzeros: 5, seed: 1 });
 * console.log(loadings.rows, support[0].length); // 2 5
 * ```
 */
export function generateSparseComponents(options: GenerateSparseComponentsOptions): GeneratedSparseComponents {
  const settings = settle('generateSparseComponents', options);
  const { loadings, support } = plantComponents(settings);
  const drawn = zeros(settings.samples, settings.features);
  const draw = sampler(settings, loadings, support);
  for (let j = 0; j < drawn.rows; j++) draw(row(drawn, j));
  return { samples: drawn, loadings, support };
}

/** Samples of `generateSparseComponents` as an endless stream, each in a new array; the option `samples` does not apply. */
export function* streamSparseComponents(
  options: Omit<GenerateSparseComponentsOptions, 'samples'>,
): Generator<Float64Array> {
  const settings = settle('streamSparseComponents', { ...options, samples: 1 });
  const { loadings, support } = plantComponents(settings);
  for (const draw = sampler(settings, loadings, support); ; ) {
    const sample = new Float64Array(settings.features);
    draw(sample);
    yield sample;
  }
}

function settle(who: string, options: GenerateSparseComponentsOptions): Settings {
  const settings = generateSparseComponentsOptions.settle(who, options);
  const { components, nonzeros, features: n } = settings;
  const mustBe = `a whole number with components × nonzeros at most the ${n} features`;
  demand(nonzeros * components <= n, who, 'nonzeros', mustBe, nonzeros);
  return settings;
}

function sampler({ components, noise, deviations: ends, seed }: Settings, loadings: Matrix64, support: number[][]) {
  const random = createRandom(seed, 'sparse components samples');
  const [first, last] = ends;
  return (sample: Float64Array) => {
    for (let k = 0; k < sample.length; k++) sample[k] = noise * random.normal();
    for (let i = 0; i < components; i++) {
      const deviation = components === 1 ? first : first + ((last - first) * i) / (components - 1);
      const x = deviation * random.normal();
      for (const k of support[i]) sample[k] += x * loadings.data[i * loadings.cols + k];
    }
  };
}

function plantComponents({ features: n, components, nonzeros, seed }: Settings) {
  const random = createRandom(seed, 'sparse components loadings');
  const order = randomOrder(n, n - 1, random);
  const loadings = zeros(components, n);
  const support = range(components).map((i) => order.slice(i * nonzeros, (i + 1) * nonzeros).sort((a, b) => a - b));
  support.forEach((places, i) => {
    for (const k of places) loadings.data[i * n + k] = (random.uniform() < 0.5 ? -1 : 1) / Math.sqrt(nonzeros);
  });
  return { loadings, support };
}
