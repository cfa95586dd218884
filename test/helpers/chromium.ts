/** Chromium for tests in a real browser, and folders served to it on this machine. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Flags without a sandbox, since tests may run as root, and without chromium's own network requests. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Why tests in a browser cannot run here; undefined if they can. For `itUnless`. */
export const noChromium: string | undefined = existsSync(EXECUTABLE) ? undefined : `there is no ${EXECUTABLE}`;

/** A headless chromium; close it at the end. */
export const openChromium = (): Promise<Browser> => chromium.launch({ executablePath: EXECUTABLE, args: FLAGS });

/** Headers that isolate a page from other origins: it may share memory with its workers. */
export const ISOLATED: Readonly<Record<string, string>> = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

export interface ServedFolder {
  /** Address of the folder, with a slash at the end. */
  readonly url: string;
  /** Paths that were requested but do not exist. */
  readonly missing: readonly string[];
  close(): Promise<void>;
}

/** Serves a folder's files on loopback, each with these headers. */
export async function serveFolder(
  folder: string,
  { headers = {} }: { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<ServedFolder> {
  const missing: string[] = [];
  const server = createServer(async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://x'); // has no `..` left
    const name = decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    try {
      const file = await readFile(join(folder, name));
      const type = TYPES[extname(name)] ?? 'application/octet-stream';
      response.writeHead(200, { 'content-type': type, ...headers }).end(file);
    } catch {
      const isIcon = name === '/favicon.ico'; // browsers request it on their own
      if (!isIcon) missing.push(name);
      response.writeHead(isIcon ? 204 : 404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    missing,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Warnings, errors and uncaught exceptions of a page from now on, as text. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['warning', 'error'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}
