/**
 * Writes rows that are mostly zeros as SciPy does (`scipy.sparse.save_npz`): compressed rows, CSR. Row i has the values `data[k]` in
 * the columns `indices[k]`, for k from `indptr[i]` to `indptr[i + 1]`. Their number is known at the end only: values and
 * columns wait in temporary files.
 */
import type { FloatArray, Precision } from '../../core/matrix.ts';
import type { Bytes } from '../../io/bytes/bytes.ts';
import { byteViews } from '../../io/codecs/npy/dtype.ts';
import { npzEntries } from '../../io/codecs/npy/npz.ts';
import { npyAscii, npyBytes, npyStored } from '../../io/codecs/npy/write.ts';
import { writeZip } from '../../io/codecs/zip/write.ts';
import { writeAtomically } from './atomic-write.ts';
import { openSpool, type Spool } from './file-bytes.ts';

const LARGEST_INT32 = 2 ** 31 - 1;

export interface SparseRows {
  readonly rows: number;
  readonly cols: number;
  readonly precision: Precision;
  /** Whole rows, with their zeros. */
  readonly pieces: AsyncIterable<FloatArray>;
}

export async function writeSparse(path: string, rows: SparseRows): Promise<void> {
  const spools = [await openSpool(path), await openSpool(path)] as const;
  try {
    const ends = await compress(rows, ...spools);
    const [values, columns] = spools.map((spool) => spool.finish());
    await writeAtomically(path, (sink) => writeZip(sink, npzEntries(arraysOf(rows, ends, values, columns))));
  } finally {
    for (const spool of spools) await spool.discard();
  }
}

/** Writes the non-zero values; returns the end of each row. */
async function compress({ rows, cols, pieces }: SparseRows, values: Spool, columns: Spool): Promise<Float64Array> {
  const ends = new Float64Array(rows + 1);
  let [row, before] = [0, 0];
  for await (const piece of pieces) {
    const found = piece.filter((value) => value !== 0) as FloatArray;
    const places = new Int32Array(found.length);
    let next = 0;
    for (let at = 0; at < piece.length; at += cols) {
      for (let k = 0; k < cols; k++) if (piece[at + k] !== 0) places[next++] = k;
      ends[++row] = before + next;
    }
    before += next;
    for (const bytes of byteViews(found)) await values.write(bytes);
    for (const bytes of byteViews(places)) await columns.write(bytes);
  }
  return ends;
}

/** Returns the row ends as integers: of 8 bytes only if 4 are too few. */
export const rowEnds = (ends: Float64Array): BigInt64Array | Int32Array =>
  ends[ends.length - 1] > LARGEST_INT32 ? BigInt64Array.from(ends, BigInt) : Int32Array.from(ends);

/** Returns the arrays in SciPy's order. */
function arraysOf({ rows, cols, precision }: SparseRows, ends: Float64Array, values: Bytes, columns: Bytes) {
  const count = ends[rows];
  return [
    ['indices', npyStored('<i4', [count], columns)],
    ['indptr', npyBytes([rows + 1], rowEnds(ends))],
    ['format', npyAscii('csr')],
    ['shape', npyBytes([2], BigInt64Array.of(BigInt(rows), BigInt(cols)))],
    ['data', npyStored(precision === 'f32' ? '<f4' : '<f8', [count], values)],
  ] as const;
}
