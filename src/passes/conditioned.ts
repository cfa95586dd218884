import { type Matrix, type Matrix64, zeros } from '../core/matrix.ts';
import type { Conditioning } from '../kernels/kernels.ts';

/** Conditioned samples, as the kernels see them: (y − offset)·scale, in float64. */
export function conditioned({ rows, cols, data }: Matrix, { offset, scale }: Conditioning): Matrix64 {
  const Y = zeros(rows, cols);
  for (let j = 0; j < rows; j++) {
    for (let k = 0, at = j * cols; k < cols; k++, at++) Y.data[at] = (data[at] - (offset ? offset[k] : 0)) * scale;
  }
  return Y;
}
