/** Opens data of a page: a Blob or File as it is, an address by range requests or, if the server does not support them, as a whole. */
import { InputError, inputError } from '../core/errors.ts';
import { reasonOf } from '../core/warn.ts';
import { type ReadLimits, type ReadOptions, readLimits } from '../io/bytes/budget.ts';
import type { Bytes } from '../io/bytes/bytes.ts';
import { openHttpBytes, requestOf } from '../io/bytes/http.ts';
import { NoRangesError, PATIENCE } from '../io/bytes/http-download.ts';
import { isAddress, parseSpec, shownPath } from '../io/bytes/spec.ts';
import { blobBytes, browserPlatform } from './blob-bytes.ts';

/** Data of a page: a file that was dropped or chosen, any Blob, or an address, relative to that of the page. */
export type PageData = Blob | URL | string;

/** Options for opening data. */
export interface DataOptions extends ReadOptions {
  /** The name of the file, whose ending decides the format; default: that of a File, the address. */
  readonly name?: string | undefined;
  /** Aborts the opening. */
  readonly signal?: AbortSignal | undefined;
}

/** Opened data: its location, and the array of an archive that its address names. */
export interface OpenPageData {
  readonly bytes: Bytes;
  /** The name whose ending decides the format. */
  readonly path: string;
  /** The data, if it is in the page: a Blob, or an address that was read as a whole. */
  readonly blob?: Blob;
  /** The address, if it is read by range requests. */
  readonly address?: string;
  /** Array of an archive, if the address names one: `https://host/data.npz#samples`. */
  readonly array?: string;
}

export async function openData(who: string, data: PageData, options: DataOptions = {}): Promise<OpenPageData> {
  const limits = readLimits(options.limits);
  if (isBlob(data)) {
    const path = options.name ?? (data as { readonly name?: string }).name ?? 'data';
    return openBlob(path, path, data, limits, options.signal);
  }
  if (!(data instanceof URL) && typeof data !== 'string') {
    throw inputError(who, 'data', 'a Blob, a File, an address or a URL', typeof data);
  }
  return openAddress(absolute(String(data)), options, limits);
}

export const isBlob = (data: unknown): data is Blob => typeof Blob !== 'undefined' && data instanceof Blob;

/** Resolves an address relative to that of the page. */
function absolute(address: string): string {
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  if (!URL.canParse(address, location?.href)) throw new InputError(`${address}: is not an address.`);
  return new URL(address, location?.href).href;
}

function openBlob(name: string, path: string, blob: Blob, limits: ReadLimits, signal?: AbortSignal): OpenPageData {
  if (blob.size === 0) throw new InputError(`${name}: is empty.`);
  return { bytes: blobBytes(name, blob, limits, signal), path, blob };
}

async function openAddress(spec: string, options: DataOptions, limits: ReadLimits): Promise<OpenPageData> {
  const { path: address, ...rest } = parseSpec(spec);
  const { name: path = address, signal } = options;
  if (isAddress(address)) {
    try {
      const bytes = await openHttpBytes(address, limits, browserPlatform, { ...PATIENCE, signal });
      return { bytes, path, address, ...rest };
    } catch (error) {
      if (!(error instanceof NoRangesError)) throw error;
    }
  }
  const shown = shownPath(address);
  return { ...openBlob(shown, path, await download(shown, address, signal), limits, signal), ...rest };
}

async function download(name: string, address: string, signal: AbortSignal | undefined): Promise<Blob> {
  const { url, headers } = requestOf(address);
  const failure = (why: string) => new InputError(`${name}: cannot be read (${why}).`);
  const response = await fetch(url, { headers, ...(signal && { signal }) }).catch((error) => {
    signal?.throwIfAborted();
    throw failure(reasonOf(error));
  });
  if (!response.ok) throw failure(`${response.status} ${response.statusText}`.trim());
  return response.blob().catch((error) => {
    signal?.throwIfAborted();
    throw failure(reasonOf(error));
  });
}

/** Passes `open` a signal that follows the caller's only until it has returned: what was opened stays usable. */
export async function whileOpening<T>(
  signal: AbortSignal | undefined,
  open: (opening: AbortSignal) => Promise<T>,
): Promise<T> {
  const opening = new AbortController();
  const stop = () => opening.abort(signal?.reason);
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  try {
    opening.signal.throwIfAborted();
    return await open(opening.signal);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}
