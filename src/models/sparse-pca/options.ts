/** The options of sparse principal components: one interface, one frozen set of defaults, validated once. */
import { InputError, inputError } from '../../core/errors.ts';

export const SPARSE_PCA_METHODS = ['givens', 'gpower', 'gpower-deflation'] as const;
export type SparsePcaMethod = (typeof SPARSE_PCA_METHODS)[number];

/** What batch and stream share. */
export interface SparsityOptions {
  /** Number of components m, at most the number of features. */
  readonly components: number;
  /**
   * Threshold γ ≥ 0 in the units of the features: one at or above the largest standard deviation leaves nothing. This or
   * `nonzeros`.
   */
  readonly gamma?: number | undefined;
  /** Wanted number of non-zeros of every component, for which a threshold is chosen. This or `gamma`. */
  readonly nonzeros?: number | undefined;
  /** `mean`: subtract the mean sample; `none`: samples as they are. */
  readonly center?: 'mean' | 'none' | undefined;
  readonly seed?: number | undefined;
}

export interface SparsePcaOptions extends SparsityOptions {
  /** `givens`: rotations by the exact best angle; `gpower`: all components at once; `gpower-deflation`: one after the other. */
  readonly method?: SparsePcaMethod | undefined;
  /** Sweeps of `givens`, steps of `gpower`, for one threshold. */
  readonly maxIterations?: number | undefined;
  /** Stop when three iterations together raise the objective by no more than this, relatively. */
  readonly tolerance?: number | undefined;
}

export const sparsePcaDefaults = Object.freeze({
  method: 'givens',
  center: 'mean',
  seed: 0,
  maxIterations: 1000,
  tolerance: 1e-10,
} as const satisfies Partial<SparsePcaOptions>);

export const WHO = 'sparse-pca';

type Settled<O extends SparsityOptions> = Pick<O, 'gamma' | 'nonzeros'> & {
  readonly [K in Exclude<keyof O, 'gamma' | 'nonzeros'>]-?: NonNullable<O[K]>;
};
export type SparsePcaSettings = Settled<SparsePcaOptions>;

const KNOWN: readonly string[] = ['components', 'gamma', 'nonzeros', ...Object.keys(sparsePcaDefaults)];

export function settleSparsePcaOptions(options: SparsePcaOptions): SparsePcaSettings {
  refuseUnknown(options, KNOWN);
  const settings = { ...sparsePcaDefaults, ...given(options) } as SparsePcaSettings;
  const { method, maxIterations, tolerance } = settings;
  requireSparsity(settings);
  demand(SPARSE_PCA_METHODS.includes(method), 'method', `one of ${SPARSE_PCA_METHODS.join(', ')}`, method);
  demand(isCount(maxIterations), 'maxIterations', 'a positive whole number', maxIterations);
  demand(tolerance >= 0 && tolerance < 1, 'tolerance', 'in [0, 1)', tolerance);
  return settings;
}

/** What can be said without the data. */
export function requireSparsity({ components, gamma, nonzeros, center, seed }: SparsityOptions): void {
  demand(isCount(components), 'components', 'a positive whole number', components);
  if ((gamma === undefined) === (nonzeros === undefined)) {
    const got = gamma === undefined ? 'neither' : `gamma ${gamma} and nonzeros ${nonzeros}`;
    throw inputError(WHO, 'gamma or nonzeros', 'given, and not both', got);
  }
  demand(gamma === undefined || (gamma >= 0 && gamma < Infinity), 'gamma', 'a finite number ≥ 0', gamma);
  demand(nonzeros === undefined || isCount(nonzeros), 'nonzeros', 'a positive whole number', nonzeros);
  demand(center === 'mean' || center === 'none', 'center', 'mean or none', center);
  demand(Number.isSafeInteger(seed), 'seed', 'a whole number', seed);
}

/** What the data's shape says. */
export function requireShape({ components, nonzeros }: SparsityOptions, features: number): void {
  demand(components <= features, 'components', `at most the number of features, ${features}`, components);
  demand(nonzeros === undefined || nonzeros <= features, 'nonzeros', `at most ${features}, all features`, nonzeros);
}

export function refuseUnknown(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown) throw new InputError(`${WHO}: there is no option "${unknown}"; known: ${known.join(', ')}.`);
}

export const given = <O extends object>(options: O): O =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as O;

export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;

export function demand(ok: boolean, parameter: string, mustBe: string, got: unknown): void {
  if (!ok) throw inputError(WHO, parameter, mustBe, got);
}
