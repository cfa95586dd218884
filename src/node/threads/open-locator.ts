/** Opens sources by their locators in a thread: the engine's kinds, files, and many files as one. */

import { sharedOpener } from '../../engine/source/cache.ts';
import { locatorOpener, type OpenLocator } from '../../engine/source/locator.ts';

const openFile: OpenLocator = async (locator) => (await import('../io/file-locator.ts')).openFileLocator(locator);

const openShared = sharedOpener(openFile, JSON.stringify);

export const openNodeLocator = locatorOpener({ file: openShared, files: openShared });
