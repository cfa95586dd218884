/**
 * Makes a source of a table. Data that fits is read once into shared memory. Larger data is read in place, piece by
 * piece, if the format allows it, and otherwise unpacked once to where it can be.
 *
 * Data read in place is a file that others may write to: every piece must be finite, and the
 * file unchanged since it was opened. The checksum of an archive member is of all its bytes, and threads read pieces in
 * any order; it is therefore verified when the source is opened, by one sequential reading (of the tens or hundreds that
 * learning does), and not again by the threads, which may only read if the file is still the same.
 */
import { InputError } from '../../core/errors.ts';
import { bytesPerNumber, type FloatArray, type Matrix } from '../../core/matrix.ts';
import { describeEntry, firstNotFinite } from '../../core/require-matrix.ts';
import { canShare } from '../../core/shared-memory.ts';
import { memorySource } from '../../engine/source/memory.ts';
import type { Locator, Source } from '../../engine/source/source.ts';
import type { Bytes, BytesPlatform } from '../bytes/bytes.ts';
import { contentOf } from '../bytes/content.ts';
import { allocate } from '../codecs/npy/dtype.ts';
import { openNpyTable } from '../codecs/npy/npy.ts';
import { npyStream } from '../codecs/npy/write.ts';
import type { Table } from './table.ts';

/** Storage options for the numbers of a table. */
export interface Storage {
  /** Most bytes of numbers to keep in memory. */
  readonly memoryLimit: number;
  readonly spool: BytesPlatform['spool'];
  /** Returns the locator by which other threads open unpacked data. */
  readonly spoolLocator?: (bytes: Bytes) => Locator;
}

/** Reads the numbers of a table; closes it if they fit into memory, and on failure. */
export async function sourceOfTable(table: Table, storage: Storage): Promise<Source> {
  let open = table;
  try {
    const data = allocateWithin(table, storage.memoryLimit);
    if (data) {
      await table.load(data);
      await table.close();
      return { ...memorySource({ rows: table.rows, cols: table.cols, data }), ...columnsOf(table) };
    }
    await table.verify?.();
    if (table.loadRows) return outOfCoreSource(table, table.locator);
    const { unpacked, bytes } = await unpack(table, storage.spool);
    open = unpacked;
    return outOfCoreSource(unpacked, storage.spoolLocator?.(bytes));
  } catch (error) {
    await open.close();
    throw error;
  }
}

/** Returns the column information of a source. */
const columnsOf = ({ names, patch }: Table) => ({ ...(names && { names }), ...(patch && { patch }) });

/** Unpacks the numbers so that they can be read at any position; closes the table. */
async function unpack(
  table: Table,
  spool: BytesPlatform['spool'],
): Promise<{ readonly unpacked: Table; readonly bytes: Bytes }> {
  const { name, rows, cols, precision, budget } = table;
  const bytes = await spool(name, npyStream([rows, cols], precision, table.stream()).chunks, budget.limits);
  await table.close();
  return { unpacked: { ...(await openNpyTable(contentOf(bytes))), ...columnsOf(table) }, bytes };
}

/** Allocates memory for all numbers, shared if possible; undefined if they exceed the limit or the size of one array. */
export function allocateWithin({ rows, cols, precision }: Table, limit: number): FloatArray | undefined {
  if (rows * cols * bytesPerNumber(precision) > limit) return undefined;
  try {
    return allocate(precision, rows * cols, canShare);
  } catch {
    return undefined;
  }
}

/** Makes a source that reads pieces of a table, one that can be read at any position, when they are needed. */
export function outOfCoreSource(table: Table, locator: Locator | undefined): Source {
  const { rows, cols, precision } = table;
  const read = async (start: number, end: number): Promise<Matrix> => {
    const data = allocate(precision, (end - start) * cols);
    await loadInPlace(table, start, data);
    return { rows: end - start, cols, data };
  };
  return { rows, cols, precision, read, close: () => table.close(), locator, ...columnsOf(table) };
}

/** Fills `out` with rows, from `start` on, of a file that others may write to. */
export async function loadInPlace(table: Table, start: number, out: FloatArray): Promise<void> {
  await table.loadRows!(start, out);
  const bad = firstNotFinite(out);
  if (bad >= 0) {
    const samples = { rows: out.length / table.cols, cols: table.cols, data: out };
    throw new InputError(`${table.name}: samples must be finite; got ${describeEntry(samples, bad, start)}.`);
  }
}
