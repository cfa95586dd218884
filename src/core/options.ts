/**
 * Options as a table. Each entry says what an option must be, its default, its placeholder on the command line and its
 * help text. Types, validation, defaults, flags, `--help` and docs/cli.md are derived from it.
 *
 *     const options = defineOptions({
 *       clusters: required(count({ placeholder: 'K', help: 'number of clusters' })),
 *       refine: choice(['auto', 'none'], { default: 'auto', help: 'maximise the likelihood after the moments' }),
 *     });
 *     const { clusters, refine } = options.settle('learnMixture', given);
 */
import * as v from 'valibot';
import { InputError, inputError } from './errors.ts';
import type { Matrix } from './matrix.ts';
import { isMatrix } from './require-matrix.ts';

/** One option: what it must be, its default, its help text and its flag on the command line. */
export interface OptionSpec<T = unknown, D extends T | undefined = T | undefined> {
  readonly is: (value: unknown) => value is T;
  /** Completes "must be …". */
  readonly mustBe: string;
  /** The largest number, for counts: more would never end, or not fit into memory. */
  readonly most?: number;
  /** The default; undefined if there is none, or if it depends on the data (then `help` describes it). */
  readonly default: D;
  readonly help: string;
  /** How the command line reads the option; absent for options of the library only. */
  readonly flag?: FlagSpec | undefined;
  /** The TypeScript type of the option, if `flag` does not determine it; `docs:options` writes interfaces from it. */
  readonly type?: string;
  readonly required?: boolean;
  /** Values of other options with which this one has an effect, undefined meaning absent: see {@link onlyWith}. */
  readonly only?: Readonly<Record<string, readonly unknown[]>>;
}

/** How the command line reads an option. */
export type FlagSpec =
  /** `off`: help for the flag that turns off what is on by default. */
  | { readonly kind: 'switch'; readonly off?: string | undefined }
  /** `numbers`: several, separated by commas. */
  | { readonly kind: 'text' | 'number' | 'numbers'; readonly placeholder: string }
  | { readonly kind: 'choice'; readonly placeholder: string; readonly choices: readonly string[] }
  | { readonly kind: 'number or word'; readonly placeholder: string; readonly words: readonly string[] }
  /** A word, or a file that holds a matrix: in an archive, the array of this name unless another is named. */
  | {
      readonly kind: 'word or file';
      readonly placeholder: string;
      readonly words: readonly string[];
      readonly array: string;
    };

/** Options by name. */
export type OptionTable = Readonly<Record<string, OptionSpec>>;

type ValueOf<S> = S extends { is: (value: unknown) => value is infer T } ? T : never;
type RequiredNames<T> = { [K in keyof T]: T[K] extends { required: true } ? K : never }[keyof T];
type DefaultedNames<T> = { [K in keyof T]: T[K] extends { default: undefined } ? never : K }[keyof T];

/** The options a caller may pass. */
export type OptionsOf<T> = { readonly [K in RequiredNames<T>]: ValueOf<T[K]> } & {
  readonly [K in Exclude<keyof T, RequiredNames<T>>]?: ValueOf<T[K]> | undefined;
};

/** The options with defaults filled in. */
export type SettingsOf<T> = { readonly [K in RequiredNames<T> | DefaultedNames<T>]: ValueOf<T[K]> } & {
  readonly [K in Exclude<keyof T, RequiredNames<T> | DefaultedNames<T>>]: ValueOf<T[K]> | undefined;
};

/** The defaults of a table, without the options that have none. */
export type DefaultsOf<T> = { readonly [K in DefaultedNames<T>]: ValueOf<T[K]> };

/** A table of options with its defaults and its check. */
export interface Options<T extends OptionTable> {
  readonly table: T;
  /** The defaults, frozen; options without a default are left out. */
  readonly defaults: DefaultsOf<T>;
  /** Checks every option and fills in the defaults; `who`: the function that the user called. */
  settle(who: string, options: OptionsOf<T>): SettingsOf<T>;
}

/** Makes options of a table: their defaults, and the check that fills them in. */
export function defineOptions<T extends OptionTable>(table: T): Options<T> {
  const defaults = Object.fromEntries(
    Object.entries(table).flatMap(([name, spec]) => (spec.default === undefined ? [] : [[name, spec.default]])),
  );
  return {
    table,
    defaults: Object.freeze(defaults) as DefaultsOf<T>,
    settle: (who, options) => settle(who, table, defaults, options) as SettingsOf<T>,
  };
}

/** `given` over `defaults`, each value checked against the table. */
export function settle(who: string, table: OptionTable, defaults: object, given: object): Record<string, unknown> {
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    throw inputError(who, 'options', 'an object', given);
  }
  const unknown = Object.keys(withoutUndefined(given)).find((name) => !Object.hasOwn(table, name));
  if (unknown !== undefined) {
    throw new InputError(`${who}: there is no option "${unknown}"; known: ${Object.keys(table).join(', ')}.`, who);
  }
  const settings: Record<string, unknown> = { ...defaults, ...withoutUndefined(given) };
  for (const [name, { is, mustBe, most, required }] of Object.entries(table)) {
    const value = settings[name];
    if (value === undefined && !required) continue;
    const isTooMany = most !== undefined && Number.isInteger(value) && (value as number) > most;
    if (!is(value) || isTooMany) throw inputError(who, name, isTooMany ? `at most ${most}` : mustBe, value);
  }
  for (const name of Object.keys(withoutUndefined(given))) requireEffect(who, name, table[name], settings);
  return settings;
}

/** Refuses an option that has no effect here. */
function requireEffect(who: string, name: string, { only = {} }: OptionSpec, settings: Record<string, unknown>): void {
  for (const [other, values] of Object.entries(only)) {
    if (values.includes(settings[other])) continue;
    const absent = values.every((value) => value === undefined);
    const when = absent ? `without ${other}` : `with ${other} ${values.join(' or ')} only`;
    throw inputError(who, name, `given ${when}`, absent ? 'both' : `${name} with ${other} ${settings[other]}`);
  }
}

/** Drops properties that are undefined: they count as not given. */
export const withoutUndefined = <O extends object>(options: O): O =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as O;

interface Words<T> {
  readonly help: string;
  readonly default?: T;
}

interface NumberWords extends Words<number> {
  readonly placeholder: string;
  readonly mustBe?: string;
}

/** The type of the declared default, or undefined. */
type DefaultIn<W> = W extends { readonly default: infer D } ? D : undefined;

const accepts =
  <T>(schema: v.GenericSchema<T>) =>
  (value: unknown): value is T =>
    v.is(schema, value);

function option<T, W extends Words<T>>(
  words: W,
  mustBe: string,
  schema: v.GenericSchema<T>,
  flag?: FlagSpec,
): OptionSpec<T, DefaultIn<W>> {
  return { is: accepts(schema), mustBe, help: words.help, default: words.default as DefaultIn<W>, flag };
}

/** A number for which `fits` returns true. */
export function number<const W extends NumberWords & { readonly mustBe: string }>(
  words: W,
  fits: (x: number) => boolean,
): OptionSpec<number, DefaultIn<W>> {
  const { mustBe, placeholder } = words;
  return option(words, mustBe, v.pipe(v.number(), v.check(fits)), { kind: 'number', placeholder });
}

/** Largest index of 32 bits. */
const MOST = 2 ** 31 - 1;

/** A whole number, `least` to `most`. */
export const count = <const W extends NumberWords>(
  words: W,
  least = 1,
  most = MOST,
): OptionSpec<number, DefaultIn<W>> => ({
  ...number({ mustBe: `a whole number from ${least}`, ...words }, (x) => Number.isSafeInteger(x) && x >= least),
  most,
});

/** Several whole numbers from 1. */
export const counts = (words: Omit<NumberWords, 'default'>): OptionSpec<readonly number[], undefined> =>
  option(
    { help: words.help },
    'whole numbers from 1',
    v.pipe(v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(1))), v.minLength(1)),
    { kind: 'numbers', placeholder: words.placeholder },
  );

/** A whole number from 1, or several. */
export const countOrCounts = (
  words: Omit<NumberWords, 'default'>,
): OptionSpec<number | readonly number[], undefined> => {
  const one = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(MOST));
  const schema = v.union([one, v.pipe(v.array(one), v.minLength(1))]);
  const flag = { kind: 'numbers', placeholder: words.placeholder } as const;
  return option({ help: words.help }, 'a whole number from 1, or several', schema, flag);
};

/** A number of random starts, each a whole computation. */
export const startCount = <const W extends NumberWords>(words: W) => count(words, 1, 10_000);

/** A number above 0; infinity is allowed. */
export const positive = <const W extends NumberWords>(words: W): OptionSpec<number, DefaultIn<W>> =>
  number({ mustBe: 'a number above 0', ...words }, (x) => x > 0);

/** A finite number above 0. */
export const positiveFinite = <const W extends NumberWords>(words: W): OptionSpec<number, DefaultIn<W>> =>
  number({ mustBe: 'a number above 0', ...words }, (x) => x > 0 && x < Number.POSITIVE_INFINITY);

/** A number, 0 or more. */
export const notNegative = <const W extends NumberWords>(words: W): OptionSpec<number, DefaultIn<W>> =>
  number({ mustBe: 'a number, 0 or more', ...words }, (x) => x >= 0);

/** A whole number of either sign. */
export const wholeNumber = <const W extends NumberWords>(words: W): OptionSpec<number, DefaultIn<W>> =>
  number({ mustBe: 'a whole number', ...words }, Number.isSafeInteger);

/** The `seed` option of every function; default: 0. */
export const seed = (help = 'seed of the random start') => wholeNumber({ placeholder: 'K', default: 0, help });

/** One of a few words. */
export function choice<const C extends string, const W extends Words<C> & { readonly placeholder?: string }>(
  choices: readonly C[],
  words: W,
): OptionSpec<C, DefaultIn<W>> {
  const listed = choices.join(', ');
  const mustBe = choices.length > 3 ? `one of ${listed}` : listed.replace(/, ([^,]*)$/, ' or $1');
  const placeholder = words.placeholder ?? 'WHEN';
  return option<C, W>(words, mustBe, v.picklist(choices), { kind: 'choice', placeholder, choices });
}

/** A finite number, or one of a few words. */
export const numberOrWord = <
  const C extends string,
  const W extends Words<C | number> & { readonly placeholder: string },
>(
  words: readonly C[],
  spec: W,
): OptionSpec<C | number, DefaultIn<W>> => fittingOrWord(words, spec, 'a number', Number.isFinite);

/** A number, 0 or more, or one of a few words. */
export const notNegativeOrWord = <
  const C extends string,
  const W extends Words<C | number> & { readonly placeholder: string },
>(
  words: readonly C[],
  spec: W,
): OptionSpec<C | number, DefaultIn<W>> => fittingOrWord(words, spec, 'a number, 0 or more', (x) => x >= 0);

function fittingOrWord<C extends string, W extends Words<C | number> & { readonly placeholder: string }>(
  words: readonly C[],
  spec: W,
  mustBe: string,
  fits: (x: number) => boolean,
): OptionSpec<C | number, DefaultIn<W>> {
  const schema = v.union([v.picklist(words), v.pipe(v.number(), v.check(fits))]);
  const flag = { kind: 'number or word', placeholder: spec.placeholder, words } as const;
  return option<C | number, W>(spec, `${words.join(', ')} or ${mustBe}`, schema, flag);
}

/** A switch, off unless `default: true`. */
export function toggle(words: Words<boolean> & { readonly off?: string }): OptionSpec<boolean, boolean> {
  return option({ default: false, ...words }, 'true or false', v.boolean(), { kind: 'switch', off: words.off });
}

/** A text that matches the pattern. */
export function text(
  pattern: RegExp,
  words: { readonly help: string; readonly mustBe: string; readonly placeholder: string },
): OptionSpec<string, undefined> {
  const { help, mustBe, placeholder } = words;
  return option({ help }, mustBe, v.pipe(v.string(), v.regex(pattern)), { kind: 'text', placeholder });
}

/** A matrix, or one of a few words; on the command line a file that holds the matrix. */
export function matrixOrWord<
  const C extends string,
  const W extends Words<C> & { readonly placeholder: string; readonly array: string },
>(words: readonly C[], spec: W): OptionSpec<C | Matrix, DefaultIn<W>> {
  const { placeholder, array } = spec;
  const schema = v.union([v.picklist(words), v.custom<Matrix>(isMatrix)]);
  const flag = { kind: 'word or file', placeholder, words, array } as const;
  return option<C | Matrix, Words<C | Matrix>>(spec, `${words.join(', ')} or a matrix`, schema, flag) as OptionSpec<
    C | Matrix,
    DefaultIn<W>
  >;
}

/** A matrix; an option of the library only. */
export const matrix = (help: string): OptionSpec<Matrix, undefined> => ({
  ...option({ help }, 'a matrix', v.custom<Matrix>(isMatrix)),
  type: 'Matrix',
});

/**
 * Limits an option: it has an effect only if each of the named options has one of the values, as in `{ refine: ['auto'] }`
 * or `{ start: [undefined] }`. Giving it where it has no effect is an error.
 */
export const onlyWith = <S extends OptionSpec>(only: NonNullable<OptionSpec['only']>, spec: S): S => ({
  ...spec,
  only,
});

/** Makes an option mandatory. */
export const required = <S extends OptionSpec>(spec: S): S & { readonly required: true } => ({
  ...spec,
  required: true,
});
