/**
 * Opens sources by their locators in a web worker: memory, views, Blobs and addresses. Workers only get data that is read in
 * place.
 */
import { sharedOpener } from '../engine/source/cache.ts';
import { locatorOpener } from '../engine/source/locator.ts';
import type { AddressLocator, BlobLocator, Source } from '../engine/source/source.ts';
import { type ReadLimits, readLimits } from '../io/bytes/budget.ts';
import type { Bytes } from '../io/bytes/bytes.ts';
import { requireSame } from '../io/bytes/fingerprint.ts';
import { openHttpBytes } from '../io/bytes/http.ts';
import { openInPlace } from '../io/codecs/index.ts';
import { outOfCoreSource } from '../io/tables/source.ts';
import { blobBytes, browserPlatform } from './blob-bytes.ts';

/** Makes the locator of a Blob, which is sent to workers as it is: its bytes are not copied. */
export const blobLocator = (blob: Blob, details: Omit<BlobLocator, 'kind' | 'id' | 'blob'>): BlobLocator => ({
  kind: 'blob',
  id: crypto.getRandomValues(new Uint32Array(4)).join('-'),
  blob,
  ...details,
});

type PageData = BlobLocator | AddressLocator;

const openPageData = async (locator: PageData): Promise<Source> => {
  const { extension, array, limits } = locator;
  const bytes = await bytesOf(locator, readLimits(limits));
  return outOfCoreSource(await openInPlace(extension, bytes, array), locator);
};

async function bytesOf(locator: PageData, limits: ReadLimits): Promise<Bytes> {
  if (locator.kind === 'blob') return blobBytes(locator.name, locator.blob, limits);
  const bytes = await openHttpBytes(locator.address, limits, browserPlatform);
  requireSame(bytes.name, locator, bytes.fingerprint!);
  return bytes;
}

const keyOf = (locator: PageData): string => (locator.kind === 'blob' ? locator.id : JSON.stringify(locator));

const openShared = sharedOpener(openPageData, keyOf);

export const openBrowserLocator = locatorOpener({ kinds: ['blob', 'address'], open: openShared });
