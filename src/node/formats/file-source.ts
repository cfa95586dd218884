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
import { memorySource } from '../../engine/memory.ts';
import type { Locator, Source } from '../../engine/source.ts';
import { type ReadOptions, readLimits } from './budget.ts';
import type { Bytes } from './bytes.ts';
import { sequentialReader } from './bytes.ts';
import { openCsvTable } from './csv.ts';
import type { DType } from './dtype.ts';
import { allocate, bytesOfEach, bytesPerNumber, readNumbers } from './dtype.ts';
import { type Fingerprint, requireSame } from './fingerprint.ts';
import { isAddress, shownPath } from './http-bytes.ts';
import { openIdxTable } from './idx.ts';
import { filesOf, joinTables } from './many-files.ts';
import { gzippedNpyFile, npyFile, openNpyTable } from './npy.ts';
import { openNpz, pickArray } from './npz.ts';
import { currentFingerprint, openBytes } from './open-bytes.ts';
import { fileName, parseSpec, withArray } from './spec.ts';
import { spool } from './spool.ts';
import { PIECE_LENGTH, type Table } from './table.ts';
import type { TableOptions } from './table-options.ts';
import { textContent } from './text-lines.ts';
import { openWavTable } from './wav.ts';

/** How a file is opened. */
export interface FileSourceOptions extends ReadOptions {
  /** Most bytes of numbers to keep in memory; by default half of the available memory. */
  readonly memoryLimit?: number | undefined;
  /** For tables of text. */
  readonly table?: TableOptions | undefined;
}

type Open = (bytes: Bytes, array: string | undefined, table: TableOptions) => Promise<Table>;

/** By file name extension. */
const FORMATS: Readonly<Record<string, Open>> = {
  '.npy': (bytes) => openNpyTable(npyFile(bytes)),
  '.npy.gz': (bytes) => openNpyTable(gzippedNpyFile(bytes)),
  '.npz': async (bytes, array) => openNpyTable(await pickArray(bytes.name, await openNpz(bytes), array)),
  '.idx': (bytes) => openIdxTable(npyFile(bytes)),
  '.idx.gz': (bytes) => openIdxTable(gzippedNpyFile(bytes)),
  '.wav': (bytes) => openWavTable(bytes),
  '-ubyte': (bytes) => openIdxTable(npyFile(bytes)),
  '-ubyte.gz': (bytes) => openIdxTable(gzippedNpyFile(bytes)),
  '.csv': (bytes, _, table) => openCsvTable(textContent(bytes, false), table),
  '.csv.gz': (bytes, _, table) => openCsvTable(textContent(bytes, true), table),
  '.tsv': (bytes, _, table) => openCsvTable(textContent(bytes, false), { delimiter: '\t', ...table }),
  '.tsv.gz': (bytes, _, table) => openCsvTable(textContent(bytes, true), { delimiter: '\t', ...table }),
};

/** Formats whose columns may have names. */
const hasColumns = (extension: string): boolean => /^\.[ct]sv/.test(extension);

/**
 * Opens a file of samples; reads them when they are needed. `spec` is a path, or `file.npz:name` for one array of an
 * archive, or an http(s) address of a file; or many files as one: a folder, a pattern (`shards/*.npy`), a list of names
 * (`@files.txt`). Closing the source closes the file.
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
      return await outOfCoreSource(table, fileLocator(table, options.limits));
    }
    await table.load(data);
    await table.close();
    return { ...memorySource({ rows: table.rows, cols: table.cols, data }), ...namesOf(table) };
  } catch (error) {
    await table.close();
    throw error;
  }
}

const namesOf = ({ names }: Table) => names && { names };

/** Opens the 2-d array that `spec` names, or those of many files as one, without reading its numbers. */
export async function openTable(spec: string, options: FileSourceOptions = {}): Promise<Table> {
  const files = await filesOf(spec, (name) => extensionOf(name) !== undefined);
  return files ? openTables(spec, files, options) : openOneTable(spec, options);
}

/** The files that `spec` names. */
export async function filesNamed(spec: string): Promise<string[]> {
  const files = await filesOf(spec, (name) => extensionOf(name) !== undefined);
  return (files ?? [spec]).map((file) => parseSpec(file).path);
}

async function openTables(spec: string, files: readonly string[], options: FileSourceOptions): Promise<Table> {
  const tables: Table[] = [];
  try {
    for (const file of files) tables.push(await openOneTable(file, options));
    return joinTables(spec, tables);
  } catch (error) {
    for (const table of tables) await table.close();
    throw error;
  }
}

const extensionOf = (path: string): string | undefined =>
  Object.keys(FORMATS).find((known) => fileName(path).toLowerCase().endsWith(known));

async function openOneTable(name: string, { limits, table = {} }: FileSourceOptions): Promise<Table> {
  const { path, array } = parseSpec(name);
  const extension = extensionOf(path);
  if (!extension) {
    throw new InputError(`${shownPath(path)}: the name must end in one of ${Object.keys(FORMATS).join(' ')}.`);
  }
  const { onRemark: _, ...given } = table;
  const [vain] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (vain !== undefined && !hasColumns(extension)) {
    throw new InputError(`${shownPath(path)}: must be a table of text (.csv, .tsv) for --${vain}; got ${extension}.`);
  }
  const bytes = await openBytes(path, readLimits(limits));
  try {
    const place = isAddress(path) ? path : resolve(path);
    const spec = array === undefined ? place : withArray(place, array);
    return { ...(await FORMATS[extension](bytes, array, table)), files: [{ spec, ...bytes.fingerprint! }] };
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

/** Shared memory for all numbers, or undefined if they exceed the limit or the size of one array. */
function allocateWithin({ rows, cols, precision }: Table, limit: number): FloatArray | undefined {
  if (rows * cols * bytesPerNumber(precision) > limit) return undefined;
  try {
    return allocate(precision, rows * cols, true);
  } catch {
    return undefined;
  }
}

/** Where other threads find the files of a table, with their fingerprints, so that others notice if they have changed. */
function fileLocator({ files = [] }: Table, limits: FileSourceOptions['limits']): Locator {
  const each = files.map((file) => ({ kind: 'file', ...file, ...(limits && { limits }) }));
  return each.length === 1 ? each[0] : { kind: 'files', of: each };
}

/** The same file in another thread or on another machine, read where it stands. */
export async function openFileLocator(locator: Locator): Promise<Source> {
  return outOfCoreSource(await openSameTable(locator), locator);
}

/**
 * The same file on another machine, in memory that threads share; undefined if it does not fit. Rows are there once they have been
 * read from the source: a machine that computes some blocks reads these only.
 */
export async function openFileLocatorInMemory(locator: Locator): Promise<Source | undefined> {
  const table = await openSameTable(locator);
  const data = table.loadRows && allocateWithin(table, defaultMemoryLimit());
  if (!data) {
    await table.close();
    return undefined;
  }
  const { rows, cols } = table;
  const whole = memorySource({ rows, cols, data });
  const fill = fillingOnce(rows, Math.ceil(PIECE_LENGTH / cols), (start, end) =>
    loadInPlace(table, start, data.subarray(start * cols, end * cols)),
  );
  const read: Source['read'] = async (start, end) => {
    await fill(start, end);
    return whole.read(start, end);
  };
  return { ...whole, read, close: () => table.close() };
}

/** Calls `fill` for pieces of `size` rows, once each, when rows of them are first asked for. */
function fillingOnce(
  rows: number,
  size: number,
  fill: (start: number, end: number) => Promise<void>,
): (start: number, end: number) => Promise<void> {
  const pieces = new Map<number, Promise<void>>();
  return async (start, end) => {
    for (let piece = Math.floor(start / size); piece * size < end; piece++) {
      const known = pieces.get(piece) ?? fill(piece * size, Math.min(rows, (piece + 1) * size));
      pieces.set(piece, known);
      known.catch(() => pieces.delete(piece));
      await known;
    }
  };
}

/** Throws if a file is not the one that the locator was made of. */
async function openSameTable(locator: Locator): Promise<Table> {
  const each = locator.kind === 'files' ? (locator.of as readonly Locator[]) : [locator];
  for (const locator of each) {
    const { path } = parseSpec(locator.spec as string);
    requireSame(shownPath(path), locator as unknown as Fingerprint, await currentFingerprint(path));
  }
  const limits = each[0].limits as FileSourceOptions['limits'];
  const specs = each.map(({ spec }) => spec as string);
  return locator.kind === 'files'
    ? openTables(shownPath(specs[0]), specs, { limits })
    : openOneTable(specs[0], { limits });
}

async function outOfCoreSource(table: Table, locator: Locator): Promise<Source> {
  const { rows, cols, precision } = table;
  if (table.loadRows) {
    const read = async (start: number, end: number): Promise<Matrix> => {
      const data = allocate(precision, (end - start) * cols);
      await loadInPlace(table, start, data);
      return { rows: end - start, cols, data };
    };
    return { rows, cols, precision, read, close: () => table.close(), locator, ...namesOf(table) };
  }
  const bytes = await spool(table.name, bytesOfEach(table.stream()));
  await table.close();
  const dtype: DType = { kind: 'f', size: bytesPerNumber(precision), bigEndian: false };
  const read = async (start: number, end: number): Promise<Matrix> => {
    const data = allocate(precision, (end - start) * cols);
    await readNumbers(sequentialReader(bytes, start * cols * dtype.size), dtype, data);
    return { rows: end - start, cols, data };
  };
  return { rows, cols, precision, read, close: () => bytes.close(), ...namesOf(table) };
}

/** Fills `out` with rows, from `start` on, of a file that others may write to. */
async function loadInPlace(table: Table, start: number, out: FloatArray): Promise<void> {
  await table.loadRows!(start, out);
  const bad = firstNotFinite(out);
  if (bad >= 0) {
    const samples = { rows: out.length / table.cols, cols: table.cols, data: out };
    throw new InputError(`${table.name}: samples must be finite; got ${placeOf(samples, bad, start)}.`);
  }
  await table.requireUnchanged?.();
}
