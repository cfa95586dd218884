/** Opens sources by their locators in a thread: the engine's kinds, files, and many files as one. */
import { locatorOpener, type OpenLocator } from '../../engine/locator.ts';
import { sharedOpener } from '../../engine/shared-sources.ts';

const openFile: OpenLocator = async (locator) => (await import('../formats/file-locator.ts')).openFileLocator(locator);

const openShared = sharedOpener(openFile, JSON.stringify);

export const openNodeLocator = locatorOpener({ file: openShared, files: openShared });
