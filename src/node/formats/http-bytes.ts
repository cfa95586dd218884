/**
 * Files behind http:// and https:// addresses, read by range requests: any part at any time, nothing stored. Small reads
 * take a page of the file, so that a header and a directory cost one request each.
 *
 * Networks fail: a request is repeated a few times, later each time, and goes on where the last one broke off. A file is the
 * same as long as its length and its ETag (or else its date) are; every answer carries both.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../../core/errors.ts';
import { reasonOf } from '../../core/warn.ts';
import { ReadBudget, type ReadLimits } from './budget.ts';
import type { Bytes } from './bytes.ts';
import { changedWhileRead, type Fingerprint, requireSame } from './fingerprint.ts';

export const isAddress = (path: string): boolean => /^https?:\/\//i.test(path);

/** How patient to be: tests are not. */
export interface HttpPatience {
  readonly attempts: number;
  /** Milliseconds before the second attempt; twice as long before each further one. */
  readonly firstPause: number;
  /** Milliseconds without a byte after which a request is given up. */
  readonly silence: number;
}

/** Attempts to open a file: a wrong address is soon known. */
const OPENING = 3;
const PATIENCE: HttpPatience = { attempts: 6, firstPause: 250, silence: 30_000 };
/** Milliseconds that a server may ask us to wait. */
const LONGEST_PAUSE = 30_000;
const PAGE = 1 << 20;
const PAGES_KEPT = 4;
/** Statuses after which the same request may succeed. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/** A path as it is shown: an address without its password, and without what follows the path, which may be a signature. */
export function shownPath(path: string): string {
  if (!isAddress(path) || !URL.canParse(path)) return path;
  const { protocol, host, pathname } = new URL(path);
  return `${protocol}//${host}${pathname}`;
}

/** Asks for the first byte: length and ETag of a file. */
export async function httpFingerprint(address: string, patience = PATIENCE): Promise<Fingerprint> {
  let found: Fingerprint | undefined;
  const opening = { ...patience, attempts: Math.min(OPENING, patience.attempts) };
  await download(requestOf(address), 0, new Uint8Array(1), opening, (fingerprint) => {
    found = fingerprint;
  });
  return found!;
}

export async function openHttpBytes(address: string, limits: ReadLimits, patience = PATIENCE): Promise<Bytes> {
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
    requireUnchanged: async () => {}, // every answer was checked
    close: async () => pages.clear(),
  };
}

interface Request {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

function requestOf(address: string): Request {
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
      'accept-encoding': 'identity', // positions are those of the file
      ...(login !== ':' && { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
    },
  };
}

/** As it stands if it is not well encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Something that may go better the next time. */
class Passing extends Error {
  constructor(
    message: string,
    /** Milliseconds that the server wants us to wait. */
    readonly pause = 0,
  ) {
    super(message);
  }
}

/** Fills `target` with the bytes at `position`; `check` sees whose bytes they are before they are used. */
async function download(
  request: Request,
  position: number,
  target: Uint8Array,
  { attempts, firstPause, silence }: HttpPatience,
  check: (fingerprint: Fingerprint) => void,
): Promise<void> {
  let done = 0;
  const place = (bytes: Uint8Array) => {
    target.set(bytes, done);
    done += bytes.length;
  };
  for (let failures = 0; ; ) {
    const before = done;
    try {
      await downloadOnce(request, position + done, target.byteLength - done, silence, check, place);
      return;
    } catch (error) {
      if (!(error instanceof Passing)) throw error;
      failures = done > before ? 1 : failures + 1; // a slow connection that breaks off now and then gets there
      if (failures >= attempts) throw new InputError(`${request.name}: cannot be read (${reasonOf(error)}).`);
      await sleep(Math.max(firstPause * 2 ** (failures - 1), error.pause));
    }
  }
}

async function downloadOnce(
  { name, url, headers }: Request,
  position: number,
  length: number,
  silence: number,
  check: (fingerprint: Fingerprint) => void,
  place: (bytes: Uint8Array) => void,
): Promise<void> {
  const stop = new AbortController();
  const watch = setTimeout(() => stop.abort(), silence);
  try {
    const range = `bytes=${position}-${position + length - 1}`;
    const response = await fetch(url, { headers: { ...headers, range }, signal: stop.signal });
    try {
      check(fingerprintOf(name, response, position, position + length));
      let missing = length;
      for await (const piece of response.body ?? []) {
        watch.refresh();
        const bytes = (piece as Uint8Array).subarray(0, missing);
        place(bytes);
        missing -= bytes.length;
        if (missing === 0) break; // whatever follows
      }
      if (missing > 0) throw new Passing('the connection broke off');
    } finally {
      if (!response.body?.locked) await response.body?.cancel();
    }
  } catch (error) {
    if (error instanceof InputError || error instanceof Passing) throw error;
    if (stop.signal.aborted) throw new Passing(`no answer for ${silence / 1000} s`);
    throw new Passing(networkReason(error));
  } finally {
    clearTimeout(watch);
    stop.abort();
  }
}

/** Whose bytes an answer holds; throws if it holds others than those asked for. */
function fingerprintOf(name: string, response: Response, start: number, end: number): Fingerprint {
  const { status, headers } = response;
  if (PASSING.has(status)) throw new Passing(statusText(response), pauseOf(headers.get('retry-after')));
  if (status === 200) {
    throw new InputError(
      `${name}: must come from a server that answers range requests; this one sends the whole file: download it first.`,
    );
  }
  if (status === 416) throw changedWhileRead(name); // shorter than it was, or empty
  if (status !== 206) throw new InputError(`${name}: cannot be read (${statusText(response)}).`);
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  const isAsked = Number(first) === start && Number(last) === Math.min(end, Number(size)) - 1;
  if (size === undefined || !isAsked || headers.get('content-encoding')) {
    throw new InputError(`${name}: the server answers a range request with something else.`);
  }
  if (Number(size) < end) throw changedWhileRead(name);
  return { size: Number(size), stamp: headers.get('etag') ?? headers.get('last-modified') ?? '' };
}

const statusText = ({ status, statusText: words }: Response): string => (words ? `${status} ${words}` : `${status}`);

/** `Retry-After` in seconds, as milliseconds. */
function pauseOf(header: string | null): number {
  const seconds = Number(header ?? Number.NaN);
  return seconds > 0 ? Math.min(1000 * seconds, LONGEST_PAUSE) : 0;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ECONNREFUSED: 'the server refuses the connection',
  ECONNRESET: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  ETIMEDOUT: 'no answer',
  UND_ERR_CONNECT_TIMEOUT: 'no answer',
};

/** `fetch failed` hides its cause. */
function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  const code = (cause as { code?: unknown }).code;
  return (typeof code === 'string' && REASONS[code]) || reasonOf(cause);
}
