/** The files of a site, read once: no path can reach a file outside this table. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Content encodings, best first. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface SiteFile {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** A tag that changes with the content; weak, because it is the same for every encoding. */
  readonly etag: string;
  /** Whether its name has a hash of its content, so that it never changes. */
  readonly isHashed: boolean;
  /** The compressed bytes, computed on first use; undefined if they are not smaller. */
  packed(encoding: Encoding): Promise<Uint8Array | undefined>;
}

/** Files by their path: `/index.html`, `/assets/index-B1x2.js`. */
export type Site = ReadonlyMap<string, SiteFile>;

/** Reads a folder and its subfolders. Links are ignored. */
export async function readSite(folder: string): Promise<Site> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = paths.map(async (path) => {
    const name = `/${relative(folder, path).split(sep).join('/')}`;
    return [name, siteFile(name, await readFile(path))] as const;
  });
  return new Map(await Promise.all(files));
}

/** A file of a site; its content type comes from its name. */
export function siteFile(name: string, bytes: Uint8Array): SiteFile {
  const type = TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream';
  const kept = new Map<Encoding, Promise<Uint8Array | undefined>>();
  return {
    type,
    bytes,
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    isHashed: name.startsWith('/assets/'), // Vite puts such files there, and no others
    packed(encoding) {
      if (PACKED.test(type) || bytes.length < SMALL) return Promise.resolve(undefined);
      const known = kept.get(encoding) ?? compressed(bytes, encoding);
      kept.set(encoding, known);
      return known;
    },
  };
}

/** Files below this size in bytes are not compressed: they fit into one packet anyway. */
const SMALL = 1024;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.gz': 'application/gzip',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.npy': 'application/octet-stream',
  '.npz': 'application/zip',
  '.parquet': 'application/vnd.apache.parquet',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
};

/** Content types that are already compressed. */
const PACKED = /^image\/(?!svg)|zip$|parquet$/;

const COMPRESS: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

async function compressed(bytes: Uint8Array, encoding: Encoding): Promise<Uint8Array | undefined> {
  const packed = await COMPRESS[encoding](bytes);
  return packed.length < bytes.length ? packed : undefined;
}
