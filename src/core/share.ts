/** Matrices in shared memory, which all threads see; ordinary matrices if the platform has no shared memory. */
import type { FloatArray, Matrix, Matrix64 } from './matrix.ts';

export const canShare: boolean = typeof SharedArrayBuffer !== 'undefined';

export const isShared = ({ data }: Matrix): boolean => canShare && data.buffer instanceof SharedArrayBuffer;

const bufferOf = (bytes: number) => (canShare ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));

export function sharedZeros(rows: number, cols: number): Matrix64 {
  return { rows, cols, data: new Float64Array(bufferOf(rows * cols * Float64Array.BYTES_PER_ELEMENT)) };
}

/**
 * The matrix itself if its memory is shared, otherwise a shared copy. `learn` makes such a copy on every call; share
 * samples once to learn from them repeatedly.
 */
export function shareMatrix<D extends FloatArray>(matrix: Matrix<D>): Matrix<D> {
  const { data } = matrix;
  if (!canShare || isShared(matrix)) return matrix;
  const buffer = bufferOf(data.byteLength);
  const copy: FloatArray = data instanceof Float32Array ? new Float32Array(buffer) : new Float64Array(buffer);
  copy.set(data);
  return { ...matrix, data: copy as D };
}
