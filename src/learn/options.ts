/**
 * The options of `learn`: the common ones, and those of the method that `method` selects. Types and checks come from
 * the tables in common-options.ts and methods/.
 */
import { inputError } from '../core/errors.ts';
import { requireOwnOptions } from '../core/option-owners.ts';
import { type OptionsOf, type OptionTable, settle, withoutUndefined } from '../core/options.ts';
import { type CommonName, commonOptions } from './common-options.ts';
import * as table from './methods/index.ts';
import type { AnyMethod, LearnSettings } from './methods/method.ts';
import type { CommonOptions, MethodName, OptionsByMethod } from './option-types.ts';

/** The method used when none is named. */
export const DEFAULT_METHOD = 'msp' satisfies MethodName;

const rank = ({ name, forComparison }: AnyMethod): number => (name === DEFAULT_METHOD ? 0 : forComparison ? 2 : 1);

/** Methods of this package in the order of help texts: the default first, those for comparison last. */
export const methods = Object.values<AnyMethod<MethodName>>(table).toSorted(
  (a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1),
);

/** Names of the methods of `learn`, those for comparison last. */
export const METHODS: readonly MethodName[] = methods.map(({ name }) => name);

/** Options accepted with a method: a name, or a method of your own, made with `defineMethod`. */
export type OptionsWith<M> = { readonly method?: M | undefined } & (M extends MethodName
  ? OptionsByMethod[M]
  : M extends { readonly options: infer T }
    ? CommonOptions & OptionsOf<T>
    : never);

/** Options of `learn` with defaults filled in, and the method they belong to. */
export interface Settled {
  readonly method: AnyMethod;
  readonly settings: LearnSettings;
}

/** Defaults of the common options, and the default method. */
export const learnDefaults = Object.freeze({ method: DEFAULT_METHOD, ...commonOptions.defaults });

/** Checks options of `learn` and fills in defaults. */
export function settleOptions(options: object = {}): Settled {
  if (options === null || typeof options !== 'object') throw inputError('learn', 'options', 'an object', options);
  const { method: wanted, ...given } = options as { readonly method?: unknown };
  const method = findMethod(wanted ?? DEFAULT_METHOD);
  const pinned = pinnedOf(method);
  const table = tableOf(method);
  const tables = Object.fromEntries(methods.map((other) => [other.name, tableOf(other)]));
  const choices = { word: 'method', chosen: method.name, tables };
  requireOwnOptions('learn', table, Object.keys(withoutUndefined(given)), choices);
  const defaults = {
    ...commonOptions.defaults,
    ...Object.fromEntries(Object.entries(method.options).map(([name, spec]) => [name, spec.default])),
    ...method.defaults,
    ...Object.fromEntries(Object.entries(pinned).map(([name, [value]]) => [name, value])),
  };
  // stages need all common settings, a method that does the whole job only its own
  const taken = Object.entries(withoutUndefined(defaults)).filter(([name]) => !method.learn || name in table);
  const settings = settle('learn', table, Object.fromEntries(taken), given);
  for (const [name, [value, reason]] of Object.entries(pinned)) {
    const words = `${value === undefined ? 'left out' : value} with method ${method.name}${reason && `, ${reason}`}`;
    if (settings[name] !== value) throw inputError('learn', name, words, describe(settings[name]));
  }
  const settled = { method: method.name, ...settings } as LearnSettings;
  method.check?.(settled);
  return { method, settings: settled };
}

/** Whitening and the refinement need atoms that are orthogonal in working coordinates. */
const NOT_ORTHOGONAL = { whiten: ['none', ''], refine: ['none', ''] } as const;
/** Whether whitening and refinement apply; a method that does the whole job itself decides for itself. */
const isOrthogonal = ({ space, solver }: AnyMethod): boolean => space === 'orthogonal' || !solver;

/** Returns the common options that can have one value only. */
export const pinnedOf = (method: AnyMethod): NonNullable<AnyMethod['fixed']> => ({
  ...(isOrthogonal(method) ? {} : NOT_ORTHOGONAL),
  ...(method.scouting || method.learn ? {} : { scout: ['none', 'which does not scout'] as const }),
  ...method.fixed,
});

/** Returns all options that a method takes. */
export function tableOf(method: AnyMethod): OptionTable {
  const common = Object.entries(commonOptions.table).filter(
    ([name]) => !method.takes || method.takes.includes(name as CommonName),
  );
  return { ...method.options, ...Object.fromEntries(common) };
}

function findMethod(wanted: unknown): AnyMethod {
  if (isMethod(wanted)) return wanted;
  const found = methods.find(({ name }) => name === wanted);
  if (!found) throw inputError('learn', 'method', `one of ${METHODS.join(', ')}`, wanted);
  return found;
}

function isMethod(value: unknown): value is AnyMethod {
  const { name, options, solver, learn, search } = (value ?? {}) as Partial<AnyMethod>;
  return typeof name === 'string' && typeof options === 'object' && (solver ?? learn ?? search) !== undefined;
}

function describe(value: unknown): unknown {
  const { rows, cols } = (value ?? {}) as { rows?: number; cols?: number };
  return rows === undefined ? value : `${rows}×${cols}`;
}

/** Formats options for a checkpoint or a model: without a given start, which the state already contains. */
export function describeOptions({ start, ...settings }: LearnSettings): Record<string, unknown> {
  const words = typeof start === 'string' ? start : start ? 'given' : 'random';
  const entries = Object.entries({ ...settings, start: words });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== Number.POSITIVE_INFINITY));
}
