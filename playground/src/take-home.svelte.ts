/** What the user can take home: the results of each tab, shown on the last tab. */
import type { TabName } from './settings.ts';

export interface TakeHomeFile {
  readonly name: string;
  /** What it is and what opens it, in a sentence. */
  readonly about: string;
  /** Bytes, if they are known beforehand; about. */
  readonly size?: number;
  /** Made when it is downloaded. */
  readonly make: () => Promise<Blob>;
}

export interface TakeHome {
  /** What was learned, in a sentence with its figures. */
  readonly summary: string;
  readonly files: readonly TakeHomeFile[];
  /** The same on the command line. */
  readonly command: string;
  /** The same in JavaScript. */
  readonly snippet: string;
  /** The same in JavaScript in a page of one's own, if that differs. */
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
