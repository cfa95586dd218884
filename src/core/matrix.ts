/** Dense row-major matrices: a shape and one typed array. Plain objects, which can be sent between threads. */
import { inputError } from './errors.ts';

/** The numbers of a matrix: float32 or float64. */
export type FloatArray = Float32Array | Float64Array;

export const isFloatArray = (data: unknown): data is FloatArray =>
  data instanceof Float32Array || data instanceof Float64Array;

/** Entry (i, j) is `data[i * cols + j]`. */
export interface Matrix<D extends FloatArray = FloatArray> {
  readonly rows: number;
  readonly cols: number;
  readonly data: D;
}

/** A matrix of float64 numbers. */
export type Matrix64 = Matrix<Float64Array>;

/** Float32 or float64 arithmetic. */
export type Precision = 'f32' | 'f64';

/** A matrix of zeros. */
export function zeros(rows: number, cols: number): Matrix64 {
  return { rows, cols, data: new Float64Array(rows * cols) };
}

/** The n×n identity. */
export function identity(n: number): Matrix64 {
  const eye = zeros(n, n);
  for (let i = 0; i < n; i++) eye.data[i * n + i] = 1;
  return eye;
}

/**
 * A float64 matrix from an array of equally long rows.
 *
 * @example
 * ```js
 * import { fromRows } from 'orthodict';
 *
 * const { rows, cols, data } = fromRows([[1, 2, 3], [4, 5, 6]]);
 * console.log(rows, cols, data[4]); // 2 3 5
 * ```
 */
export function fromRows(rows: ReadonlyArray<ArrayLike<number>>): Matrix64 {
  const isRow = (row: unknown) => Array.isArray(row) || (ArrayBuffer.isView(row) && !(row instanceof DataView));
  const wrong = Array.isArray(rows) ? rows.findIndex((row) => !isRow(row)) : -1;
  if (!Array.isArray(rows)) throw inputError('fromRows', 'rows', 'an array of rows of numbers', typeof rows);
  if (wrong >= 0)
    throw inputError('fromRows', 'rows', 'rows of numbers', `${String(rows[wrong])} in place of row ${wrong}`);
  const cols = rows[0]?.length ?? 0;
  const matrix = zeros(rows.length, cols);
  rows.forEach((row, i) => {
    if (row.length !== cols) {
      throw inputError('fromRows', 'rows', `of equal lengths, ${cols} as row 0`, `${row.length} in row ${i}`);
    }
    matrix.data.set(row, i * cols);
  });
  return matrix;
}

/** The first `cols` rows in float64: a square matrix for examples. Needs at least as many rows as columns. */
export const firstRows = (matrix: Matrix): Matrix64 => toFloat64(rowRange(matrix, 0, matrix.cols));

/** Row i as a view, not a copy. */
export function row<D extends FloatArray>(matrix: Matrix<D>, i: number): D {
  return matrix.data.subarray(i * matrix.cols, (i + 1) * matrix.cols) as D;
}

/** Rows [start, end) as a view, not a copy. */
export function rowRange<D extends FloatArray>({ cols, data }: Matrix<D>, start: number, end: number): Matrix<D> {
  return { rows: end - start, cols, data: data.subarray(start * cols, end * cols) as D };
}

/** A copy as float64. */
export function toFloat64(matrix: Matrix): Matrix64 {
  return { rows: matrix.rows, cols: matrix.cols, data: new Float64Array(matrix.data) };
}

/** The matrix itself if it is float64 already, otherwise a copy. */
export const asFloat64 = (matrix: Matrix): Matrix64 =>
  matrix.data instanceof Float64Array ? (matrix as Matrix64) : toFloat64(matrix);

/** A copy as float32. */
export function toFloat32(matrix: Matrix): Matrix<Float32Array> {
  return { rows: matrix.rows, cols: matrix.cols, data: new Float32Array(matrix.data) };
}

/** A copy with numbers of the same kind. */
export function copy<D extends FloatArray>(matrix: Matrix<D>): Matrix<D> {
  return { rows: matrix.rows, cols: matrix.cols, data: matrix.data.slice() as D };
}

/** Aᵀ as a new matrix. */
export function transpose(matrix: Matrix): Matrix64 {
  const { rows, cols, data } = matrix;
  const out = zeros(cols, rows);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) out.data[j * rows + i] = data[i * cols + j];
  }
  return out;
}

/** `a + factor · b`, a new matrix. */
export function addScaled(a: Matrix64, factor: number, b: Matrix64): Matrix64 {
  const out = copy(a);
  for (let i = 0; i < out.data.length; i++) out.data[i] += factor * b.data[i];
  return out;
}

/** Every row `i` multiplied by `factors[i]`, a new matrix. */
export function scaleRows(matrix: Matrix, factors: ArrayLike<number>): Matrix64 {
  const out = toFloat64(matrix);
  for (let i = 0; i < out.rows; i++) {
    for (let j = 0; j < out.cols; j++) out.data[i * out.cols + j] *= factors[i];
  }
  return out;
}

/** The rows named by `order`, in that order, a new matrix. */
export function selectRows(matrix: Matrix, order: ArrayLike<number>): Matrix64 {
  const out = zeros(order.length, matrix.cols);
  for (let i = 0; i < order.length; i++) out.data.set(row(matrix, order[i]), i * matrix.cols);
  return out;
}

/** Rows of `a` above rows of `b`, a new matrix. */
export function stackRows<D extends FloatArray>(a: Matrix<D>, b: Matrix<D>): Matrix<D> {
  const data = new (a.data.constructor as new (length: number) => D)(a.data.length + b.data.length);
  data.set(a.data);
  data.set(b.data, a.data.length);
  return { rows: a.rows + b.rows, cols: a.cols, data };
}

/** Every row divided by its norm, a new matrix; zero rows stay zero. */
export function unitRows(matrix: Matrix): Matrix64 {
  return scaleRows(
    matrix,
    Array.from({ length: matrix.rows }, (_, i) => 1 / (norm(row(matrix, i)) || 1)),
  );
}

/** 0, 1, …, count − 1. */
export const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** Sum of the diagonal. */
export function trace({ rows, cols, data }: Matrix): number {
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += data[i * cols + i];
  return sum;
}

/** tr(Aᵀ B), the sum of the products of corresponding entries. */
export function inner(A: Matrix, B: Matrix): number {
  let sum = 0;
  for (let i = 0; i < A.data.length; i++) sum += A.data[i] * B.data[i];
  return sum;
}

export function precisionOf({ data }: Pick<Matrix, 'data'>): Precision {
  return data instanceof Float32Array ? 'f32' : 'f64';
}

export const bytesPerNumber = (precision: Precision): number => (precision === 'f32' ? 4 : 8);

/** That many zeros. */
export const newNumbers = (precision: Precision, length: number): FloatArray =>
  precision === 'f32' ? new Float32Array(length) : new Float64Array(length);

/** The numbers in a buffer, all of them or those from byte `at` on; not a copy. */
export const numbersIn = (buffer: ArrayBufferLike, precision: Precision, at?: number, length?: number): FloatArray =>
  precision === 'f32' ? new Float32Array(buffer, at, length) : new Float64Array(buffer, at, length);

/** ‖v‖ to the last digit or two, for numbers of any size and vectors of any length. */
export function norm(v: FloatArray): number {
  let largest = 0;
  for (let i = 0; i < v.length; i++) largest = Math.max(largest, Math.abs(v[i]));
  if (largest === 0 || !Number.isFinite(largest)) return largest;
  let sum = 0;
  let lost = 0; // to rounding (Kahan)
  for (let i = 0; i < v.length; i++) {
    const more = (v[i] / largest) ** 2 - lost;
    const next = sum + more;
    lost = next - sum - more;
    sum = next;
  }
  return largest * Math.sqrt(sum);
}

/** max |a − b| over all entries. */
export function maxDifference(a: Matrix, b: Matrix): number {
  let max = 0;
  for (let i = 0; i < a.data.length; i++) max = Math.max(max, Math.abs(a.data[i] - b.data[i]));
  return max;
}

/** Σ a_i b_i. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** How far the rows moved: √(mean ‖a_i − b_i‖²). */
export function rootMeanSquareDifference(A: Matrix64, B: Matrix64): number {
  let sum = 0;
  for (let i = 0; i < A.data.length; i++) sum += (A.data[i] - B.data[i]) ** 2;
  return Math.sqrt(sum / A.rows);
}
