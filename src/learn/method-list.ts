/** The methods of this package in the order of help texts: the default first, those for comparison last. */
import * as table from './methods/index.ts';
import type { AnyMethod } from './methods/method.ts';

/** A method of this package, with its name and options. */
export type PackageMethod = (typeof table)[keyof typeof table];
/** A method of `learn`. */
export type MethodName = PackageMethod['name'];

/** The method used when none is named. */
export const DEFAULT_METHOD = 'msp' satisfies MethodName;

const rank = ({ name, forComparison }: AnyMethod): number => (name === DEFAULT_METHOD ? 0 : forComparison ? 2 : 1);

export const methods: readonly AnyMethod[] = (Object.values(table) as readonly unknown[] as AnyMethod[]).toSorted(
  (a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1),
);

/** The names of the methods of `learn`, those for comparison last. */
export const METHODS = methods.map(({ name }) => name) as readonly MethodName[];
