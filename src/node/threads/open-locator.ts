/**
 * Opens sources by their locators in a thread: the engine's kinds, and files. The last few files stay open between
 * passes.
 */
import { locatorOpener } from '../../engine/locator.ts';
import type { Locator, Source } from '../../engine/source.ts';

const MOST_OPEN = 4;
const open = new Map<string, Promise<Source>>();

export const openNodeLocator = locatorOpener({
  async file(locator) {
    const { close: _, ...source } = await openFile(locator); // passes come and go; the file stays open
    return source;
  },
});

function openFile(locator: Locator): Promise<Source> {
  const key = JSON.stringify(locator);
  const source = open.get(key) ?? import('../formats/file-source.ts').then((files) => files.openFileLocator(locator));
  open.delete(key);
  open.set(key, source); // the least recently used is closed first
  source.catch(() => open.delete(key));
  for (const oldest of open.keys()) {
    if (open.size <= MOST_OPEN) break;
    void open.get(oldest)?.then(({ close }) => close?.());
    open.delete(oldest);
  }
  return source;
}
