/** Matrices in shared memory, which all threads see; ordinary matrices if the platform has no shared memory. */

import { type FloatArray, type Matrix, type Precision, precisionOf } from './matrix.ts';
import { requireForm } from './require-matrix.ts';

/** A page that is not isolated from other origins may have shared memory, but cannot send it to its workers. */
export const canShare: boolean =
  typeof SharedArrayBuffer !== 'undefined' &&
  (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false;

export const isShared = ({ data }: Matrix): boolean => canShare && data.buffer instanceof SharedArrayBuffer;

const bufferOf = (bytes: number) => (canShare ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));

const typedArray = (buffer: ArrayBufferLike, precision: Precision): FloatArray =>
  precision === 'f32' ? new Float32Array(buffer) : new Float64Array(buffer);

export function sharedZeros(rows: number, cols: number, precision: Precision): Matrix {
  return { rows, cols, data: typedArray(bufferOf(rows * cols * (precision === 'f32' ? 4 : 8)), precision) };
}

/**
 * The matrix itself if its memory is shared, otherwise a shared copy. `learn` makes such a copy on every call; share
 * samples once to learn from them repeatedly.
 */
export function shareMatrix<D extends FloatArray>(matrix: Matrix<D>): Matrix<D> {
  requireForm('shareMatrix', 'matrix', matrix);
  const { data } = matrix;
  if (!canShare || isShared(matrix)) return matrix;
  const copy = typedArray(bufferOf(data.byteLength), precisionOf(matrix));
  copy.set(data);
  return { ...matrix, data: copy as D };
}
