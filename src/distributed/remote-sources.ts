/**
 * Opens the samples of a job on a worker. Files that fit are kept in memory for all jobs, so that threads share them; only the
 * rows that a job needs are read. Larger files are read in place. A file that is not the one the driver saw is refused.
 */
import { isView, locatorOpener } from '../engine/source/locator.ts';
import type { FileLocator, FilesLocator, RowRange, Source } from '../engine/source/source.ts';
import { openFileLocator, openFileLocatorInMemory } from '../node/io/file-locator.ts';

const MOST_OPEN = 4;
/** Open files by locator; the last used are last. */
const files = new Map<string, Promise<Source>>();

type Files = FileLocator | FilesLocator;

export const openRemote = locatorOpener({ kinds: ['file', 'files'], open: openKept });

async function openKept(locator: Files): Promise<Source> {
  const source = await useFile(locator);
  return { ...source, close: async () => {} };
}

async function useFile(locator: Files): Promise<Source> {
  const key = JSON.stringify(locator);
  const found = files.get(key) ?? open(locator);
  files.delete(key);
  files.set(key, found);
  found.catch(() => files.delete(key));
  for (const [oldest, source] of files) {
    if (files.size <= MOST_OPEN) break;
    files.delete(oldest);
    source.then(({ close }) => close?.()).catch(() => {});
  }
  return found;
}

const open = async (locator: Files): Promise<Source> =>
  (await openFileLocatorInMemory(locator)) ?? (await openFileLocator(locator));

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
