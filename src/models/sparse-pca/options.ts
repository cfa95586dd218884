/** The options of sparse principal components, of all samples at once and of a stream. */
import { demand } from '../../core/errors.ts';
import { choice, count, defineOptions, number, onlyWith, required, seed, toggle } from '../../core/options.ts';
import { pairsOption } from '../../rotations/pairs-option.ts';
import type { SparsePcaStreamOptions } from './option-types.ts';

export const SPARSE_PCA_METHODS = ['variance', 'givens', 'gpower', 'gpower-deflation'] as const;
/** The methods of `learnSparsePca`. */
export type SparsePcaMethod = (typeof SPARSE_PCA_METHODS)[number];

/** The options that all samples at once and a stream share. */
const shared = {
  components: required(count({ placeholder: 'M', help: 'number of components, at most the number of features' })),
  gamma: number(
    {
      placeholder: 'G',
      mustBe: 'a finite number, 0 or more',
      help: 'threshold, in the units of the features: larger is sparser; give gamma, nonzeros or totalNonzeros',
    },
    (gamma) => gamma >= 0 && gamma < Number.POSITIVE_INFINITY,
  ),
  nonzeros: count({
    placeholder: 'K',
    help: 'number of non-zeros in every component',
  }),
  totalNonzeros: onlyWith(
    { method: ['variance'] },
    count({
      placeholder: 'N',
      help: 'number of non-zeros in all components together, each where it explains most; only with method variance',
    }),
  ),
  method: choice(SPARSE_PCA_METHODS, {
    placeholder: 'NAME',
    default: 'variance',
    help: 'what to maximise, and how. variance: the adjusted variance, replacing one component at a time; givens: F, by rotations with the best angle; gpower: F, by the power method on all components at once; gpower-deflation: F, one component at a time',
  }),
  center: toggle({ default: true, help: 'subtract the mean sample', off: 'do not subtract the mean sample' }),
  seed: seed('seed of the random choices'),
};

/** The options of `learnSparsePca`. */
export const sparsePcaOptions = defineOptions({
  ...shared,
  pairs: onlyWith({ method: ['givens'] }, pairsOption('cyclic', 'order of the planes, with method givens')),
  maxIterations: count({
    placeholder: 'I',
    default: 1000,
    help: 'largest number of sweeps or steps per threshold',
  }),
  tolerance: number(
    {
      placeholder: 'E',
      default: 1e-10,
      mustBe: 'in [0, 1)',
      help: 'stop when three iterations together raise the objective by no more than this fraction',
    },
    (tolerance) => tolerance >= 0 && tolerance < 1,
  ),
});

/** The defaults of `learnSparsePca`. */
export const sparsePcaDefaults = sparsePcaOptions.defaults;

/** The options of `SparsePcaStream`. */
export const sparsePcaStreamOptions = defineOptions({
  ...shared,
  reserve: count(
    { placeholder: 'R', help: 'rows that the sketch keeps in addition to the components; default: 2 M, at least 16' },
    0,
  ),
  rotations: count(
    {
      placeholder: 'L',
      help: 'rotations after every sample, each component with the new sample, further ones random; default: M',
    },
    0,
  ),
});

const LEAST_RESERVE = 16;

export type SparsePcaStreamSettings = ReturnType<typeof settleStreamOptions>;

/** Settles the options of a stream. */
export function settleStreamOptions(who: string, options: SparsePcaStreamOptions) {
  const settings = sparsePcaStreamOptions.settle(who, options);
  requireSparsity(who, settings);
  const { components, rotations = components, reserve = Math.max(2 * components, LEAST_RESERVE) } = settings;
  return { ...settings, reserve, rotations };
}

export interface Sparsity {
  readonly components: number;
  readonly gamma: number | undefined;
  readonly nonzeros: number | undefined;
  readonly totalNonzeros: number | undefined;
}

/** Checks the sparsity options before the data is known. */
export function requireSparsity(who: string, { gamma, nonzeros, totalNonzeros }: Sparsity): void {
  const given = Object.entries({ gamma, nonzeros, totalNonzeros }).filter(([, value]) => value !== undefined);
  const got = given.map(([name, value]) => `${name} ${value}`).join(' and ') || 'none';
  demand(given.length === 1, who, 'one of gamma, nonzeros and totalNonzeros', 'given, and no other', got);
}

/** Checks the options against the shape of the data. */
export function requireShape(who: string, { components, nonzeros, totalNonzeros }: Sparsity, features: number): void {
  demand(components <= features, who, 'components', `at most the number of features, ${features}`, components);
  demand((nonzeros ?? 0) <= features, who, 'nonzeros', `at most ${features}, all features`, nonzeros);
  const [least, most] = [components, components * features];
  const fits = totalNonzeros === undefined || (totalNonzeros >= least && totalNonzeros <= most);
  demand(fits, who, 'totalNonzeros', `from ${least}, one per component, to ${most}, all features`, totalNonzeros);
}
