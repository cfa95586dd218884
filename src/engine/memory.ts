/** Samples in memory. In shared memory, all threads read them in place. */
import { inputError } from '../core/errors.ts';
import { type FloatArray, type Matrix, precisionOf, rowRange } from '../core/matrix.ts';
import { requireMatrix } from '../core/require-matrix.ts';
import { isShared } from '../core/share.ts';
import type { Locator, Source } from './source.ts';

/** A source of samples that are in memory. */
export interface MemorySource extends Source {
  readonly matrix: Matrix;
}

/**
 * Samples in memory as a source. The matrix is not copied.
 *
 * @example
 * ```js
 * import { fromRows, memorySource } from 'orthodict';
 *
 * const source = memorySource(fromRows([[1, 2], [3, 4], [5, 6]]));
 * console.log(source.rows, (await source.read(1, 2)).data[0]); // 3 3
 * ```
 */
export function memorySource(matrix: Matrix): MemorySource {
  const { rows, cols, data } = matrix;
  return {
    rows,
    cols,
    precision: precisionOf(matrix),
    matrix,
    read: async (start, end) => rowRange(matrix, start, end),
    ...(isShared(matrix) && { locator: { kind: 'memory', rows, cols, data } }),
  };
}

export const openMemory = ({ rows, cols, data }: Locator): Source =>
  memorySource({ rows: rows as number, cols: cols as number, data: data as FloatArray });

/** The samples given to a public function, as a source. `who`: that function. */
export function sourceOf(who: string, samples: Matrix | Source): Source {
  const given: Partial<Source> = samples ?? {};
  if (typeof given.read !== 'function') return memorySource(requireMatrix(who, 'samples', samples));
  if (!(Number.isInteger(given.rows) && Number.isInteger(given.cols) && given.rows! > 0 && given.cols! > 0)) {
    throw inputError(who, 'samples', 'at least one row and one column', `${given.rows}×${given.cols}`);
  }
  return samples as Source;
}
