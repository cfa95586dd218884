/**
 * Opens the samples of a job on a worker. Files are read into memory if they fit, once for all jobs, so that threads share
 * them; larger ones are read in place. A file that is not the one the driver saw is refused.
 */
import { locatorOpener } from '../engine/locator.ts';
import type { Locator, Source } from '../engine/source.ts';
import { openFileLocator, openFileLocatorInMemory } from '../node/formats/file-source.ts';

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

/** Whether workers can open a source: files, or part of them. */
export function isRemote({ locator }: Source): boolean {
  let inner = locator;
  while (inner && (inner.kind === 'part' || inner.kind === 'range')) inner = inner.of as typeof locator;
  return inner?.kind === 'file' || inner?.kind === 'files';
}
