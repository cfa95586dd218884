/**
 * Opens the samples of a job on a worker. Files that fit are kept in memory for all jobs, so that threads share them; only the
 * rows that a job needs are read. Larger files are read in place. A file that is not the one the driver saw is refused.
 */
import { sharedOpener } from '../engine/source/cache.ts';
import { isView, locatorOpener } from '../engine/source/locator.ts';
import type { FileLocator, FilesLocator, RowRange, Source } from '../engine/source/source.ts';
import { openFileLocator, openFileLocatorInMemory } from '../node/io/file-locator.ts';

const openFiles = async (locator: FileLocator | FilesLocator): Promise<Source> =>
  (await openFileLocatorInMemory(locator)) ?? (await openFileLocator(locator));

export const openRemote = locatorOpener({ kinds: ['file', 'files'], open: sharedOpener(openFiles, JSON.stringify) });

/** Reads the rows of these chunks into memory, if the source is kept there, for all threads. */
export async function fetchRows(source: Source, chunks: readonly RowRange[]): Promise<void> {
  if (originOf(source) !== 'memory') return;
  for (const { start, end } of chunks) await source.read(start, end);
}

/** Whether workers can open a source: files, or views of them. */
export const isRemote = (source: Source): boolean => ['file', 'files'].includes(originOf(source) ?? '');

/** Returns the kind of the source under all views. */
function originOf({ locator }: Source): string | undefined {
  let inner = locator;
  while (inner && isView(inner)) inner = inner.of;
  return inner?.kind;
}
