/**
 * `file.npz:name` selects one array of an archive; any other colon belongs to the path. After an address, which may end in a
 * query, `#name` does the same: `https://host/file.npz?key=1#name`.
 */
import { InputError } from '../../core/errors.ts';

/** Name that means standard input in place of a file. */
export const STANDARD_INPUT = '-';

export const isAddress = (path: string): boolean => /^https?:\/\//i.test(path);

/** Returns a path for display: an address without its password, and without what follows the path, which may be a signature. */
export function shownPath(path: string): string {
  if (!isAddress(path) || !URL.canParse(path)) return path;
  const { protocol, host, pathname } = new URL(path);
  return `${protocol}//${host}${pathname}`;
}

export interface Spec {
  readonly path: string;
  readonly array?: string;
}

export function parseSpec(spec: string): Spec {
  const { path, array } =
    isAddress(spec) && spec.includes('#') ? cutAt(/#/, spec) : cutAt(/(?<=\.npz):(?!.*\.npz$)/is, spec);
  if (array === '') throw new InputError(`${spec}: must name an array after the colon.`);
  return array === undefined ? { path } : { path, array };
}

function cutAt(sign: RegExp, spec: string): { readonly path: string; readonly array?: string } {
  const place = sign.exec(spec)?.index;
  return place === undefined ? { path: spec } : { path: spec.slice(0, place), array: spec.slice(place + 1) };
}

/** Inverts `parseSpec`. */
export const withArray = (path: string, array: string): string => `${path}${isAddress(path) ? '#' : ':'}${array}`;

/** Returns the path whose ending decides the format: that of an address without its query. */
export const fileName = (path: string): string => (isAddress(path) ? path.replace(/\?.*$/s, '') : path);
