/** Answers requests to a site, as a pure function. */
import { SAFETY_HEADERS } from './policy.ts';
import { ENCODINGS, type Encoding, type Site, type SiteFile } from './site.ts';

/** The fields of a request that matter here. */
export interface SiteRequest {
  readonly method?: string | undefined;
  /** The request target: a path, perhaps with a query. */
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes to send; present even for HEAD, where they are not sent. */
  readonly body: Uint8Array;
}

export async function answer(site: Site, { method = '', url = '', headers }: SiteRequest): Promise<PageAnswer> {
  if (!isOwnName(one(headers.host))) return shortPage(403, 'This server answers to localhost and 127.0.0.1 only.');
  if (method !== 'GET' && method !== 'HEAD') {
    return shortPage(405, 'This server answers to GET and HEAD only.', { allow: 'GET, HEAD' });
  }
  const file = fileAt(site, url);
  if (!file) return shortPage(404, 'There is nothing at this address. <a href="/">Go to the playground</a>');
  const caching = {
    etag: file.etag,
    'cache-control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
  };
  if (isKnown(file, one(headers['if-none-match']))) {
    return { status: 304, headers: { ...SAFETY_HEADERS, ...caching }, body: new Uint8Array(0) };
  }
  const encoding = encodingFor(one(headers['accept-encoding']));
  const packed = encoding && (await file.packed(encoding));
  const encoded: Record<string, string> = encoding && packed ? { 'content-encoding': encoding } : {};
  return whole(200, file.type, packed ?? file.bytes, { ...caching, ...encoded });
}

/** Whether a host is this machine's own name, with any port (it may be forwarded). Other names may be hostile sites. */
const isOwnName = (host: string): boolean => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host);

const one = (value: string | readonly string[] | undefined): string =>
  typeof value === 'string' ? value : (value?.join(', ') ?? '');

function fileAt(site: Site, target: string): SiteFile | undefined {
  const path = target.split(/[?#]/)[0];
  try {
    return site.get(path === '/' ? '/index.html' : decodeURIComponent(path));
  } catch {
    return undefined; // malformed escape sequence
  }
}

/** Whether the browser already has this version of the file. */
function isKnown({ etag }: SiteFile, known: string): boolean {
  const strong = (tag: string) => tag.trim().replace(/^W\//, '');
  return known.split(',').some((tag) => tag.trim() === '*' || strong(tag) === strong(etag));
}

/** The best encoding that the browser accepts: `gzip, br;q=0.5, *;q=0`. */
function encodingFor(accepted: string): Encoding | undefined {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name, ...rest] = part.split(';').map((word) => word.trim());
        const weight = rest.find((word) => word.startsWith('q='))?.slice(2);
        return [name, weight === undefined ? 1 : Number(weight)] as const;
      }),
  );
  return ENCODINGS.find((name) => (weights.get(name) ?? weights.get('*') ?? 0) > 0);
}

function shortPage(status: number, words: string, more: Readonly<Record<string, string>> = {}): PageAnswer {
  const page = `<!doctype html><html lang="en"><title>${status}</title><p>${words}</p></html>\n`;
  return whole(status, 'text/html; charset=utf-8', Buffer.from(page), { 'cache-control': 'no-store', ...more });
}

function whole(status: number, type: string, body: Uint8Array, more: Readonly<Record<string, string>>): PageAnswer {
  const content = { 'content-type': type, 'content-length': String(body.length) };
  return { status, headers: { ...SAFETY_HEADERS, ...content, ...more }, body };
}
