/**
 * Files at http:// and https:// addresses, read by range requests: any part at any time, nothing stored. Small reads
 * take a page of the file, so that a header and a directory cost one request each.
 */
import { InputError } from '../../core/errors.ts';
import { ReadBudget, type ReadLimits } from './budget.ts';
import type { Bytes, BytesPlatform } from './bytes.ts';
import { type Fingerprint, requireSame } from './fingerprint.ts';
import { download, type HttpRequest, PATIENCE } from './http-download.ts';
import { shownPath } from './spec.ts';
import { latin1Text } from './text-bytes.ts';

/** Attempts to open a file: few, as a wrong address fails soon. */
const OPENING = 3;
const PAGE = 1 << 20;
const PAGES_KEPT = 4;

/** Requests the first byte of a file: its length and ETag. */
export async function httpFingerprint(address: string, patience = PATIENCE): Promise<Fingerprint> {
  let found: Fingerprint | undefined;
  const opening = { ...patience, attempts: Math.min(OPENING, patience.attempts) };
  await download(requestOf(address), 0, new Uint8Array(1), opening, (fingerprint) => {
    found = fingerprint;
  });
  return found!;
}

export async function openHttpBytes(
  address: string,
  limits: ReadLimits,
  platform: BytesPlatform,
  patience = PATIENCE,
): Promise<Bytes> {
  const request = requestOf(address);
  const fingerprint = await httpFingerprint(address, patience);
  const { name } = request;
  const byteLength = fingerprint.size;
  const check = (now: Fingerprint) => requireSame(name, fingerprint, now);
  const pages = new Map<number, Promise<Uint8Array>>();
  const pageAt = (number: number): Promise<Uint8Array> => {
    const known = pages.get(number);
    if (known) return known;
    const page = new Uint8Array(Math.min(PAGE, byteLength - number * PAGE));
    const filled = download(request, number * PAGE, page, patience, check).then(() => page);
    filled.catch(() => pages.delete(number));
    pages.set(number, filled);
    if (pages.size > PAGES_KEPT) pages.delete(pages.keys().next().value!);
    return filled;
  };
  return {
    name,
    byteLength,
    fingerprint,
    budget: new ReadBudget(name, byteLength, limits),
    platform,
    async readAt(target, position) {
      const length = Math.max(0, Math.min(target.byteLength, byteLength - position));
      if (length >= PAGE) {
        await download(request, position, target.subarray(0, length), patience, check);
        return length;
      }
      for (let done = 0; done < length; ) {
        const number = Math.floor((position + done) / PAGE);
        const part = (await pageAt(number)).subarray(position + done - number * PAGE).subarray(0, length - done);
        target.set(part, done);
        done += part.length;
      }
      return length;
    },
    requireUnchanged: async () => {}, // every response was checked
    close: async () => pages.clear(),
  };
}

/** Makes the request for a file: its address and headers. */
export function requestOf(address: string): HttpRequest {
  if (!URL.canParse(address)) throw new InputError(`${address}: is not an address.`);
  const url = new URL(address);
  const { username, password } = url;
  const login = `${decoded(username)}:${decoded(password)}`;
  url.username = '';
  url.password = '';
  url.hash = '';
  return {
    name: shownPath(address),
    url: url.href,
    headers: {
      'accept-encoding': 'identity', // positions refer to the file itself
      ...(login !== ':' && { authorization: `Basic ${btoa(latin1Text(new TextEncoder().encode(login)))}` }),
    },
  };
}

/** Decodes percent-encoding; returns malformed text unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
