/** Opens sources by their locators in a thread: memory, views, files, and many files as one. */
import { sharedOpener } from '../../engine/source/cache.ts';
import { locatorOpener } from '../../engine/source/locator.ts';
import type { FileLocator, FilesLocator } from '../../engine/source/source.ts';

const openFile = async (locator: FileLocator | FilesLocator) =>
  (await import('../io/file-locator.ts')).openFileLocator(locator);

const openShared = sharedOpener(openFile, JSON.stringify);

export const openNodeLocator = locatorOpener({ kinds: ['file', 'files'], open: openShared });
