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
  const read = (position: number, target: Uint8Array): Promise<void> =>
    download(request, position, target, patience, (now) => requireSame(name, fingerprint, now));
  const pages = new Pages(byteLength, read);
  return {
    name,
    byteLength,
    fingerprint,
    budget: new ReadBudget(name, byteLength, limits),
    platform,
    async readAt(target, position) {
      const length = Math.max(0, Math.min(target.byteLength, byteLength - position));
      const wanted = target.subarray(0, length);
      await (length >= PAGE ? read(position, wanted) : pages.read(position, wanted));
      return length;
    },
    requireUnchanged: async () => {}, // every response was checked
    close: async () => pages.clear(),
  };
}

/** The last pages of a file. */
class Pages {
  readonly #byteLength: number;
  readonly #read: (position: number, target: Uint8Array) => Promise<void>;
  readonly #pages = new Map<number, Promise<Uint8Array>>();

  constructor(byteLength: number, read: (position: number, target: Uint8Array) => Promise<void>) {
    this.#byteLength = byteLength;
    this.#read = read;
  }

  async read(position: number, target: Uint8Array): Promise<void> {
    for (let done = 0; done < target.length; ) {
      const number = Math.floor((position + done) / PAGE);
      const part = (await this.#pageAt(number)).subarray(position + done - number * PAGE);
      target.set(part.subarray(0, target.length - done), done);
      done += part.length;
    }
  }

  #pageAt(number: number): Promise<Uint8Array> {
    const known = this.#pages.get(number);
    if (known) return known;
    const page = new Uint8Array(Math.min(PAGE, this.#byteLength - number * PAGE));
    const filled = this.#read(number * PAGE, page).then(() => page);
    filled.catch(() => this.#pages.delete(number));
    this.#pages.set(number, filled);
    if (this.#pages.size > PAGES_KEPT) this.#pages.delete(this.#pages.keys().next().value!);
    return filled;
  }

  clear(): void {
    this.#pages.clear();
  }
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
