/** Reopens files in other threads and on other machines by a locator, which contains the name and the fingerprint. */
import { memorySource } from '../../engine/source/memory.ts';
import type { FileLocator, FilesLocator, Source } from '../../engine/source/source.ts';
import { requireSame } from '../../io/bytes/fingerprint.ts';
import { parseSpec, shownPath } from '../../io/bytes/spec.ts';
import type { TableOptions } from '../../io/tables/options.ts';
import { allocateWithin, loadInPlace, outOfCoreSource } from '../../io/tables/source.ts';
import { PIECE_LENGTH, type Table } from '../../io/tables/table.ts';
import { defaultMemoryLimit, type FileSourceOptions, openOneTable, openTables } from './file-source.ts';
import { currentFingerprint } from './open-bytes.ts';

/** Opens a file again in another thread or on another machine, to be read in place. */
export async function openFileLocator(locator: FileLocator | FilesLocator): Promise<Source> {
  return outOfCoreSource(await openSameTable(locator), locator);
}

/**
 * Opens a file again on another machine, in memory that threads share; undefined if it does not fit. Rows are available once they have been
 * read from the source: a machine that computes some blocks reads these only.
 */
export async function openFileLocatorInMemory(locator: FileLocator | FilesLocator): Promise<Source | undefined> {
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

/** Opens the table; throws if a file is not the one that the locator was made from. */
async function openSameTable(locator: FileLocator | FilesLocator): Promise<Table> {
  const each = locator.kind === 'files' ? locator.of : [locator];
  for (const locator of each) {
    const { path } = parseSpec(locator.spec);
    requireSame(shownPath(path), locator, await currentFingerprint(path));
  }
  const [{ limits, format }] = each;
  const options: FileSourceOptions = { limits, table: { format: format as TableOptions['format'] } };
  const specs = each.map(({ spec }) => spec);
  return locator.kind === 'files' ? openTables(shownPath(specs[0]), specs, options) : openOneTable(specs[0], options);
}
