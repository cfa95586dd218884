/** Opens sources by their locators in a thread: the engine's kinds, files, and many files as one. The last few stay open between passes. */
import { locatorOpener } from '../../engine/locator.ts';
import type { Locator, Source } from '../../engine/source.ts';

const MOST_OPEN = 4;

interface OpenFile {
  readonly source: Promise<Source>;
  /** Passes that read it now. */
  users: number;
}

/** The last used are last. */
const files = new Map<string, OpenFile>();

export const openNodeLocator = locatorOpener({ file: openShared, files: openShared });

async function openShared(locator: Locator): Promise<Source> {
  const file = useFile(locator);
  try {
    const source = await file.source;
    return { ...source, close: async () => void file.users-- };
  } catch (error) {
    file.users--;
    files.delete(keyOf(locator));
    throw error;
  }
}

const keyOf = (locator: Locator): string => JSON.stringify(locator);

function useFile(locator: Locator): OpenFile {
  const key = keyOf(locator);
  const open = () => import('../formats/file-locator.ts').then(({ openFileLocator }) => openFileLocator(locator));
  const file = files.get(key) ?? { source: open(), users: 0 };
  file.users++;
  files.delete(key);
  files.set(key, file);
  closeUnused();
  return file;
}

/** Closes the files used longest ago, down to MOST_OPEN, except those in use. */
function closeUnused(): void {
  for (const [key, { source, users }] of files) {
    if (files.size <= MOST_OPEN) return;
    if (users > 0) continue;
    files.delete(key);
    source.then(({ close }) => close?.()).catch(() => {}); // one that could not be opened has nothing to close
  }
}
