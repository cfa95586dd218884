/** What the server of the page answers, to browsers and to others. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { answer, type PageAnswer } from '#src/cli/page-server/answer.ts';
import { PAGE_POLICY, SAFETY_HEADERS } from '#src/cli/page-server/policy.ts';
import { readSite, type Site } from '#src/cli/page-server/site.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;
const SCRIPT = 'export const words = "a text that repeats itself";\n'.repeat(100);
let site: Site;

beforeAll(async () => {
  mkdirSync(f('site/assets'), { recursive: true });
  writeFileSync(f('secret.txt'), 'not for the page');
  writeFileSync(f('site/index.html'), '<!doctype html><title>page</title>');
  writeFileSync(f('site/assets/index-B1x2.js'), SCRIPT);
  writeFileSync(f('site/assets/a b.svg'), '<svg/>');
  for (const name of ['k.wasm', 'x.npy', 'p.png', 'app.webmanifest', 'unknown.zzz']) {
    writeFileSync(f(`site/${name}`), Buffer.alloc(2000));
  }
  symlinkSync(f('secret.txt'), f('site/link.txt'));
  symlinkSync(scratch.path, f('site/folder'));
  site = await readSite(f('site'));
});

const HOST = '127.0.0.1:8420';
const ask = (url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<PageAnswer> =>
  answer(site, { method, url, headers: { host: HOST, ...headers } });
const textOf = ({ body }: PageAnswer): string => Buffer.from(body).toString();

describe('a file of the page', () => {
  it.each([
    ['/', 'text/html; charset=utf-8'],
    ['/index.html?x=1', 'text/html; charset=utf-8'],
    ['/assets/index-B1x2.js', 'text/javascript; charset=utf-8'],
    ['/assets/a%20b.svg', 'image/svg+xml'],
    ['/k.wasm', 'application/wasm'],
    ['/x.npy', 'application/octet-stream'],
    ['/p.png', 'image/png'],
    ['/app.webmanifest', 'application/manifest+json'],
    ['/unknown.zzz', 'application/octet-stream'],
  ])('%s has its type, its length and the headers of safety', async (url, type) => {
    const { status, headers, body } = await ask(url);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ ...SAFETY_HEADERS, 'content-type': type, 'content-length': `${body.length}` });
  });

  it('is kept for ever if its name has a hash, and asked for again otherwise', async () => {
    expect((await ask('/assets/index-B1x2.js')).headers['cache-control']).toContain('immutable');
    expect((await ask('/')).headers['cache-control']).toBe('no-cache');
    expect((await ask('/k.wasm')).headers['cache-control']).toBe('no-cache');
  });

  it('is not sent again to who has it', async () => {
    const { etag } = (await ask('/')).headers;
    for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
      const { status, headers, body } = await ask('/', { 'if-none-match': known });
      expect([status, body.length]).toEqual([304, 0]);
      expect(headers).toMatchObject({ ...SAFETY_HEADERS, etag });
      expect(headers).not.toHaveProperty('content-length');
    }
    const other = (await ask('/assets/index-B1x2.js')).headers.etag;
    expect((await ask('/', { 'if-none-match': other })).status).toBe(200);
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
    ['*', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
  ])('travels by "accept-encoding: %s" as %s', async (accepted, encoding) => {
    const { headers, body } = await ask('/assets/index-B1x2.js', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-length']).toBe(`${body.length}`);
    expect(headers.vary).toBe('accept-encoding');
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync }[encoding!] ?? ((bytes: Uint8Array) => bytes);
    expect(Buffer.from(unpack(body)).toString()).toBe(SCRIPT);
  });

  it('travels as it is where compression gains nothing', async () => {
    for (const url of ['/p.png', '/']) {
      expect((await ask(url, { 'accept-encoding': 'br' })).headers).not.toHaveProperty('content-encoding');
    }
  });
});

describe('what is not of the page', () => {
  it.each([
    '/none',
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/..\\secret.txt',
    '//secret.txt',
    '/index.html%00.js',
    '/%',
    '/%ff',
    '/link.txt',
    '/folder/secret.txt',
    '/assets',
    '/assets/',
    '',
    '*',
    'http://127.0.0.1:8420/',
    '/__proto__',
    '/constructor',
  ])('%j is 404, with a short page and the same headers', async (url) => {
    const got = await ask(url);
    expect(got.status).toBe(404);
    expect(got.headers).toMatchObject({ ...SAFETY_HEADERS, 'content-type': 'text/html; charset=utf-8' });
    expect(textOf(got)).not.toContain('not for the page');
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PATCH'])('%s is 405', async (method) => {
    const { status, headers } = await ask('/', {}, method);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['localhost', 'localhost:1', 'LOCALHOST:8420', '127.0.0.1', '[::1]:8420'])('%s is a name', async (host) => {
    expect((await ask('/', { host })).status).toBe(200);
  });

  it.each(['evil.example', 'evil.example:8420', '127.0.0.1.evil.example', 'localhost.evil:8420', '10.0.0.1', ''])(
    'another name is refused: %j',
    async (host) => {
      const got = await ask('/', { host });
      expect(got.status).toBe(403);
      expect(textOf(got)).not.toContain('<title>page');
    },
  );
});

it('a page can state its policy, all but the frames around it', () => {
  expect(SAFETY_HEADERS['content-security-policy']).toBe(`${PAGE_POLICY}; frame-ancestors 'none'`);
  expect(PAGE_POLICY).toMatch(/^default-src 'none'; /);
  expect(PAGE_POLICY).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
});
