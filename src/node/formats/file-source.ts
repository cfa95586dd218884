/**
 * A file of samples as a source. Data that fits is read once into shared memory. Larger data is read in place, piece by
 * piece, if the format allows it, and otherwise unpacked once into a temporary file of raw numbers.
 */
import { stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import { InputError } from '../../core/errors.ts';
import type { FloatArray, Matrix } from '../../core/matrix.ts';
import { memorySource } from '../../engine/memory.ts';
import type { Locator, Source } from '../../engine/source.ts';
import type { ByteReader, Bytes } from './bytes.ts';
import { gunzipReader, openBytes, sequentialReader } from './bytes.ts';
import { openCsvTable } from './csv.ts';
import type { DType } from './dtype.ts';
import { allocate, bytesOfEach, bytesPerNumber, readNumbers } from './dtype.ts';
import { openIdxTable } from './idx.ts';
import { gzippedNpyFile, npyFile, openNpyTable } from './npy.ts';
import { openNpz, pickArray } from './npz.ts';
import { parseSpec } from './spec.ts';
import { spool } from './spool.ts';
import type { Table } from './table.ts';

/** How a file is opened. */
export interface FileSourceOptions {
  /** Most bytes of numbers to keep in memory; by default half of the available memory. */
  readonly memoryLimit?: number;
}

type Open = (bytes: Bytes, array?: string) => Promise<Table>;

/** By file name extension. */
const FORMATS: Readonly<Record<string, Open>> = {
  '.npy': (bytes) => openNpyTable(npyFile(bytes)),
  '.npy.gz': (bytes) => openNpyTable(gzippedNpyFile(bytes)),
  '.npz': async (bytes, array) => openNpyTable(await pickArray(bytes.name, await openNpz(bytes), array)),
  '.idx': (bytes) => openIdxTable(npyFile(bytes)),
  '.idx.gz': (bytes) => openIdxTable(gzippedNpyFile(bytes)),
  '-ubyte': (bytes) => openIdxTable(npyFile(bytes)),
  '-ubyte.gz': (bytes) => openIdxTable(gzippedNpyFile(bytes)),
  '.csv': (bytes) => openCsvTable(textFile(bytes, sequentialReader)),
  '.csv.gz': (bytes) => openCsvTable(textFile(bytes, gunzipReader)),
  '.tsv': (bytes) => openCsvTable(textFile(bytes, sequentialReader), '\t'),
  '.tsv.gz': (bytes) => openCsvTable(textFile(bytes, gunzipReader), '\t'),
};

/**
 * Opens a file of samples; reads them when they are needed. `spec` is a path, or `file.npz:name` for one array of an
 * archive. Closing the source closes the file.
 *
 * @example
 * ```js
 * import { openSource } from 'orthodict/node';
 *
 * const source = await openSource('data.npz:samples');
 * console.log(source.rows, source.cols); // 4000 20
 * await source.close?.();
 * ```
 */
export async function openSource(spec: string, options: FileSourceOptions = {}): Promise<Source> {
  const table = await openTable(spec);
  try {
    const data = allocateWithin(table, options.memoryLimit ?? defaultMemoryLimit());
    if (!data) return await outOfCoreSource(table, await fileLocator(spec));
    await table.load(data);
    await table.close();
    return memorySource({ rows: table.rows, cols: table.cols, data });
  } catch (error) {
    await table.close();
    throw error;
  }
}

/** Opens the 2-d array that `spec` names, without reading its numbers. */
export async function openTable(spec: string): Promise<Table> {
  const { path, array } = parseSpec(spec);
  const extension = Object.keys(FORMATS).find((known) => path.toLowerCase().endsWith(known));
  if (!extension) {
    throw new InputError(`${path}: the name must end in one of ${Object.keys(FORMATS).join(' ')}.`);
  }
  const bytes = await openBytes(path);
  try {
    return await FORMATS[extension](bytes, array);
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

/** Half of the available memory, but at least an eighth of the total: some systems count file caches as used. */
export function defaultMemoryLimit(): number {
  const total = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.max(process.availableMemory() / 2, total / 8);
}

function textFile(bytes: Bytes, open: (bytes: Bytes) => ByteReader) {
  return { name: bytes.name, reader: () => open(bytes), close: () => bytes.close() };
}

/** Shared memory for all numbers, or undefined if they exceed the limit or the size of one array. */
function allocateWithin({ rows, cols, precision }: Table, limit: number): FloatArray | undefined {
  if (rows * cols * bytesPerNumber(precision) > limit) return undefined;
  try {
    return allocate(precision, rows * cols, true);
  } catch {
    return undefined;
  }
}

/** Where other threads find the file; with its size and time, so that they notice if it has changed. */
async function fileLocator(spec: string): Promise<Locator> {
  const { path, array } = parseSpec(spec);
  const absolute = resolve(path);
  const { size, mtimeMs } = await stat(absolute);
  return { kind: 'file', spec: array === undefined ? absolute : `${absolute}:${array}`, size, mtimeMs };
}

/** The same file in another thread, read where it stands. */
export async function openFileLocator(locator: Locator): Promise<Source> {
  const spec = locator.spec as string;
  const now = await fileLocator(spec);
  if (now.size !== locator.size || now.mtimeMs !== locator.mtimeMs) {
    throw new InputError(`${parseSpec(spec).path}: has changed while it was being read.`);
  }
  return outOfCoreSource(await openTable(spec), locator);
}

async function outOfCoreSource(table: Table, locator: Locator): Promise<Source> {
  const { rows, cols, precision } = table;
  if (table.readRows) {
    return { rows, cols, precision, read: table.readRows, close: () => table.close(), locator };
  }
  const bytes = await spool(table.name, bytesOfEach(table.stream()));
  await table.close();
  const dtype: DType = { kind: 'f', size: bytesPerNumber(precision), bigEndian: false };
  const read = async (start: number, end: number): Promise<Matrix> => {
    const data = allocate(precision, (end - start) * cols);
    await readNumbers(sequentialReader(bytes, start * cols * dtype.size), dtype, data);
    return { rows: end - start, cols, data };
  };
  return { rows, cols, precision, read, close: () => bytes.close() };
}
