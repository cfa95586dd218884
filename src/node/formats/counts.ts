/**
 * Word counts of documents, read from files:
 *
 * - `.npz` as `scipy.sparse.save_npz` writes it (CSR: data, indices, indptr, shape), or with a dense array;
 * - text (`.txt`, also gzipped) of lines `document word count`: UCI bag-of-words (numbered from 1, after three lines
 *   with the numbers of documents, words and entries), the same without these lines, or with words instead of numbers;
 * - a dense matrix of documents × words in any other sample format.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { type Counts, countsFromMatrix, countsFromTriplets, requireCounts, type Triplet } from '../../core/counts.ts';
import { InputError } from '../../core/errors.ts';
import { readArrays, readMatrix } from './arrays.ts';
import { readFailure } from './file-errors.ts';
import type { NpyArray } from './npy.ts';

/** Counts, with the words of the columns if they are known. */
export interface NamedCounts {
  readonly counts: Counts;
  /** The words, if the file has them. */
  readonly vocabulary?: readonly string[] | undefined;
}

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
export async function readCounts(path: string, vocabulary?: string): Promise<NamedCounts> {
  const { counts, vocabulary: own, atLeast } = await readAny(path);
  requireCounts(counts, 'topics', path);
  if (vocabulary === undefined) return { counts, vocabulary: own };
  const words = await readVocabulary(vocabulary);
  if (words.length === counts.cols) return { counts, vocabulary: words };
  if (atLeast && words.length > counts.cols) return { counts: { ...counts, cols: words.length }, vocabulary: words };
  throw new InputError(
    `${vocabulary}: must have ${counts.cols} lines, one per word of the counts; got ${words.length}.`,
  );
}

interface ReadCounts extends NamedCounts {
  /** Whether there may be further words that occur in no document. */
  readonly atLeast?: boolean;
}

async function readAny(path: string): Promise<ReadCounts> {
  if (/\.txt(\.gz)?$/i.test(path)) return readTokenCounts(path);
  if (/\.npz$/i.test(path)) {
    const arrays = await readArrays(path);
    if (arrays.has('indptr')) return { counts: fromSparseArrays(path, arrays) };
  }
  return { counts: countsFromMatrix(await readMatrix(path)) };
}

function fromSparseArrays(path: string, arrays: ReadonlyMap<string, NpyArray>): Counts {
  const numbers = (name: string) => {
    const found = arrays.get(name)?.data;
    if (!found || Array.isArray(found)) throw new InputError(`${path}: has no array of numbers "${name}".`);
    return found;
  };
  const format = arrays.get('format')?.data[0] ?? 'csr';
  if (format !== 'csr') {
    throw new InputError(`${path}: must be a sparse matrix in the format csr; got ${format}. Save it with .tocsr().`);
  }
  const [rows, cols] = numbers('shape');
  return {
    rows,
    cols,
    data: Float64Array.from(numbers('data')),
    indices: Int32Array.from(numbers('indices')),
    indptr: Int32Array.from(numbers('indptr')),
  };
}

async function readTokenCounts(path: string): Promise<ReadCounts> {
  const header: number[] = [];
  const entries: Triplet[] = [];
  const words = new Map<string, number>();
  let [named, line, least] = [false, 0, 1];
  let [mostRow, mostCol] = [-1, -1];
  for await (const text of textLines(path)) {
    line++;
    const fields = text.trim().split(/[\s,]+/);
    if (fields[0] === '') continue;
    if (fields.length === 1 && entries.length === 0 && header.length < 3) {
      header.push(wholeNumber(path, line, fields[0]));
      continue;
    }
    if (fields.length !== 3) {
      throw new InputError(`${path}: line ${line} must be "document word count"; got "${text.trim().slice(0, 60)}".`);
    }
    if (entries.length === 0) named = !/^\d+$/.test(fields[1]);
    const row = wholeNumber(path, line, fields[0]);
    if (named && !words.has(fields[1])) words.set(fields[1], words.size);
    const col = named ? words.get(fields[1])! : wholeNumber(path, line, fields[1]);
    const value = Number(fields[2]);
    if (!(Number.isInteger(value) && value >= 0)) {
      throw new InputError(`${path}: line ${line} must have a count, a whole number, 0 or more; got ${fields[2]}.`);
    }
    entries.push({ row, col, value });
    least = Math.min(least, row, named ? 1 : col);
    mostRow = Math.max(mostRow, row);
    mostCol = Math.max(mostCol, col);
  }
  if (entries.length === 0) throw new InputError(`${path}: holds no counts.`);
  if (header.length > 0 && least === 0) throw new InputError(`${path}: documents and words must be numbered from 1.`);
  const [rows, cols] = [header[0] ?? mostRow + 1 - least, named ? words.size : (header[1] ?? mostCol + 1 - least)];
  if (mostRow - least >= rows || (!named && mostCol - least >= cols)) {
    throw new InputError(`${path}: must have ${rows} documents and ${cols} words as its first lines say; got more.`);
  }
  const shifted = entries.map(({ row, col, value }) => ({ row: row - least, col: named ? col : col - least, value }));
  return {
    counts: countsFromTriplets(rows, cols, shifted),
    vocabulary: named ? [...words.keys()] : undefined,
    atLeast: !named && header.length === 0,
  };
}

async function readVocabulary(path: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const text of textLines(path)) lines.push(text.trim());
  while (lines.at(-1) === '') lines.pop();
  return lines;
}

async function* textLines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const input = /\.gz$/i.test(path) ? file.pipe(createGunzip()) : file;
  const failed = new Promise<never>((_, reject) => {
    file.on('error', (error) => reject(readFailure(path, error)));
    input.on('error', (error: Error) => reject(readFailure(path, error)));
  });
  failed.catch(() => {}); // reported below
  const opened = new Promise<void>((resolve) => file.on('open', () => resolve()));
  await Promise.race([opened, failed]);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([lines.next(), failed]);
    if (next.done) return;
    yield next.value;
  }
}

function wholeNumber(path: string, line: number, text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value < 2 ** 31)) throw new InputError(`${path}: line ${line} must have a whole number; got "${text}".`);
  return value;
}
