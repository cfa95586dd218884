/**
 * Opens sources by their locators in a web worker: the engine's kinds, Blobs and addresses. Workers only get data that is read in
 * place.
 */

import { sharedOpener } from '../engine/source/cache.ts';
import { locatorOpener, type OpenLocator } from '../engine/source/locator.ts';
import type { Locator } from '../engine/source/source.ts';
import { type ReadLimits, readLimits } from '../io/bytes/budget.ts';
import type { Bytes } from '../io/bytes/bytes.ts';
import { type Fingerprint, requireSame } from '../io/bytes/fingerprint.ts';
import { openHttpBytes } from '../io/bytes/http.ts';
import { openInPlace } from '../io/codecs/index.ts';
import { outOfCoreSource } from '../io/tables/source.ts';
import { blobBytes, browserPlatform } from './blob-bytes.ts';

/** What the data of a Blob or an address is. */
interface DataDetails {
  readonly extension: string;
  readonly array?: string;
  readonly limits?: Partial<ReadLimits>;
}

/** A Blob is sent to workers as it is: its bytes stay where they are. Every worker gets a copy of the object, so it is told by a number. */
export const blobLocator = (blob: Blob, details: DataDetails & { readonly name: string }): Locator => ({
  kind: 'blob',
  id: crypto.getRandomValues(new Uint32Array(4)).join('-'),
  blob,
  ...details,
});

const openPageData: OpenLocator = async (locator) => {
  const { extension, array, limits } = locator as unknown as DataDetails;
  const bytes = await bytesOf(locator, readLimits(limits));
  return outOfCoreSource(await openInPlace(extension, bytes, array), locator);
};

async function bytesOf(locator: Locator, limits: ReadLimits): Promise<Bytes> {
  if (locator.kind === 'blob') return blobBytes(locator.name as string, locator.blob as Blob, limits);
  const bytes = await openHttpBytes(locator.address as string, limits, browserPlatform);
  requireSame(bytes.name, locator as unknown as Fingerprint, bytes.fingerprint!);
  return bytes;
}

const keyOf = (locator: Locator): string =>
  locator.kind === 'blob' ? (locator.id as string) : JSON.stringify(locator);

const openShared = sharedOpener(openPageData, keyOf);

export const openBrowserLocator: OpenLocator = locatorOpener({ blob: openShared, address: openShared });
