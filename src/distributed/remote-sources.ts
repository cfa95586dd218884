/**
 * Opens the samples of a job on a worker. Files that fit are kept in memory for all jobs, so that threads share them; only the
 * rows that a job needs are read. Larger files are read in place. A file that is not the one the driver saw is refused.
 */
import { isWithin, locatorOpener } from '../engine/source/locator.ts';
import type { Locator, RowRange, Source } from '../engine/source/source.ts';
import { openFileLocator, openFileLocatorInMemory } from '../node/io/file-locator.ts';

const MOST_OPEN = 4;
/** The last used are last. */
const files = new Map<string, Promise<Source>>();

export const openRemote = locatorOpener({ file: openKept, files: openKept });

async function openKept(locator: Locator): Promise<Source> {
  const source = await useFile(locator);
  return { ...source, close: async () => {} };
}

async function useFile(locator: Locator): Promise<Source> {
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

const open = async (locator: Locator): Promise<Source> =>
  (await openFileLocatorInMemory(locator)) ?? (await openFileLocator(locator));

/** Reads the rows of these chunks, if the source is kept in memory: threads find them there. */
export async function fetchRows(source: Source, chunks: readonly RowRange[]): Promise<void> {
  if (originOf(source) !== 'memory') return;
  for (const { start, end } of chunks) await source.read(start, end);
}

/** Whether workers can open a source: files, or part of them. */
export const isRemote = (source: Source): boolean => ['file', 'files'].includes(originOf(source) ?? '');

/** The kind of what a source is part of. */
function originOf({ locator }: Source): string | undefined {
  let inner = locator;
  while (inner && isWithin(inner)) inner = inner.of;
  return inner?.kind;
}
