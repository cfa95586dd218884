/** The options of `learnHouseholder`: one interface, one frozen set of defaults, validated once. */
import { InputError, inputError } from '../../core/errors.ts';
import type { Matrix } from '../../core/matrix.ts';

export interface HouseholderOptions {
  /** Number of reflectors M of the dictionary V = H_1 … H_M. */
  readonly reflectors?: number | undefined;
  /** Share θ of codes that are not zero, in (0, 1); with `mean`. Default: the product θμ is estimated. */
  readonly theta?: number | undefined;
  /** Mean μ of the codes that are not zero; with `theta`. */
  readonly mean?: number | undefined;
  /** `auto`: on from the moment estimate by the zeros of the codes; `none`: the moment estimate itself. */
  readonly refine?: 'auto' | 'none' | undefined;
  /** What the reflectors are before the data is looked at: I, random ones, or M×n given ones (rows, of any length but zero). */
  readonly start?: 'identity' | 'random' | Matrix | undefined;
  /** For a random start. */
  readonly seed?: number | undefined;
}

export const householderDefaults = Object.freeze({
  reflectors: 1,
  refine: 'auto',
  start: 'identity',
  seed: 0,
} as const satisfies HouseholderOptions);

export type HouseholderSettings = {
  readonly [K in Exclude<keyof HouseholderOptions, 'theta' | 'mean'>]-?: NonNullable<HouseholderOptions[K]>;
} & Pick<HouseholderOptions, 'theta' | 'mean'>;

const WHO = 'householder';
const KNOWN = ['reflectors', 'theta', 'mean', 'refine', 'start', 'seed'];

export function settleHouseholderOptions(
  options: HouseholderOptions,
  samples: number,
  features: number,
): HouseholderSettings {
  const unknown = Object.keys(options).find((name) => !KNOWN.includes(name));
  if (unknown) throw new InputError(`${WHO}: there is no option "${unknown}"; known: ${KNOWN.join(', ')}.`);
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = { ...householderDefaults, ...given } as HouseholderSettings;
  const { reflectors, theta, mean, refine, start, seed } = settings;
  const demand = (ok: boolean, parameter: string, mustBe: string, got: unknown) => {
    if (!ok) throw inputError(WHO, parameter, mustBe, got);
  };
  demand(samples >= 2, 'samples', 'at least 2, to tell their mean from chance', samples);
  demand(
    Number.isSafeInteger(reflectors) && reflectors >= 1 && reflectors <= features,
    'reflectors',
    `a whole number from 1 to the number of features, ${features}`,
    reflectors,
  );
  demand(theta === undefined || (theta > 0 && theta < 1), 'theta', 'in (0, 1)', theta);
  demand(mean === undefined || (Number.isFinite(mean) && mean !== 0), 'mean', 'a finite number other than 0', mean);
  demand((theta === undefined) === (mean === undefined), 'theta and mean', 'given together', theta ?? mean);
  demand(refine === 'auto' || refine === 'none', 'refine', 'auto or none', refine);
  demand(Number.isSafeInteger(seed), 'seed', 'a whole number', seed);
  if (typeof start === 'string')
    demand(start === 'identity' || start === 'random', 'start', 'identity, random or a matrix', start);
  else requireStart(start, reflectors, features);
  return settings;
}

function requireStart({ rows, cols, data }: Matrix, reflectors: number, features: number): void {
  if (rows !== reflectors || cols !== features || data?.length !== rows * cols) {
    throw inputError(WHO, 'start', `a ${reflectors}×${features} matrix`, `${rows}×${cols}`);
  }
  for (let k = 0; k < rows; k++) {
    let energy = 0;
    for (const value of data.subarray(k * cols, (k + 1) * cols)) energy += value ** 2;
    if (!(energy > 0 && energy < Infinity)) throw inputError(WHO, 'start', 'of finite rows other than 0', `row ${k}`);
  }
}
