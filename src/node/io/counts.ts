/**
 * Reads word counts of documents from files:
 *
 * - `.npz` as `scipy.sparse.save_npz` writes it (CSR: data, indices, indptr, shape), or with a dense array;
 * - text (`.txt`, also gzipped), see counts-text.ts;
 * - a dense matrix of documents × words in any other sample format.
 */

import { type Counts, countsFromMatrix, requireCounts } from '../../core/counts.ts';
import { InputError } from '../../core/errors.ts';
import { type Precision, precisionOf } from '../../core/matrix.ts';
import { requireFileName } from '../../core/require-matrix.ts';
import type { ReadOptions } from '../../io/bytes/budget.ts';
import type { Bytes } from '../../io/bytes/bytes.ts';
import { type Content, contentOf } from '../../io/bytes/content.ts';
import { openNpz } from '../../io/codecs/npy/npz.ts';
import { readSparse } from '../../io/codecs/npy/sparse.ts';
import { holdCounts, readTextCounts, readVocabulary, type TextCounts } from '../../io/tables/counts-text.ts';
import { arrayNames, readMatrix, withBytes } from './arrays.ts';

/** Counts, with the words of the columns if they are known. */
export interface NamedCounts {
  readonly counts: Counts;
  /** Words of the columns, if the file has them. */
  readonly vocabulary?: readonly string[] | undefined;
  /** Precision of the numbers in the file: only an array can be float32. */
  readonly precision: Precision;
}

/**
 * Reads counts of words in documents, dense or sparse. `vocabulary`: a file with one word per line.
 *
 * @example
 * ```js
 * import { readCounts, writeArrays } from 'orthodict/node';
 *
 * await writeArrays('counts.npz', { counts: { rows: 2, cols: 3, data: Float64Array.of(1, 0, 2, 0, 3, 0) } });
 * const { counts } = await readCounts('counts.npz');
 * console.log(counts.rows, counts.cols); // 2 3
 * ```
 */
export async function readCounts(path: string, vocabulary?: string, options: ReadOptions = {}): Promise<NamedCounts> {
  requireFileName('readCounts', path);
  const { counts, vocabulary: own, atLeast, precision = 'f64' } = await readAny(path, options);
  requireCounts(counts, 'topics', path);
  if (vocabulary === undefined) return { counts, vocabulary: own, precision };
  const words = await withText(vocabulary, options, readVocabulary);
  if (words.length === counts.cols) return { counts, vocabulary: words, precision };
  if (atLeast && words.length > counts.cols) {
    return { counts: { ...counts, cols: words.length }, vocabulary: words, precision };
  }
  throw new InputError(
    `${vocabulary}: must have ${counts.cols} lines, one per word of the counts; got ${words.length}.`,
  );
}

async function readAny(path: string, options: ReadOptions): Promise<TextCounts & Partial<NamedCounts>> {
  if (/\.txt(\.gz)?$/i.test(path)) return withText(path, options, readTextCounts);
  if (/\.npz$/i.test(path) && (await arrayNames(path)).includes('indptr')) {
    return withBytes(path, options, readSparseCounts);
  }
  const matrix = await readMatrix(path, options);
  return { counts: countsFromMatrix(matrix), precision: precisionOf(matrix) };
}

function withText<T>(path: string, options: ReadOptions, read: (text: Content) => Promise<T>) {
  return withBytes(path, options, (bytes) => read(contentOf(bytes, /\.gz$/i.test(path))));
}

async function readSparseCounts(bytes: Bytes): Promise<NamedCounts> {
  const hold = (rows: number, cols: number) => holdCounts(bytes.budget, rows, cols);
  const matrix = await readSparse(bytes.name, await openNpz(bytes), hold);
  return { counts: { ...matrix, data: Float64Array.from(matrix.data) }, precision: precisionOf(matrix) };
}
