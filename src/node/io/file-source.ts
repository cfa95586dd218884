/** Opens files of samples by name, as tables and as sources: one file, an address, standard input, or many files as one. */

import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import { InputError } from '../../core/errors.ts';
import { requireFileName, requireObject } from '../../core/require-matrix.ts';
import { warnOnce } from '../../core/warn.ts';
import type { FileLocator, Source } from '../../engine/source/source.ts';
import { type ReadOptions, readLimits } from '../../io/bytes/budget.ts';
import { isAddress, parseSpec, STANDARD_INPUT, shownPath, withArray } from '../../io/bytes/spec.ts';
import { EXTENSIONS, extensionOf, openFormat } from '../../io/codecs/index.ts';
import { codecs } from '../../io/codecs/loaders.ts';
import type { PatchReading } from '../../io/codecs/picture/reading.ts';
import { CommonMeans } from '../../io/tables/fill-missing.ts';
import { givenExtension, requirePatchReading, requirePictures, requireTable } from '../../io/tables/option-use.ts';
import { type Format, requireTableOptions, type TableOptions, type TableReading } from '../../io/tables/options.ts';
import { sourceOfTable } from '../../io/tables/source.ts';
import type { Table } from '../../io/tables/table.ts';
import { spool } from './file-bytes.ts';
import { filesOf, joinTables } from './many-files.ts';
import { openBytes } from './open-bytes.ts';
import { formatOfInput, readStandardInput } from './standard-input.ts';

/** Options for opening a file. */
export interface FileSourceOptions extends ReadOptions {
  /** Aborts the wait for standard input. */
  readonly signal?: AbortSignal | undefined;
  /** Most bytes of numbers to keep in memory; by default half of the available memory. */
  readonly memoryLimit?: number | undefined;
  /** Options of tables, and of files whose format their name does not show. */
  readonly table?: TableOptions | undefined;
  /** Options of pictures. */
  readonly pictures?: PatchReading | undefined;
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
  requireFileName('openSource', spec);
  requireObject('openSource', 'options', options, 'an object');
  return fileSource(await openTable(spec, options), options);
}

/** Reads the numbers of a table; closes it if they fit into memory, and on failure. */
export const fileSource = (table: Table, options: FileSourceOptions): Promise<Source> =>
  sourceOfTable(table, {
    memoryLimit: options.memoryLimit ?? defaultMemoryLimit(),
    spool,
  });

const decoder = async () => (await import('./picture-decode.ts')).sharpDecoder;

/** Opens the 2-d array that `spec` names, or those of many files as one, without reading its numbers. */
export async function openTable(spec: string, options: FileSourceOptions = {}): Promise<Table> {
  requireTableOptions(options.table ?? {});
  requirePatchReading(options.pictures ?? {});
  const table = await openWhole(spec, options);
  if (!table.patch) return table;
  return closingOnFailure(table, async () =>
    (await import('../../io/codecs/picture/table.ts')).limitPatches(
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

/** Returns the files that `spec` names; none for standard input. */
export async function filesNamed(spec: string, format?: Format): Promise<string[]> {
  if (spec === STANDARD_INPUT) return [];
  const files = await filesOf(spec, isKnown(format));
  return (files ?? [spec]).map((file) => parseSpec(file).path);
}

/** Whether a file of a folder is read: all are if their format is given. */
const isKnown = (format: Format | undefined) => (name: string) =>
  format !== undefined || extensionOf(name) !== undefined;

/** Opens files as one table; `spec`: their common name. */
export async function openTables(spec: string, files: readonly string[], options: FileSourceOptions): Promise<Table> {
  const tables: Table[] = [];
  const means = options.table?.missing === 'mean' ? new CommonMeans() : undefined;
  try {
    for (const file of files) tables.push(await openOneTable(file, { ...options, table: { ...options.table, means } }));
    means?.settle(spec);
    const joined = joinTables(spec, tables);
    if (tables.length > 1 && joined.cols === 1 && files.every((file) => extensionOf(parseSpec(file).path) === '.wav')) {
      (options.table?.onRemark ?? warnOnce)(
        `${spec}: ${files.length} recordings of one channel are put end to end as one feature; to unmix sources, make them channels of one file.`,
      );
    }
    return joined;
  } catch (error) {
    for (const table of tables) await table.close();
    throw error;
  }
}

/** Opens one file as a table. `name`: of the file. */
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
    throw new InputError(`${shownPath(path)}: the name must end in one of ${EXTENSIONS.join(' ')}.`);
  }
  requireTable(shownPath(path), extension, table);
  requirePictures(shownPath(path), extension, pictures);
  const bytes = await openBytes(path, readLimits(limits));
  const place = isAddress(path) ? path : resolve(path);
  const spec = array === undefined ? place : withArray(place, array);
  const reading = { array, table, pictures, codecs, decoder };
  const opened = await closingOnFailure(bytes, () => openFormat(extension, bytes, reading));
  const { format } = table;
  // the fingerprint lets others notice if the file has changed
  const locator: FileLocator = {
    kind: 'file',
    spec,
    ...bytes.fingerprint!,
    ...(limits && { limits }),
    ...(format && { format }),
  };
  return { ...opened, locator };
}

async function openInput({ limits, table = {}, pictures = {}, signal }: FileSourceOptions): Promise<Table> {
  const given = givenExtension(table);
  if (given) requireTable('standard input', given, table);
  const bytes = await readStandardInput(readLimits(limits), signal);
  return closingOnFailure(bytes, async () => {
    const extension = given ?? `.${await formatOfInput(bytes)}`;
    requireTable(bytes.name, extension, table);
    requirePictures(bytes.name, extension, pictures);
    return openFormat(extension, bytes, { table, pictures, codecs, decoder });
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

/** Returns half of the available memory, but at least an eighth of the total: some systems count file caches as used. */
export function defaultMemoryLimit(): number {
  const total = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.max(process.availableMemory() / 2, total / 8);
}
