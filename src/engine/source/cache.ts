/** A cache of open sources: several passes read the same one, and the last few stay open between passes. */
import type { OpenLocator } from './locator.ts';
import type { Locator, Source } from './source.ts';

/** Most sources kept open without users. */
const MOST_OPEN = 4;

interface OpenSource {
  readonly source: Promise<Source>;
  /** Number of passes that read it now. */
  users: number;
}

/** Opens each source once. `keyOf`: a key that is equal for locators of the same source. */
export function sharedOpener<L extends Locator>(open: OpenLocator<L>, keyOf: (locator: L) => string): OpenLocator<L> {
  /** By key; the source used last is last. */
  const sources = new Map<string, OpenSource>();
  const use = (key: string, locator: L): OpenSource => {
    const found = sources.get(key) ?? { source: open(locator), users: 0 };
    found.users++;
    sources.delete(key);
    sources.set(key, found);
    closeUnused(sources);
    return found;
  };
  return async (locator) => {
    const key = keyOf(locator);
    const found = use(key, locator);
    try {
      return { ...(await found.source), close: async () => void found.users-- };
    } catch (error) {
      found.users--;
      sources.delete(key);
      throw error;
    }
  };
}

/** Closes the sources used longest ago, down to {@link MOST_OPEN}, except those in use. */
function closeUnused(sources: Map<string, OpenSource>): void {
  for (const [key, { source, users }] of sources) {
    if (sources.size <= MOST_OPEN) return;
    if (users > 0) continue;
    sources.delete(key);
    source.then(({ close }) => close?.()).catch(() => {}); // a source that could not be opened has nothing to close
  }
}
