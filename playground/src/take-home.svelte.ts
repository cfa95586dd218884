/** What the user can take home: the results of each tab, shown on the last tab. */
import type { TabName } from './settings.ts';

export interface TakeHomeFile {
  readonly name: string;
  /** A sentence that says what the file is and what opens it. */
  readonly about: string;
  /** Approximate size in bytes, if known beforehand. */
  readonly size?: number;
  /** Makes the file when it is downloaded. */
  readonly make: () => Promise<Blob>;
}

export interface TakeHome {
  /** A sentence that summarises the result. */
  readonly summary: string;
  readonly files: readonly TakeHomeFile[];
  /** Commands that repeat the run. */
  readonly command: string;
  /** JavaScript code that repeats the run in Node. */
  readonly snippet: string;
  /** JavaScript code that repeats the run in a page, if that differs. */
  readonly inBrowser?: string;
  /** The address part that restores the settings. */
  readonly hash: string;
}

export const results: Partial<Record<TabName, TakeHome>> = $state({});

/** Saves a file through the browser's downloads. */
export function download(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
