/** Opening sources by their locators, in the thread or on the machine that reads them. */
import { type FloatArray, type Matrix, rowRange } from '../../core/matrix.ts';
import { openMemory } from './memory.ts';
import { rangeOf } from './slice.ts';
import type { Locator, RowRange, Source } from './source.ts';
import { readSide, type Side, sideOf } from './split.ts';
import { firstRowOf, type Part, partOf } from './subsample.ts';

export type OpenLocator = (locator: Locator) => Promise<Source>;

/** Opens the engine's kinds of source (memory, part, range, split) and the platform's, such as files. */
export function locatorOpener(platform: Readonly<Record<string, OpenLocator>>): OpenLocator {
  const open: OpenLocator = async (locator) => {
    const kind = kinds[locator.kind];
    if (!kind) {
      throw new Error(`sources: cannot open the kind "${locator.kind}" here; known: ${Object.keys(kinds).join(', ')}.`);
    }
    return kind(locator);
  };
  const inside = async (locator: Locator, last: number, wrap: (whole: Source) => Source): Promise<Source> => {
    const whole = await open(locator.of as Locator);
    if (!(last <= whole.rows)) {
      await whole.close?.();
      throw new Error(`sources: row ${last} is beyond the ${whole.rows} that there are.`);
    }
    return { ...wrap(whole), close: async () => whole.close?.() };
  };
  const kinds: Readonly<Record<string, OpenLocator>> = {
    memory: async (locator) => openMemory(locator),
    part: (locator) =>
      inside(locator, locator.rows as number, (whole) => partOf(whole, locator.rows as number, locator.turn as number)),
    range: (locator) =>
      inside(locator, locator.end as number, (whole) => rangeOf(whole, locator.start as number, locator.end as number)),
    split: (locator) =>
      inside(locator, 2 * (locator.held as number), (whole) => sideOf(whole, locator as unknown as Side)),
    ...platform,
  };
  return open;
}

/** Whether it names rows of another source, which is `of`. */
export const isWithin = (locator: Locator): locator is Locator & { readonly of: Locator } =>
  ['part', 'range', 'split'].includes(locator.kind);

/** Rows that are in memory, read without waiting. */
export interface MemoryReader {
  readonly rows: number;
  read(start: number, end: number): Matrix;
}

/** Reads what a locator names if it is in memory, or a part, range or side of it; undefined for other kinds. */
export function memoryReader(locator: Locator): MemoryReader | undefined {
  const rows = locator.rows as number;
  if (locator.kind === 'memory') {
    const matrix = { rows, cols: locator.cols as number, data: locator.data as FloatArray };
    return { rows, read: (start, end) => rowRange(matrix, start, end) };
  }
  const whole = isWithin(locator) ? memoryReader(locator.of) : undefined;
  if (!whole) return undefined;
  if (locator.kind === 'split') {
    const side = locator as unknown as Side;
    const own = side.side === 'held' ? side.held : whole.rows - side.held;
    return { rows: own, read: readSide(whole.read, whole.rows, side) };
  }
  if (locator.kind === 'range') {
    const { start: from, end: to } = locator as unknown as RowRange;
    return { rows: to - from, read: (start, end) => whole.read(from + start, from + end) };
  }
  const read: MemoryReader['read'] = (start, end) => {
    const first = firstRowOf(start, end, whole.rows, locator as unknown as Part);
    return whole.read(first, first + end - start);
  };
  return { rows, read };
}
