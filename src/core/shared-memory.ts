/** Matrices in shared memory, which all threads see; ordinary matrices if the platform has no shared memory. */

import { bytesPerNumber, type FloatArray, type Matrix, numbersIn, type Precision, precisionOf } from './matrix.ts';
import { requireMatrixForm } from './require-matrix.ts';

/** A page that is not isolated from other origins may have shared memory, but cannot send it to its workers. */
export const canShare: boolean =
  typeof SharedArrayBuffer !== 'undefined' &&
  (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false;

export const isShared = ({ data }: Matrix): boolean => canShare && data.buffer instanceof SharedArrayBuffer;

/** Size of a weight in bytes: enough for the garbage collector to act immediately; smaller memory gets none. */
const HEAVIEST = 1 << 26;
const LIGHTEST = 1 << 14;
const weights = new WeakMap<object, ArrayBuffer>();
/** TypeScript's library for this year does not know the second argument; a platform without it ignores the argument. */
const Resizable = ArrayBuffer as new (bytes: number, options: { maxByteLength: number }) => ArrayBuffer;

/**
 * Makes the garbage collector of this thread count shared memory. It ignores shared memory, so a thread that gets matrix
 * after matrix would keep them all; but it counts ordinary buffers. So a buffer is attached that is collected with the
 * memory. Being resizable, it consists of untouched pages, which cost nothing.
 */
export function weigh<M extends object>(memory: M, bytes: number): M {
  if (bytes < LIGHTEST || weights.has(memory)) return memory;
  const weight = Math.min(bytes, HEAVIEST);
  weights.set(memory, new Resizable(weight, { maxByteLength: weight }));
  return memory;
}

/** A buffer of zeros, shared by all threads if the platform has shared memory. */
export const sharedBuffer = (bytes: number): ArrayBufferLike =>
  canShare ? weigh(new SharedArrayBuffer(bytes), bytes) : new ArrayBuffer(bytes);

export function sharedZeros(rows: number, cols: number, precision: Precision): Matrix {
  return { rows, cols, data: numbersIn(sharedBuffer(rows * cols * bytesPerNumber(precision)), precision) };
}

/**
 * The matrix itself if its memory is shared, otherwise a shared copy. `learn` makes such a copy on every call; share
 * samples once to learn from them repeatedly.
 */
export function shareMatrix<D extends FloatArray>(matrix: Matrix<D>): Matrix<D> {
  requireMatrixForm('shareMatrix', 'matrix', matrix);
  const { data } = matrix;
  if (!canShare || isShared(matrix)) return matrix;
  const copy = numbersIn(sharedBuffer(data.byteLength), precisionOf(matrix));
  copy.set(data);
  return { ...matrix, data: copy as D };
}
