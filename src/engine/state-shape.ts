/**
 * The shape of a solver's state: names, kinds, sizes and ranges of its fields. A state from a checkpoint is checked against
 * the shape, because the file may be damaged or written by hand.
 */
import { type Matrix64, norm, type Precision, row } from '../core/matrix.ts';
import { describeEntry, describeForm, firstNotFinite, isMatrix } from '../core/require-matrix.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { orthogonalityError } from '../linalg/polar.ts';

/** The state of a solver: numbers, flags, vectors and matrices by name, which a checkpoint can hold. Absent ones are undefined. */
export type SolverState = Readonly<Record<string, number | boolean | Float64Array | Matrix64 | undefined>>;

/** The check of one entry of a state. */
export interface Field {
  /** Completes "must be …". */
  readonly mustBe: string;
  /** Describes what is wrong with a value; undefined if nothing is. Earlier entries of the shape are already checked. */
  fault(value: unknown, state: Readonly<Record<string, unknown>>): string | undefined;
}

/** A field for every entry of the state. The shape of a run has only the entries that its states have. */
export type StateShape<S> = { readonly [name in keyof S]: Field };

const field = (mustBe: string, fits: (value: unknown) => boolean): Field => ({
  mustBe,
  fault: (value) => (fits(value) ? undefined : describeValue(value)),
});

/** Any number, also NaN and infinite: an objective before the first step, a change that ends a refinement. */
export const number: Field = field('a number', (value) => typeof value === 'number');

/** True or false. */
export const flag: Field = field('true or false', (value) => typeof value === 'boolean');

/** A finite number, `least` or more. */
export const finite = (least = Number.NEGATIVE_INFINITY): Field =>
  field(least === Number.NEGATIVE_INFINITY ? 'a finite number' : `a finite number from ${least}`, (value) => {
    return Number.isFinite(value) && (value as number) >= least;
  });

/** A whole number, `least` to `most`. */
export const whole = (least = 0, most = Number.MAX_SAFE_INTEGER): Field =>
  field(`a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`, (value) => {
    return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
  });

/** Bounds of numbers. */
export interface Range {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/** A vector of finite numbers. */
export const vector = (length: number, range: Range = {}): Field => ({
  mustBe: `${length} finite numbers${rangeText(range)}`,
  fault(value) {
    if (!(value instanceof Float64Array) || value.length !== length) return describeValue(value);
    const at = value.findIndex((x) => !inRange(x, range));
    return at < 0 ? undefined : `${value[at]} at ${at}`;
  },
});

/** Describes what is wrong with the numbers of a matrix; undefined if nothing is. */
export type MatrixFault = (matrix: Matrix64, state: Readonly<Record<string, unknown>>) => string | undefined;

/** A matrix of finite numbers. `fault` demands more of them; `kind`: the name of such a matrix. */
export const matrix = (
  rows: number | { readonly most: number },
  cols: number,
  kind = '',
  fault?: MatrixFault,
): Field => {
  const size = typeof rows === 'number' ? `${rows}×${cols}` : `a matrix of at most ${rows.most} rows of ${cols}`;
  return {
    mustBe: `${size}, ${kind || 'finite'}`,
    fault(value, state) {
      if (!isMatrix(value) || !(value.data instanceof Float64Array)) return describeValue(value);
      const rightRows = typeof rows === 'number' ? value.rows === rows : value.rows <= rows.most;
      if (!rightRows || value.cols !== cols) return describeValue(value);
      const at = firstNotFinite(value.data);
      return at >= 0 ? describeEntry(value, at) : fault?.(value as Matrix64, state);
    },
  };
};

/** Rounding error allowed in a norm or a sum that should be 1. */
const UNIT_ROUNDING = 1e-6;

/** A matrix whose rows are numbers from 0 that sum to 1. */
export const distributions = (rows: number, cols: number): Field =>
  matrix(rows, cols, 'distributions', (found) => {
    const at = found.data.findIndex((x) => x < 0);
    if (at >= 0) return describeEntry(found, at);
    for (let i = 0; i < rows; i++) {
      const sum = row(found, i).reduce((total, x) => total + x, 0);
      if (!(Math.abs(sum - 1) <= UNIT_ROUNDING)) return `a sum of ${sum} in row ${i}`;
    }
    return undefined;
  });

/** A matrix with rows of norm 1, or with `atMost` of norm 1 or less. */
export const unitRows = (rows: number | { readonly most: number }, cols: number, atMost = false): Field =>
  matrix(rows, cols, `rows of norm ${atMost ? 'at most 1' : '1'}`, (found) => {
    for (let i = 0; i < found.rows; i++) {
      const size = norm(row(found, i));
      if (size > 1 + UNIT_ROUNDING || (!atMost && size < 1 - UNIT_ROUNDING)) return `norm ${size} in row ${i}`;
    }
    return undefined;
  });

/** The largest entry of A Aᵀ − I that rounding explains, by the precision in which A was made orthogonal. */
const ORTHOGONAL = { f32: 1e-3, f64: 1e-8 } as const;

/** A matrix with orthonormal rows. */
export const orthogonal = (rows: number, cols: number, kernels: Kernels, precision: Precision = 'f64'): Field =>
  matrix(rows, cols, 'orthogonal', (found) => {
    const error = orthogonalityError(found, kernels);
    return error <= ORTHOGONAL[precision] ? undefined : `one that is off by ${error.toExponential(1)}`;
  });

/** An entry that does not fit the shape: what it must be, and what it is. */
export interface Misfit {
  readonly name: string;
  readonly mustBe: string;
  readonly got: string;
}

/** The first entry that is missing, unknown or wrong. */
export function misfit<S>(shape: StateShape<S>, state: Readonly<Record<string, unknown>>): Misfit | undefined {
  const fields = Object.entries<Field>(shape);
  for (const [name, { mustBe, fault }] of fields) {
    const got = Object.hasOwn(state, name) ? fault(state[name], state) : 'nothing';
    if (got !== undefined) return { name, mustBe, got };
  }
  const extra = Object.keys(state).find((name) => !Object.hasOwn(shape, name));
  return extra === undefined ? undefined : { name: extra, mustBe: 'absent', got: describeValue(state[extra]) };
}

/** Whether a state can hold a value of this kind. */
export const isStateValue = (value: unknown): value is NonNullable<SolverState[string]> =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  value instanceof Float64Array ||
  (isMatrix(value) && value.data instanceof Float64Array);

function describeValue(value: unknown): string {
  if (value instanceof Float64Array) return `${value.length} numbers`;
  if (isMatrix(value)) return `${value.rows}×${value.cols}`;
  return describeForm(value);
}

function inRange(x: number, { least = -Number.MAX_VALUE, most = Number.MAX_VALUE }: Range): boolean {
  return x >= least && x <= most;
}

function rangeText({ least, most }: Range): string {
  return `${least === undefined ? '' : ` from ${least}`}${most === undefined ? '' : ` to ${most}`}`;
}
