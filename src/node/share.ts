/** Matrices that all threads see. */
import type { FloatArray, Matrix } from '../matrix.ts';

/**
 * The matrix itself if its memory is shared, or a copy that is. `learn` makes such a copy of samples that are not; who calls it
 * again and again on the same ones can make it once.
 */
export function shareMatrix<D extends FloatArray>(matrix: Matrix<D>): Matrix<D> {
  const { data } = matrix;
  if (data.buffer instanceof SharedArrayBuffer) return matrix;
  const buffer = new SharedArrayBuffer(data.byteLength);
  const copy: FloatArray = data instanceof Float32Array ? new Float32Array(buffer) : new Float64Array(buffer);
  copy.set(data);
  return { ...matrix, data: copy as D };
}
