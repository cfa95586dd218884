/**
 * A file of samples as a source. Data that fits is read once into shared memory. Larger data is read in place, piece by
 * piece, if the format allows it, and otherwise unpacked once into a temporary file of raw numbers.
 *
 * Data read in place is checked as what it is, a file that others may write to: every piece must be finite, and the
 * file as old as when it was opened. The checksum of an archive member is of all its bytes, and threads read pieces in
 * any order; it is therefore verified when the source is opened, by one sequential reading (of the tens or hundreds that
 * learning does), and not again by the threads, which are only let in if the file is still the same.
 */
import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import { InputError } from '../../core/errors.ts';
import type { FloatArray, Matrix } from '../../core/matrix.ts';
import { firstNotFinite, placeOf } from '../../core/require-matrix.ts';
import { warnOnce } from '../../core/warn.ts';
import { memorySource } from '../../engine/memory.ts';
import type { Locator, Source } from '../../engine/source.ts';
import { type ReadOptions, readLimits } from './budget.ts';
import type { Bytes } from './bytes.ts';
import { sequentialReader } from './bytes.ts';
import { openCsvTable } from './csv.ts';
import type { DType } from './dtype.ts';
import { allocate, bytesOfEach, bytesPerNumber, readNumbers } from './dtype.ts';
import { CommonMeans } from './fill-missing.ts';
import { isAddress, shownPath } from './http-bytes.ts';
import { openIdxTable } from './idx.ts';
import { filesOf, joinTables } from './many-files.ts';
import { gzippedNpyFile, npyFile, openNpyTable } from './npy.ts';
import { openNpz, pickArray } from './npz.ts';
import { openBytes } from './open-bytes.ts';
import { givenExtension, requirePatchReading, requirePictures, requireTable } from './option-use.ts';
import { openParquetTable } from './parquet.ts';
import { PICTURES } from './picture-names.ts';
import type { PatchReading } from './picture-table.ts';
import { isSparse, openSparseTable } from './sparse.ts';
import { fileName, parseSpec, withArray } from './spec.ts';
import { spool } from './spool.ts';
import { readStandardInput, recognisedFormat, STANDARD_INPUT } from './standard-input.ts';
import type { Table } from './table.ts';
import { type Format, requireTableOptions, type TableOptions, type TableReading } from './table-options.ts';
import { textContent } from './text-lines.ts';
import { openWavTable } from './wav.ts';

/** How a file is opened. */
export interface FileSourceOptions extends ReadOptions {
  /** Ends the wait for standard input. */
  readonly signal?: AbortSignal | undefined;
  /** Most bytes of numbers to keep in memory; by default half of the available memory. */
  readonly memoryLimit?: number | undefined;
  /** For tables, and for files whose name does not tell the format. */
  readonly table?: TableOptions | undefined;
  /** For pictures. */
  readonly pictures?: PatchReading | undefined;
}

type Open = (bytes: Bytes, array: string | undefined, table: TableReading, pictures: PatchReading) => Promise<Table>;

const openPicture: Open = async (bytes, _, __, pictures) =>
  (await import('./picture-table.ts')).openPictureTable(bytes, pictures);

/** By file name extension. */
const FORMATS: Readonly<Record<`.${Format}`, Open> & Record<string, Open>> = {
  '.npy': (bytes) => openNpyTable(npyFile(bytes)),
  '.npy.gz': (bytes) => openNpyTable(gzippedNpyFile(bytes)),
  '.npz': openNpzTable,
  '.idx': (bytes) => openIdxTable(npyFile(bytes)),
  '.idx.gz': (bytes) => openIdxTable(gzippedNpyFile(bytes)),
  '.wav': (bytes) => openWavTable(bytes),
  '-ubyte': (bytes) => openIdxTable(npyFile(bytes)),
  '-ubyte.gz': (bytes) => openIdxTable(gzippedNpyFile(bytes)),
  '.csv': (bytes, _, table) => openCsvTable(textContent(bytes, false), table),
  '.csv.gz': (bytes, _, table) => openCsvTable(textContent(bytes, true), table),
  '.tsv': (bytes, _, table) => openCsvTable(textContent(bytes, false), { delimiter: '\t', ...table }),
  '.tsv.gz': (bytes, _, table) => openCsvTable(textContent(bytes, true), { delimiter: '\t', ...table }),
  '.parquet': (bytes, _, table) => openParquetTable(bytes, table),
  ...(Object.fromEntries(PICTURES.map((name) => [name, openPicture])) as Record<(typeof PICTURES)[number], Open>),
};

async function openNpzTable(bytes: Bytes, array: string | undefined): Promise<Table> {
  const arrays = await openNpz(bytes);
  if (array === undefined && isSparse(arrays)) return openSparseTable(bytes, arrays);
  return openNpyTable(await pickArray(bytes.name, arrays, array));
}

/**
 * Opens a file of samples; reads them when they are needed. `spec` is a path, or `file.npz:name` for one array of an
 * archive, or an http(s) address of a file, or `-` for standard input; or many files as one: a folder, a pattern
 * (`shards/*.npy`), a list of names (`@files.txt`). Closing the source closes the file.
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
  return sourceOfTable(await openTable(spec, options), options);
}

/** The numbers of a table; closes it if they fit into memory, and on failure. */
export async function sourceOfTable(table: Table, options: FileSourceOptions = {}): Promise<Source> {
  try {
    const data = allocateWithin(table, options.memoryLimit ?? defaultMemoryLimit());
    if (!data) {
      await table.verify?.();
      return await outOfCoreSource(table, fileLocator(table, options));
    }
    await table.load(data);
    await table.close();
    return { ...memorySource({ rows: table.rows, cols: table.cols, data }), ...columnsOf(table) };
  } catch (error) {
    await table.close();
    throw error;
  }
}

/** What a source knows about its columns. */
const columnsOf = ({ names, patch }: Table) => ({ ...(names && { names }), ...(patch && { patch }) });

/** Opens the 2-d array that `spec` names, or those of many files as one, without reading its numbers. */
export async function openTable(spec: string, options: FileSourceOptions = {}): Promise<Table> {
  requireTableOptions(options.table ?? {});
  requirePatchReading(options.pictures ?? {});
  const table = await openWhole(spec, options);
  if (!table.patch) return table;
  return closingOnFailure(table, async () =>
    (await import('./picture-table.ts')).limitPatches(
      table,
      options.pictures ?? {},
      options.table?.onRemark ?? warnOnce,
    ),
  );
}

async function openWhole(spec: string, options: FileSourceOptions): Promise<Table> {
  if (spec === STANDARD_INPUT) return openInput(options);
  const files = await filesOf(spec, isKnown(options.table?.format));
  return files ? openTables(spec, files, options) : openOneTable(spec, options);
}

/** The files that `spec` names; standard input is none. */
export async function filesNamed(spec: string, format?: Format): Promise<string[]> {
  if (spec === STANDARD_INPUT) return [];
  const files = await filesOf(spec, isKnown(format));
  return (files ?? [spec]).map((file) => parseSpec(file).path);
}

/** Which files of a folder are read: all if their format is given. */
const isKnown = (format: Format | undefined) => (name: string) =>
  format !== undefined || extensionOf(name) !== undefined;

/** Files as one table; `spec`: what they are called together. */
export async function openTables(spec: string, files: readonly string[], options: FileSourceOptions): Promise<Table> {
  const tables: Table[] = [];
  const means = options.table?.missing === 'mean' ? new CommonMeans() : undefined;
  try {
    for (const file of files) tables.push(await openOneTable(file, { ...options, table: { ...options.table, means } }));
    means?.settle(spec);
    return joinTables(spec, tables);
  } catch (error) {
    for (const table of tables) await table.close();
    throw error;
  }
}

const extensionOf = (path: string): string | undefined =>
  Object.keys(FORMATS).find((known) => fileName(path).toLowerCase().endsWith(known));

/** `name`: of one file. */
export async function openOneTable(
  name: string,
  {
    limits,
    table = {},
    pictures = {},
  }: Omit<FileSourceOptions, 'table'> & { readonly table?: TableReading | undefined },
): Promise<Table> {
  const { path, array } = parseSpec(name);
  const extension = givenExtension(table) ?? extensionOf(path);
  if (!extension) {
    throw new InputError(`${shownPath(path)}: the name must end in one of ${Object.keys(FORMATS).join(' ')}.`);
  }
  requireTable(shownPath(path), extension, table);
  requirePictures(shownPath(path), extension, pictures);
  const bytes = await openBytes(path, readLimits(limits));
  const place = isAddress(path) ? path : resolve(path);
  const spec = array === undefined ? place : withArray(place, array);
  const opened = await closingOnFailure(bytes, () => FORMATS[extension](bytes, array, table, pictures));
  return { ...opened, files: [{ spec, ...bytes.fingerprint! }] };
}

async function openInput({ limits, table = {}, pictures = {}, signal }: FileSourceOptions): Promise<Table> {
  const given = givenExtension(table);
  if (given) requireTable('standard input', given, table);
  const bytes = await readStandardInput(readLimits(limits), signal);
  return closingOnFailure(bytes, async () => {
    const extension = given ?? `.${await recognisedFormat(bytes)}`;
    requireTable(bytes.name, extension, table);
    requirePictures(bytes.name, extension, pictures);
    return FORMATS[extension](bytes, undefined, table, pictures);
  });
}

async function closingOnFailure<T>(opened: { close(): Promise<void> }, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Half of the available memory, but at least an eighth of the total: some systems count file caches as used. */
export function defaultMemoryLimit(): number {
  const total = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.max(process.availableMemory() / 2, total / 8);
}

/** Shared memory for all numbers, or undefined if they exceed the limit or the size of one array. */
export function allocateWithin({ rows, cols, precision }: Table, limit: number): FloatArray | undefined {
  if (rows * cols * bytesPerNumber(precision) > limit) return undefined;
  try {
    return allocate(precision, rows * cols, true);
  } catch {
    return undefined;
  }
}

/** Where other threads find the files of a table, with their fingerprints, so that others notice if they have changed. */
function fileLocator({ files }: Table, { limits, table }: FileSourceOptions): Locator | undefined {
  if (!files) return undefined; // standard input
  const { format } = table ?? {};
  const each = files.map((file) => ({ kind: 'file', ...file, ...(limits && { limits }), ...(format && { format }) }));
  return each.length === 1 ? each[0] : { kind: 'files', of: each };
}

/** Reads pieces of a table when they are asked for. */
export async function outOfCoreSource(table: Table, locator: Locator | undefined): Promise<Source> {
  const { rows, cols, precision } = table;
  if (table.loadRows) {
    const read = async (start: number, end: number): Promise<Matrix> => {
      const data = allocate(precision, (end - start) * cols);
      await loadInPlace(table, start, data);
      return { rows: end - start, cols, data };
    };
    return { rows, cols, precision, read, close: () => table.close(), locator, ...columnsOf(table) };
  }
  const bytes = await spool(table.name, bytesOfEach(table.stream()));
  await table.close();
  const dtype: DType = { kind: 'f', size: bytesPerNumber(precision), bigEndian: false };
  const read = async (start: number, end: number): Promise<Matrix> => {
    const data = allocate(precision, (end - start) * cols);
    await readNumbers(sequentialReader(bytes, start * cols * dtype.size), dtype, data);
    return { rows: end - start, cols, data };
  };
  return { rows, cols, precision, read, close: () => bytes.close(), ...columnsOf(table) };
}

/** Fills `out` with rows, from `start` on, of a file that others may write to. */
export async function loadInPlace(table: Table, start: number, out: FloatArray): Promise<void> {
  await table.loadRows!(start, out);
  const bad = firstNotFinite(out);
  if (bad >= 0) {
    const samples = { rows: out.length / table.cols, cols: table.cols, data: out };
    throw new InputError(`${table.name}: samples must be finite; got ${placeOf(samples, bad, start)}.`);
  }
  await table.requireUnchanged?.();
}
