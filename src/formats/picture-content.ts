/**
 * What pictures hold, by their first bytes, whatever their names say. Programs that read pictures also render drawings, which
 * may ask for any amount of work: these are told here, before anything reads them.
 */
import { latin1Text } from './text-bytes.ts';

/** How files of a format begin. */
const BEGINNINGS: readonly (readonly [format: string, beginning: RegExp])[] = [
  ['PNG', /^\x89PNG\r\n\x1a\n/],
  ['JPEG', /^\xff\xd8\xff/],
  ['WebP', /^RIFF[^]{4}WEBP/],
  ['TIFF', /^(II[*+]\0|MM\0[*+])/],
  ['GIF', /^GIF8/],
  ['BMP', /^BM/],
  ['HEIF or AVIF', /^[^]{4}ftyp/],
  ['JPEG XL', /^(\xff\x0a|\0\0\0\x0cJXL )/],
  ['JPEG 2000', /^(\xff\x4f\xff\x51|\0\0\0\x0cjP)/],
  ['PDF', /^%PDF/],
  ['SVG', /<svg[\s>]/i],
  ['XML', /^(\xef\xbb\xbf)?\s*<[?!]/],
];

/** The formats that are read. */
export const READ: readonly string[] = ['PNG', 'JPEG', 'WebP', 'TIFF'];

/** As a word for people: a format, or "something else". */
export function pictureFormat(content: Uint8Array): string {
  const head = latin1Text(content.subarray(0, 1024));
  return BEGINNINGS.find(([, beginning]) => beginning.test(head))?.[0] ?? 'something else';
}
