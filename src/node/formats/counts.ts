/**
 * Word counts of documents, read from files:
 *
 * - `.npz` as `scipy.sparse.save_npz` writes it (CSR: data, indices, indptr, shape), or with a dense array;
 * - text (`.txt`, also gzipped), see counts-text.ts;
 * - a dense matrix of documents × words in any other sample format.
 */
import { type Counts, countsFromMatrix, requireCounts } from '../../core/counts.ts';
import { InputError } from '../../core/errors.ts';
import { quoted } from '../../core/printable.ts';
import { arrayNames, arraysOf, readMatrix, withBytes } from './arrays.ts';
import type { ReadOptions } from './budget.ts';
import type { Bytes } from './bytes.ts';
import { holdCounts, readTextCounts, readVocabulary, type TextCounts } from './counts-text.ts';
import type { NpyArray } from './npy.ts';
import { textContent } from './text-lines.ts';

/** Counts, with the words of the columns if they are known. */
export interface NamedCounts {
  readonly counts: Counts;
  /** The words, if the file has them. */
  readonly vocabulary?: readonly string[] | undefined;
}

const SPARSE_ARRAYS = ['data', 'indices', 'indptr', 'shape', 'format'] as const;
const LARGEST_INDEX = 2 ** 31 - 1;

/**
 * Counts of words in documents, dense or sparse. `vocabulary`: a file with one word per line.
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
  const { counts, vocabulary: own, atLeast } = await readAny(path, options);
  requireCounts(counts, 'topics', path);
  if (vocabulary === undefined) return { counts, vocabulary: own };
  const words = await withText(vocabulary, options, readVocabulary);
  if (words.length === counts.cols) return { counts, vocabulary: words };
  if (atLeast && words.length > counts.cols) return { counts: { ...counts, cols: words.length }, vocabulary: words };
  throw new InputError(
    `${vocabulary}: must have ${counts.cols} lines, one per word of the counts; got ${words.length}.`,
  );
}

async function readAny(path: string, options: ReadOptions): Promise<TextCounts> {
  if (/\.txt(\.gz)?$/i.test(path)) return withText(path, options, readTextCounts);
  if (/\.npz$/i.test(path) && (await arrayNames(path)).includes('indptr')) {
    return { counts: await withBytes(path, options, readSparseCounts) };
  }
  return { counts: countsFromMatrix(await readMatrix(path, options)) };
}

function withText<T>(path: string, options: ReadOptions, read: (text: ReturnType<typeof textContent>) => Promise<T>) {
  return withBytes(path, options, (bytes) => read(textContent(bytes, /\.gz$/i.test(path))));
}

async function readSparseCounts(bytes: Bytes): Promise<Counts> {
  const { name } = bytes;
  const arrays = await arraysOf(bytes, SPARSE_ARRAYS);
  const format = arrays.get('format')?.data[0] ?? 'csr';
  if (format !== 'csr') {
    const got = quoted(String(format));
    throw new InputError(`${name}: must be a sparse matrix in the format csr; got ${got}. Save it with .tocsr().`);
  }
  const [rows, cols] = wholeNumbers(name, 'shape', arrays, 2);
  holdCounts(bytes.budget, rows, cols);
  const indptr = wholeNumbers(name, 'indptr', arrays, rows + 1);
  const data = numbersOf(name, 'data', arrays, indptr[rows]);
  const indices = wholeNumbers(name, 'indices', arrays, data.length);
  return { rows, cols, data: Float64Array.from(data), indices, indptr };
}

/** Numbers that fit into 32 bits; rounding or wrapping others would count other words. */
function wholeNumbers(file: string, name: string, arrays: ReadonlyMap<string, NpyArray>, length: number): Int32Array {
  const data = numbersOf(file, name, arrays, length);
  const bad = data.findIndex((value) => !(Number.isInteger(value) && value >= 0 && value <= LARGEST_INDEX));
  if (bad < 0) return Int32Array.from(data);
  throw new InputError(`${file}:${name} must be whole numbers from 0 to ${LARGEST_INDEX}; got ${data[bad]} at ${bad}.`);
}

function numbersOf(file: string, name: string, arrays: ReadonlyMap<string, NpyArray>, length: number) {
  const array = arrays.get(name);
  if (!array || Array.isArray(array.data)) throw new InputError(`${file}: has no array of numbers "${name}".`);
  if (array.shape.length === 1 && array.data.length === length) return array.data as Float64Array;
  const got = `shape (${array.shape.join(', ')})`;
  throw new InputError(`${file}:${name} must be a 1-d array of ${length} numbers; got ${got}.`);
}
