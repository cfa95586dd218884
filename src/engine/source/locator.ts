/** Opens sources by their locators, in the thread or on the machine that reads them. */
import { type Matrix, rowRange } from '../../core/matrix.ts';
import { memorySource } from './memory.ts';
import type { Locator, PlatformLocator, Source, ViewLocator } from './source.ts';
import { rowsNeeded, rowsOfView, viewOf, viewReader } from './views.ts';

export type OpenLocator<L extends Locator = Locator> = (locator: L) => Promise<Source>;

/** The kinds of data that a platform can open. */
export interface Platform<K extends PlatformLocator['kind']> {
  readonly kinds: readonly K[];
  readonly open: OpenLocator<Extract<PlatformLocator, { readonly kind: K }>>;
}

/** Opens memory, views, and what the platform can open, such as files. */
export function locatorOpener<K extends PlatformLocator['kind'] = never>(platform?: Platform<K>): OpenLocator {
  const isPlatforms = (locator: Locator): locator is Extract<PlatformLocator, { readonly kind: K }> =>
    platform?.kinds.some((kind) => kind === locator.kind) ?? false;
  const open: OpenLocator = async (locator) => {
    if (locator.kind === 'memory') return memorySource({ rows: locator.rows, cols: locator.cols, data: locator.data });
    if (isView(locator)) return openView(locator, open);
    if (platform && isPlatforms(locator)) return platform.open(locator);
    const known = ['memory', ...VIEWS, ...(platform?.kinds ?? [])];
    throw new Error(`sources: cannot open the kind "${locator.kind}" here; known: ${known.join(', ')}.`);
  };
  return open;
}

async function openView(locator: ViewLocator, open: OpenLocator): Promise<Source> {
  const whole = await open(locator.of);
  const needed = rowsNeeded(locator);
  if (!(needed <= whole.rows)) {
    await whole.close?.();
    throw new Error(`sources: row ${needed} is beyond the last of ${whole.rows} rows.`);
  }
  return { ...viewOf(whole, locator), close: async () => whole.close?.() };
}

const VIEWS: readonly string[] = ['slice', 'subsample', 'split'] satisfies ViewLocator['kind'][];

/** Whether it names rows of another source. */
export const isView = (locator: Locator): locator is ViewLocator => VIEWS.includes(locator.kind);

/** Rows that are in memory, read without waiting. */
export interface MemoryReader {
  readonly rows: number;
  read(start: number, end: number): Matrix;
}

/** Reads what a locator names if it is in memory, or a view of memory; undefined for other kinds. */
export function memoryReader(locator: Locator): MemoryReader | undefined {
  if (locator.kind === 'memory') {
    return { rows: locator.rows, read: (start, end) => rowRange(locator, start, end) };
  }
  if (!isView(locator)) return undefined;
  const whole = memoryReader(locator.of);
  return whole && { rows: rowsOfView(whole.rows, locator), read: viewReader(whole.read, whole.rows, locator) };
}
