/** Samples that are already in memory. */
import type { Matrix } from '../core/matrix.ts';
import { precisionOf } from '../core/matrix.ts';
import type { Source } from './source.ts';

export interface MemorySource extends Source {
  readonly matrix: Matrix;
}

export function memorySource(matrix: Matrix): MemorySource {
  const { rows, cols, data } = matrix;
  return {
    rows,
    cols,
    precision: precisionOf(matrix),
    matrix,
    read: async (start, end) => ({
      rows: end - start,
      cols,
      data: data.subarray(start * cols, end * cols) as typeof data,
    }),
  };
}
