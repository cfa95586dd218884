/**
 * Sparse matrices as `scipy.sparse.save_npz` writes them, in compressed rows (CSR): row i has the values `data[k]` in the columns
 * `indices[k]`, for k from `indptr[i]` to `indptr[i + 1]`. As a table, its rows are filled with zeros when they are read.
 */
import { InputError } from '../../../core/errors.ts';
import { bytesPerNumber, type FloatArray, precisionOf } from '../../../core/matrix.ts';
import { quoted } from '../../../core/printable.ts';
import type { Bytes } from '../../bytes/bytes.ts';
import { PIECE_LENGTH, requireRows, type Table } from '../../tables/table.ts';
import { allocate } from './dtype.ts';
import { type NpyArray, readNpyArray } from './npy.ts';
import type { NpzArray } from './npz.ts';

/** Arrays of a sparse matrix as stored; rows and columns may be out of range. */
export interface SparseMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly data: FloatArray;
  readonly indices: Int32Array;
  /** Start of every row in `indices` and `data`; length rows + 1. */
  readonly indptr: Int32Array;
}

const LARGEST_INDEX = 2 ** 31 - 1;
/** Rows that a pass reads at a time, roughly. */
const ROWS_AT_ONCE = 2048;

/** Whether an archive holds a sparse matrix. */
export const isSparse = (arrays: readonly NpzArray[]): boolean =>
  ['data', 'indices', 'indptr'].every((name) => arrays.some(({ array }) => array === name));

export async function openSparseTable(bytes: Bytes, arrays: readonly NpzArray[]): Promise<Table> {
  const { name, budget } = bytes;
  const matrix = await readSparse(name, arrays);
  const { rows, cols } = requireRows(name, [matrix.rows, matrix.cols]);
  requireInRange(name, matrix);
  const precision = precisionOf(matrix);
  budget.unpack(Math.min(rows, ROWS_AT_ONCE) * cols * bytesPerNumber(precision));
  const height = Math.max(1, Math.floor(PIECE_LENGTH / cols));
  return {
    name,
    rows,
    cols,
    precision,
    budget,
    isSparse: true,
    load: async (out) => fillRows(matrix, 0, out),
    loadRows: async (start, out) => fillRows(matrix, start, out),
    async *stream() {
      const piece = allocate(precision, Math.min(rows, height) * cols);
      for (let start = 0; start < rows; start += height) {
        const part = piece.subarray(0, Math.min(height, rows - start) * cols) as FloatArray;
        fillRows(matrix, start, part);
        yield part;
      }
    },
    close: () => bytes.close(),
  };
}

/** Fills rows from `start` on; values in the same place are added, as SciPy does. */
function fillRows({ cols, data, indices, indptr }: SparseMatrix, start: number, out: FloatArray): void {
  out.fill(0);
  for (let at = 0, row = start; at < out.length; at += cols, row++) {
    for (let k = indptr[row]; k < indptr[row + 1]; k++) out[at + indices[k]] += data[k];
  }
}

function requireInRange(name: string, { rows, cols, data, indices, indptr }: SparseMatrix): void {
  const refuse = (array: string, mustBe: string, value: number, at: number) => {
    throw new InputError(`${name}:${array} must be ${mustBe}; got ${value} at ${at}.`);
  };
  if (indptr[0] !== 0) refuse('indptr', 'row ends from 0 on', indptr[0], 0);
  for (let row = 0; row < rows; row++) {
    if (indptr[row + 1] < indptr[row]) refuse('indptr', 'row ends in order', indptr[row + 1], row + 1);
    if (indptr[row + 1] > data.length) refuse('indptr', `at most ${data.length}`, indptr[row + 1], row + 1);
  }
  const bad = indices.findIndex((column) => column >= cols);
  if (bad >= 0) refuse('indices', `columns from 0 to ${cols - 1}`, indices[bad], bad);
}

/** Reads and checks the arrays: whole numbers, consistent lengths. `onShape` is called with the size before more is read. */
export async function readSparse(
  name: string,
  arrays: readonly NpzArray[],
  onShape?: (rows: number, cols: number) => void,
): Promise<SparseMatrix> {
  const read = async (wanted: string): Promise<NpyArray | undefined> => {
    const found = arrays.find(({ array }) => array === wanted);
    return found && readNpyArray(await found.content());
  };
  const format = (await read('format'))?.data[0] ?? 'csr';
  if (format !== 'csr') {
    const got = quoted(String(format));
    throw new InputError(`${name}: must be a sparse matrix in the format csr; got ${got}. Save it with .tocsr().`);
  }
  const [rows, cols] = wholeNumbers(name, 'shape', await read('shape'), 2);
  onShape?.(rows, cols);
  const indptr = wholeNumbers(name, 'indptr', await read('indptr'), rows + 1);
  const data = numbersOf(name, 'data', await read('data'), indptr[rows]);
  const indices = wholeNumbers(name, 'indices', await read('indices'), data.length);
  return { rows, cols, data, indices, indptr };
}

/** Reads numbers that fit into 32 bits; rounded or wrapped ones would be other indices. */
function wholeNumbers(file: string, name: string, array: NpyArray | undefined, length: number): Int32Array {
  const data = numbersOf(file, name, array, length);
  const bad = data.findIndex((value) => !(Number.isInteger(value) && value >= 0 && value <= LARGEST_INDEX));
  if (bad < 0) return Int32Array.from(data);
  throw new InputError(`${file}:${name} must be whole numbers from 0 to ${LARGEST_INDEX}; got ${data[bad]} at ${bad}.`);
}

function numbersOf(file: string, name: string, array: NpyArray | undefined, length: number): FloatArray {
  if (!array || Array.isArray(array.data)) throw new InputError(`${file}: has no array of numbers "${name}".`);
  if (array.shape.length === 1 && array.data.length === length) return array.data;
  const got = `shape (${array.shape.join(', ')})`;
  throw new InputError(`${file}:${name} must be a 1-d array of ${length} numbers; got ${got}.`);
}
