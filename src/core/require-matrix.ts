/** Checks matrices from callers: their form, and that every number is finite. */
import { inputError } from './errors.ts';
import { isFloatArray, type Matrix } from './matrix.ts';

/** Whether a value has rows, columns, and a typed array of rows × cols numbers. */
export function isMatrix(value: unknown): value is Matrix {
  const { rows, cols, data } = (value ?? {}) as Partial<Matrix>;
  return isFloatArray(data) && Number.isInteger(rows) && Number.isInteger(cols) && data.length === rows! * cols!;
}

/** Checks that a value is a matrix with at least one row and one column; its numbers are not checked. */
export function requireMatrix(who: string, name: string, value: unknown): Matrix {
  if (Array.isArray(value)) {
    throw inputError(
      who,
      name,
      'a matrix {rows, cols, data}',
      'an array; fromRows turns an array of rows into a matrix',
    );
  }
  if (value === null || typeof value !== 'object' || !('data' in value)) {
    throw inputError(who, name, 'a matrix {rows, cols, data}', describeForm(value));
  }
  const { rows, cols, data } = value as Partial<Matrix>;
  if (!(Number.isInteger(rows) && Number.isInteger(cols) && rows! > 0 && cols! > 0)) {
    throw inputError(who, name, 'at least one row and one column', `${rows}×${cols}`);
  }
  if (!isFloatArray(data)) {
    throw inputError(who, `${name}.data`, 'a Float32Array or Float64Array', Object.prototype.toString.call(data));
  }
  if (data.length !== rows! * cols!) {
    throw inputError(who, `${name}.data`, `of length ${rows! * cols!} (${rows}×${cols})`, data.length);
  }
  return value as Matrix;
}

/** Checks that a value is a matrix, possibly without rows or columns; its numbers are not checked. */
export function requireMatrixForm(who: string, name: string, value: unknown): void {
  if (!isMatrix(value)) throw inputError(who, name, 'a matrix {rows, cols, data}', formOf(value));
}

/** Checks that a value is an object, neither null nor an array, with these fields; `mustBe` names it in the message. */
export function requireObject(
  who: string,
  name: string,
  value: unknown,
  mustBe: string,
  fields: readonly string[] = [],
) {
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
  if (!isObject || fields.some((field) => (value as Record<string, unknown>)[field] === undefined)) {
    throw inputError(who, name, mustBe, formOf(value));
  }
}

/** Checks that a value is a text that can name a file. */
export function requireFileName(who: string, value: unknown): void {
  if (typeof value !== 'string') throw inputError(who, 'path', 'the name of a file', describeForm(value));
}

/** Checks that a value is a list of numbers, as an array or a typed array. */
export function requireNumbers(who: string, name: string, value: unknown): void {
  const isList = Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
  if (!isList) throw inputError(who, name, 'an array of numbers', formOf(value));
}

const formOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'an array; fromRows turns an array of rows into a matrix';
  if (isFloatArray(value)) return `${value.length} numbers without rows and columns`;
  const { rows, cols, data } = (value ?? {}) as Partial<Matrix>;
  return isFloatArray(data) ? `${rows}×${cols} and ${data.length} numbers` : describeForm(value);
};

/** Checks that a value is a matrix of finite numbers. */
export function requireFiniteMatrix(who: string, name: string, value: unknown): Matrix {
  const matrix = requireMatrix(who, name, value);
  const at = firstNotFinite(matrix.data);
  if (at >= 0) throw inputError(who, name, 'finite', describeEntry(matrix, at));
  return matrix;
}

/** Index of the first number that is NaN or infinite; −1 if there is none. */
export function firstNotFinite(data: ArrayLike<number>): number {
  for (let at = 0; at < data.length; at++) if (!Number.isFinite(data[at])) return at;
  return -1;
}

/** A value with its place: `NaN at row 17, column 3`; `firstRow` is the number of the matrix's first row in the whole data. */
export const describeEntry = ({ cols, data }: Pick<Matrix, 'cols' | 'data'>, at: number, firstRow = 0): string =>
  `${data[at]} at row ${firstRow + Math.floor(at / cols)}, column ${at % cols}`;

/** Describes a value of the wrong form without its contents: `an object with rows, cols`. */
export const describeForm = (value: unknown): string =>
  value === null || typeof value !== 'object'
    ? String(value)
    : `an object with ${Object.keys(value).join(', ') || 'nothing'}`;
