/** Word counts of documents as a sparse matrix in compressed rows (CSR), and its products with dense matrices. */
import { demand, inputError } from './errors.ts';
import { type Matrix, type Matrix64, zeros } from './matrix.ts';
import { describeForm, isMatrix, requireMatrix } from './require-matrix.ts';

/** Word counts: row l has counts `data[at]` of words `indices[at]` for at from `indptr[l]` to `indptr[l + 1]`. */
export interface Counts {
  /** Number of documents. */
  readonly rows: number;
  /** Number of words in the vocabulary. */
  readonly cols: number;
  readonly data: Float64Array;
  readonly indices: Int32Array;
  /** Where rows begin in `data`; length rows + 1. */
  readonly indptr: Int32Array;
}

/** Checks the form and every number. */
export function requireCounts(value: unknown, who = 'learnTopics', name = 'counts'): Counts {
  const { rows, cols, data, indices, indptr } = requireForm(value, who, name);
  if (indptr.length !== rows + 1 || indptr[0] !== 0 || indptr[rows] !== data.length || indices.length !== data.length) {
    const got = `${indptr.length} row ends, ${data.length} numbers and ${indices.length} indices for ${rows} documents`;
    throw inputError(who, name, 'in compressed rows', got);
  }
  for (let l = 0; l < rows; l++) {
    if (indptr[l + 1] < indptr[l] || indptr[l + 1] > data.length) {
      const where = indptr[l + 1] < indptr[l] ? 'before it begins' : 'beyond the numbers';
      throw inputError(who, name, 'in compressed rows', `row ${l} that ends ${where}`);
    }
    for (let at = indptr[l]; at < indptr[l + 1]; at++) {
      if (!isIndex(indices[at], cols) || !isCount(data[at])) refuse(who, name, cols, l, indices[at], data[at]);
    }
  }
  return value as Counts;
}

function requireForm(value: unknown, who: string, name: string): Counts {
  const { rows, cols, data, indices, indptr } = (value ?? {}) as Partial<Counts>;
  if (!(data instanceof Float64Array && indices instanceof Int32Array && indptr instanceof Int32Array)) {
    const hint = isMatrix(value) ? '; countsFromMatrix turns a matrix into counts' : '';
    const mustBe = 'counts {rows, cols, data: Float64Array, indices: Int32Array, indptr: Int32Array}';
    throw inputError(who, name, mustBe, `${describeForm(value)}${hint}`);
  }
  if (!(isSize(rows) && isSize(cols))) {
    throw inputError(who, name, 'at least one document and one word', `${rows} × ${cols}`);
  }
  return { rows, cols, data, indices, indptr };
}

const LARGEST_SIZE = 2 ** 31 - 1;
const isSize = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) > 0 && (value as number) <= LARGEST_SIZE;
const isIndex = (value: number, bound: number): boolean => Number.isInteger(value) && value >= 0 && value < bound;
const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

function refuse(who: string, name: string, words: number, document: number, word: number, count: number): never {
  const place = `at document ${document}, word ${word}`;
  if (!isIndex(word, words)) throw inputError(who, name, `of words from 0 to ${words - 1}`, place);
  throw inputError(who, name, 'whole numbers, 0 or more', `${count} ${place}`);
}

/** One non-zero count: document, word, how often. */
export interface Triplet {
  readonly row: number;
  readonly col: number;
  readonly value: number;
}

/**
 * Makes counts from entries in any order; entries at the same place are added.
 *
 * @example
 * ```js
 * import { countsFromTriplets } from 'orthodict';
 *
 * const counts = countsFromTriplets(2, 3, [{ row: 0, col: 2, value: 1 }, { row: 1, col: 1, value: 3 }]);
 * console.log(counts.data.join(' '), counts.indptr.join(' ')); // 1 3 0 1 2
 * ```
 */
export function countsFromTriplets(rows: number, cols: number, entries: readonly Triplet[]): Counts {
  const who = 'countsFromTriplets';
  demand(isSize(rows), who, 'rows', `a whole number from 1 to ${LARGEST_SIZE}`, rows);
  demand(isSize(cols), who, 'cols', `a whole number from 1 to ${LARGEST_SIZE}`, cols);
  demand(Array.isArray(entries), who, 'entries', 'an array of {row, col, value}', describeForm(entries));
  entries.forEach((entry, at) => {
    const { row, col, value } = entry ?? {};
    if (!isIndex(row, rows)) throw inputError(who, 'entries', `of rows from 0 to ${rows - 1}`, `${row} at entry ${at}`);
    if (!isIndex(col, cols)) throw inputError(who, 'entries', `of cols from 0 to ${cols - 1}`, `${col} at entry ${at}`);
    if (!isCount(value)) throw inputError(who, 'entries', 'whole numbers, 0 or more', `${value} at entry ${at}`);
  });
  return compressEntries(rows, cols, {
    documents: Int32Array.from(entries, ({ row }) => row),
    words: Int32Array.from(entries, ({ col }) => col),
    values: Float64Array.from(entries, ({ value }) => value),
  });
}

/** Entries by column: entry k is `values[k]` of word `words[k]` in document `documents[k]`, in any order. */
export interface Entries {
  readonly documents: Int32Array;
  readonly words: Int32Array;
  readonly values: Float64Array;
}

/** Makes counts from entries that were already checked. */
export function compressEntries(rows: number, cols: number, { documents, words, values }: Entries): Counts {
  const indptr = new Int32Array(rows + 1);
  for (const row of documents) indptr[row + 1]++;
  for (let l = 0; l < rows; l++) indptr[l + 1] += indptr[l];
  const next = indptr.slice();
  const indices = new Int32Array(values.length);
  const data = new Float64Array(values.length);
  for (let k = 0; k < values.length; k++) {
    const at = next[documents[k]]++;
    indices[at] = words[k];
    data[at] = values[k];
  }
  return { rows, cols, data, indices, indptr };
}

/**
 * The non-zero numbers of a dense matrix. They are checked to be counts when they are used.
 *
 * @example
 * ```js
 * import { countsFromMatrix, fromRows } from 'orthodict';
 *
 * const counts = countsFromMatrix(fromRows([[2, 0, 1], [0, 3, 0]])); // two documents, three words
 * console.log(counts.data.join(' '), counts.indices.join(' ')); // 2 1 3 0 2 1
 * ```
 */
export function countsFromMatrix(matrix: Matrix): Counts {
  const { rows, cols, data: dense } = requireMatrix('countsFromMatrix', 'matrix', matrix);
  const indptr = new Int32Array(rows + 1);
  for (let at = 0; at < dense.length; at++) if (dense[at] !== 0) indptr[Math.floor(at / cols) + 1]++;
  for (let l = 0; l < rows; l++) indptr[l + 1] += indptr[l];
  const indices = new Int32Array(indptr[rows]);
  const data = new Float64Array(indptr[rows]);
  for (let at = 0, next = 0; at < dense.length; at++) {
    if (dense[at] === 0) continue;
    indices[next] = at % cols;
    data[next++] = dense[at];
  }
  return { rows, cols, data, indices, indptr };
}

/** The counts of the given documents. */
export function selectDocuments({ cols, data, indices, indptr }: Counts, documents: readonly number[]): Counts {
  const ends = new Int32Array(documents.length + 1);
  documents.forEach((l, k) => {
    ends[k + 1] = ends[k] + indptr[l + 1] - indptr[l];
  });
  const out = { data: new Float64Array(ends[documents.length]), indices: new Int32Array(ends[documents.length]) };
  documents.forEach((l, k) => {
    out.data.set(data.subarray(indptr[l], indptr[l + 1]), ends[k]);
    out.indices.set(indices.subarray(indptr[l], indptr[l + 1]), ends[k]);
  });
  return { rows: documents.length, cols, indptr: ends, ...out };
}

/** Number of words in each document. */
export function documentLengths({ rows, data, indptr }: Counts): Float64Array {
  return Float64Array.from({ length: rows }, (_, l) =>
    data.subarray(indptr[l], indptr[l + 1]).reduce((sum, count) => sum + count, 0),
  );
}

/** Computes C X, rows×m. */
export function multiplyCounts({ rows, data, indices, indptr }: Counts, X: Matrix64): Matrix64 {
  const m = X.cols;
  const out = zeros(rows, m);
  for (let l = 0; l < rows; l++) {
    for (let at = indptr[l]; at < indptr[l + 1]; at++) {
      const count = data[at];
      for (let k = 0, from = indices[at] * m, to = l * m; k < m; k++) out.data[to++] += count * X.data[from++];
    }
  }
  return out;
}

/** Computes Cᵀ diag(weights) X, cols×m. */
export function multiplyTransposed(counts: Counts, weights: Float64Array, X: Matrix64): Matrix64 {
  const { rows, cols, data, indices, indptr } = counts;
  const m = X.cols;
  const out = zeros(cols, m);
  for (let l = 0; l < rows; l++) {
    for (let at = indptr[l]; at < indptr[l + 1]; at++) {
      const factor = data[at] * weights[l];
      for (let k = 0, to = indices[at] * m, from = l * m; k < m; k++) out.data[to++] += factor * X.data[from++];
    }
  }
  return out;
}

/** Σ_l weights_l c_l, one number per word. */
export function weightedSum({ rows, cols, data, indices, indptr }: Counts, weights: Float64Array): Float64Array {
  const out = new Float64Array(cols);
  for (let l = 0; l < rows; l++) {
    for (let at = indptr[l]; at < indptr[l + 1]; at++) out[indices[at]] += weights[l] * data[at];
  }
  return out;
}
