/** Samples in memory. In shared memory, all threads read them in place. */
import { inputError } from '../../core/errors.ts';
import { type FloatArray, type Matrix, precisionOf, rowRange } from '../../core/matrix.ts';
import {
  describeForm,
  firstNotFinite,
  isMatrix,
  placeOf,
  requireForm,
  requireMatrix,
} from '../../core/require-matrix.ts';
import { isShared, weigh } from '../../core/shared-memory.ts';
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
 * import { fromRows } from 'orthodict';
 * import { memorySource } from 'orthodict/extend';
 *
 * const source = memorySource(fromRows([[1, 2], [3, 4], [5, 6]]));
 * console.log(source.rows, (await source.read(1, 2)).data[0]); // 3 3
 * ```
 */
export function memorySource(matrix: Matrix): MemorySource {
  requireForm('memorySource', 'matrix', matrix);
  const { rows, cols, data } = matrix;
  if (isShared(matrix)) weigh(data.buffer, data.buffer.byteLength);
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
  return given.locator || 'matrix' in given ? (samples as Source) : checked(who, samples as Source);
}

/** A caller's own source, none of whose rows are believed: each read must give as many as asked for, all finite. */
function checked(who: string, source: Source): Source {
  const { rows, cols, precision, ranges } = source;
  const read = async (start: number, end: number): Promise<Matrix> => {
    const samples: unknown = await source.read(start, end);
    if (!isMatrix(samples) || samples.rows !== end - start || samples.cols !== cols) {
      const got = isMatrix(samples) ? `${samples.rows}×${samples.cols}` : describeForm(samples);
      throw inputError(who, `rows ${start} to ${end} of samples`, `a ${end - start}×${cols} matrix`, got);
    }
    const at = firstNotFinite(samples.data);
    if (at >= 0) throw inputError(who, 'samples', 'finite', placeOf(samples, at, start));
    return samples;
  };
  return { rows, cols, precision, read, ...(ranges && { ranges }) };
}
