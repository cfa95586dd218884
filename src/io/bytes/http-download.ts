/**
 * Downloads parts of files. Networks fail: a request is repeated a few times, later each time, and continues where the last one
 * broke off. A file is the same as long as its length and its ETag (or else its date) are; every answer carries both.
 */
import { InputError } from '../../core/errors.ts';
import { reasonOf, warnOnce } from '../../core/warn.ts';
import { changedWhileRead, type Fingerprint } from './fingerprint.ts';
import { fetchFollowing } from './http-redirect.ts';

export interface HttpRequest {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Waiting times and attempts; tests use shorter ones. */
export interface HttpPatience {
  /** Aborts all waiting. */
  readonly signal?: AbortSignal | undefined;
  readonly attempts: number;
  /** Milliseconds before the second attempt; doubled before each further one. */
  readonly firstPause: number;
  /** Milliseconds without a byte after which a request fails. */
  readonly silence: number;
}

export const PATIENCE: HttpPatience = { attempts: 6, firstPause: 250, silence: 30_000 };
/** Longest pause in milliseconds that a server may ask for. */
const LONGEST_PAUSE = 30_000;
/** Statuses after which a retry may succeed. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504]);

/** The server sends files as a whole only, or hides its response from a page. */
export class NoRangesError extends InputError {}

/** A failure that may pass with a retry. */
class Passing extends Error {
  constructor(
    message: string,
    /** Milliseconds that the server asks to wait. */
    readonly pause = 0,
  ) {
    super(message);
  }
}

/** Fills `target` with the bytes at `position`; `check` gets the fingerprint of their file before they are used. */
export async function download(
  request: HttpRequest,
  position: number,
  target: Uint8Array,
  patience: HttpPatience,
  check: (fingerprint: Fingerprint) => void,
): Promise<void> {
  const { attempts, firstPause, signal } = patience;
  let done = 0;
  const place = (bytes: Uint8Array) => {
    target.set(bytes, done);
    done += bytes.length;
  };
  for (let failures = 0; ; ) {
    const before = done;
    try {
      await downloadOnce(request, position + done, target.byteLength - done, patience, check, place);
      return;
    } catch (error) {
      if (!(error instanceof Passing)) throw error;
      failures = done > before ? 1 : failures + 1; // a slow connection that breaks now and then still succeeds
      if (failures >= attempts) throw new InputError(`${request.name}: cannot be read (${reasonOf(error)}).`);
      await pauseFor(Math.max(firstPause * 2 ** (failures - 1), error.pause), signal);
    }
  }
}

async function pauseFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const wait = watchFor(milliseconds, signal);
  if (!wait.signal.aborted) await new Promise((resolve) => wait.signal.addEventListener('abort', resolve));
  wait.end();
  signal?.throwIfAborted();
}

async function downloadOnce(
  { name, url, headers }: HttpRequest,
  position: number,
  length: number,
  { silence, signal }: HttpPatience,
  check: (fingerprint: Fingerprint) => void,
  place: (bytes: Uint8Array) => void,
): Promise<void> {
  const watch = watchFor(silence, signal);
  try {
    const range = `bytes=${position}-${position + length - 1}`;
    const answer = await fetchFollowing(name, url, { headers: { ...headers, range }, signal: watch.signal });
    const { response } = answer;
    const shown = sayRedirect(name, url, answer.url);
    check(fingerprintOf(shown, response, position, position + length));
    const body = response.body?.getReader();
    for (let missing = length; missing > 0; ) {
      const { value, done = true } = (await body?.read()) ?? {};
      if (done) throw new Passing('the connection broke off');
      watch.restart();
      const bytes = (value as Uint8Array).subarray(0, missing); // ignores whatever follows
      place(bytes);
      missing -= bytes.length;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof InputError || error instanceof Passing) throw error;
    if (watch.signal.aborted) throw new Passing(`no answer for ${silence / 1000} s`);
    throw new Passing(networkReason(error));
  } finally {
    watch.end();
  }
}

/** Warns once if another host responds; returns the name for messages. */
function sayRedirect(name: string, asked: string, answered: string): string {
  const [from, to] = [new URL(asked), new URL(answered)];
  if (from.host === to.host) return name;
  const words = `${name} (redirected to ${to.host}${to.pathname})`;
  warnOnce(`${words}.`);
  return words;
}

/** Returns a signal that fires when `milliseconds` have passed since the last restart, when `outer` does, and at the end. */
function watchFor(milliseconds: number, outer: AbortSignal | undefined) {
  const stop = new AbortController();
  const fire = () => stop.abort();
  let timer = setTimeout(fire, milliseconds);
  if (outer?.aborted) fire();
  outer?.addEventListener('abort', fire);
  return {
    signal: stop.signal,
    restart() {
      clearTimeout(timer);
      timer = setTimeout(fire, milliseconds);
    },
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', fire);
      fire(); // the rest of the response is not needed
    },
  };
}

/** Returns the fingerprint of the file of a response; throws if it holds other bytes than those asked for. */
function fingerprintOf(name: string, response: Response, start: number, end: number): Fingerprint {
  const { status, headers } = response;
  if (PASSING.has(status)) throw new Passing(statusText(response), pauseOf(headers.get('retry-after')));
  if (status === 200) {
    throw new NoRangesError(
      `${name}: must come from a server that answers range requests; this one sends the whole file: download it first.`,
    );
  }
  if (status === 416) throw changedWhileRead(name); // shorter than it was, or empty
  if (status !== 206) throw new InputError(`${name}: cannot be read (${statusText(response)}).`);
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers.get('content-range') ?? '') ?? [];
  const isAsked = Number(first) === start && Number(last) === Math.min(end, Number(size)) - 1;
  if (size === undefined || !isAsked || headers.get('content-encoding')) {
    throw new NoRangesError(`${name}: the server answers a range request with something else.`);
  }
  if (Number(size) < end) throw changedWhileRead(name);
  return { size: Number(size), stamp: headers.get('etag') ?? headers.get('last-modified') ?? '' };
}

const statusText = ({ status, statusText: words }: Response): string => (words ? `${status} ${words}` : `${status}`);

/** Converts `Retry-After` in seconds to milliseconds. */
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

/** Returns the cause that `fetch failed` hides. */
function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  const code = (cause as { code?: unknown }).code;
  return (typeof code === 'string' && REASONS[code]) || reasonOf(cause);
}
