/** Opening sources by their locators, in the thread or on the machine that reads them. */
import { openMemory } from './memory.ts';
import { partOf } from './part.ts';
import { rangeOf } from './range.ts';
import type { Locator, Source } from './source.ts';

export type OpenLocator = (locator: Locator) => Promise<Source>;

/** Opens the engine's kinds of source (memory, part, range) and the platform's, such as files. */
export function locatorOpener(platform: Readonly<Record<string, OpenLocator>>): OpenLocator {
  const open: OpenLocator = async (locator) => {
    const kind = kinds[locator.kind];
    if (!kind) {
      throw new Error(`sources: cannot open the kind "${locator.kind}" here; known: ${Object.keys(kinds).join(', ')}.`);
    }
    return kind(locator);
  };
  const inside = async (locator: Locator, wrap: (whole: Source) => Source): Promise<Source> => {
    const whole = await open(locator.of as Locator);
    return { ...wrap(whole), close: async () => whole.close?.() };
  };
  const kinds: Readonly<Record<string, OpenLocator>> = {
    memory: async (locator) => openMemory(locator),
    part: (locator) => inside(locator, (whole) => partOf(whole, locator.rows as number, locator.turn as number)),
    range: (locator) => inside(locator, (whole) => rangeOf(whole, locator.start as number, locator.end as number)),
    ...platform,
  };
  return open;
}
