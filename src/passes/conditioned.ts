/** Conditioned samples, as the kernels see them: (y − offset)·scale, in float64. */
import { type Matrix, type Matrix64, zeros } from '../core/matrix.ts';
import type { Conditioning } from '../kernels/kernels.ts';

/** `into`: a matrix of the same size to overwrite with them. */
export function conditioned(
  { rows, cols, data }: Matrix,
  { offset, scale }: Conditioning,
  into: Matrix64 = zeros(rows, cols),
): Matrix64 {
  for (let j = 0; j < rows; j++) {
    for (let k = 0, at = j * cols; k < cols; k++, at++) into.data[at] = (data[at] - (offset ? offset[k] : 0)) * scale;
  }
  return into;
}
