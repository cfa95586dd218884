/** Samples in memory, and sources read into memory. Where memory is shared, all threads read it in place. */
import { inputError } from '../../core/errors.ts';
import { type Matrix, type Matrix64, precisionOf, rowRange, zeros } from '../../core/matrix.ts';
import {
  describeEntry,
  describeForm,
  firstNotFinite,
  isMatrix,
  requireMatrix,
  requireMatrixForm,
} from '../../core/require-matrix.ts';
import { isShared, weigh } from '../../core/shared-memory.ts';
import { rangesOf, type Source } from './source.ts';

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
  requireMatrixForm('memorySource', 'matrix', matrix);
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

/** The samples given to the public function `who`, as a source. */
export function sourceOf(who: string, samples: Matrix | Source): Source {
  const given: Partial<Source> = samples ?? {};
  if (typeof given.read !== 'function') return memorySource(requireMatrix(who, 'samples', samples));
  if (!(Number.isInteger(given.rows) && Number.isInteger(given.cols) && given.rows! > 0 && given.cols! > 0)) {
    throw inputError(who, 'samples', 'at least one row and one column', `${given.rows}×${given.cols}`);
  }
  return given.locator || 'matrix' in given ? (samples as Source) : checked(who, samples as Source);
}

/** A source written by the caller, which is not trusted: every read must give the rows that were asked for, all finite. */
function checked(who: string, source: Source): Source {
  const { rows, cols, precision, ranges } = source;
  const read = async (start: number, end: number): Promise<Matrix> => {
    const samples: unknown = await source.read(start, end);
    if (!isMatrix(samples) || samples.rows !== end - start || samples.cols !== cols) {
      const got = isMatrix(samples) ? `${samples.rows}×${samples.cols}` : describeForm(samples);
      throw inputError(who, `rows ${start} to ${end} of samples`, `a ${end - start}×${cols} matrix`, got);
    }
    const at = firstNotFinite(samples.data);
    if (at >= 0) throw inputError(who, 'samples', 'finite', describeEntry(samples, at, start));
    return samples;
  };
  return { rows, cols, precision, read, ...(ranges && { ranges }) };
}

/** All samples in float64, for models that need them at once. Do not write to them: float64 samples in memory are not copied. */
export async function readAll(source: Source, signal?: AbortSignal, who = 'readAll'): Promise<Matrix64> {
  const { matrix } = source as Partial<MemorySource>;
  if (matrix && matrix.data instanceof Float64Array) return matrix as Matrix64;
  const all = allocate(who, source);
  for (const { start, end } of rangesOf(source)) {
    signal?.throwIfAborted();
    all.data.set((await source.read(start, end)).data, start * source.cols);
  }
  return all;
}

function allocate(who: string, { rows, cols }: Source): Matrix64 {
  try {
    return zeros(rows, cols);
  } catch {
    throw inputError(who, 'samples', 'few enough to be held in memory as float64', `${rows} × ${cols} numbers`);
  }
}
