/**
 * Checks parameters and answers from a queue. Parameters: matrices as large as declared, numbers that decide how
 * long a chunk takes within the bounds of the options that they come from. Answers: what the pass itself makes of a sample.
 */
import { InputError } from '../core/errors.ts';
import { newNumbers, type Precision } from '../core/matrix.ts';
import type { AnyPass } from '../engine/pass.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { MOST_NORM } from '../learn/powers.ts';

const INDEX = 2 ** 31 - 1;
/** Smallest and largest values of these fields, whole numbers that control loops. */
const BOUNDS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  norm: [1, MOST_NORM],
  keep: [0, INDEX],
  countRows: [0, INDEX],
  width: [1, 4096],
  height: [1, 4096],
};

type Fields = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Throws unless the parameters of a pass are within bounds. */
export function requireBounded(pass: string, params: unknown, path = ''): void {
  if (!isObject(params) || ArrayBuffer.isView(params)) return;
  if (!isWhole(params)) throw damaged(`the parameters of ${pass} are`, path || 'form');
  for (const [name, value] of Object.entries(params)) {
    const here = path ? `${path}.${name}` : name;
    const bounds = Object.hasOwn(BOUNDS, name) ? BOUNDS[name] : undefined;
    if (bounds && value !== undefined) requireWithin(`${here} in the parameters of ${pass}`, value, bounds);
    requireBounded(pass, value, here);
  }
}

/** Throws unless numbers are within bounds. `value`: a number, or a list of numbers. */
function requireWithin(what: string, value: unknown, [least, most]: readonly [number, number]): void {
  const all: Iterable<unknown> = Array.isArray(value) || ArrayBuffer.isView(value) ? (value as number[]) : [value];
  for (const x of all) {
    if (Number.isInteger(x) && (x as number) >= least && (x as number) <= most) continue;
    const got = typeof x === 'number' ? x : typeof x;
    throw new InputError(`cluster: ${what} must be a whole number from ${least} to ${most}; got ${got}.`);
  }
}

/** Whether a matrix has rows × cols numbers; true for anything else. */
function isWhole(value: Fields): boolean {
  if (!('rows' in value && 'cols' in value && 'data' in value)) return true;
  const { rows, cols, data } = value as { rows: number; cols: number; data: unknown };
  return ArrayBuffer.isView(data) && rows >= 0 && cols >= 0 && (data as Float64Array).length === rows * cols;
}

/** Returns what a pass contributes for one sample of ones: answers have its form. */
export const contributionLike = (
  pass: AnyPass,
  params: unknown,
  { cols, precision }: { readonly cols: number; readonly precision: Precision },
  kernels: Kernels,
): unknown => {
  const data = newNumbers(precision, cols).fill(1);
  return pass.contribute({ samples: { rows: 1, cols, data }, start: 0, index: 0 }, params, kernels);
};

/** Throws unless an answer has the form of another value. Lengths are free, as are fields that the other value lacks. */
export function requireForm(pass: string, answer: unknown, like: unknown, path = ''): void {
  if (like === undefined) return;
  const refuse = () => damaged(`a worker's answer for ${pass} is`, path || 'form');
  if (ArrayBuffer.isView(like)) {
    if (!ArrayBuffer.isView(answer) || answer.constructor !== like.constructor) throw refuse();
  } else if (Array.isArray(like)) {
    if (!Array.isArray(answer)) throw refuse();
    for (const [k, each] of answer.entries()) requireForm(pass, each, like[0], `${path}[${k}]`);
  } else if (isObject(like)) {
    if (!isObject(answer) || ArrayBuffer.isView(answer) || !isWhole(answer)) throw refuse();
    for (const [name, value] of Object.entries(like)) {
      requireForm(pass, answer[name], value, path ? `${path}.${name}` : name);
    }
  } else if (typeof answer !== typeof like || isObject(answer)) throw refuse();
}

export const damaged = (what: string, where: string): InputError =>
  new InputError(`cluster: ${what} damaged (${where}).`);
