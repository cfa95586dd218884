/**
 * Detects the format of pictures by their first bytes, whatever their names. Programs that read pictures also render drawings, which
 * may take any amount of work: these are recognised here, before anything reads them.
 */
import { latin1Text } from '../../bytes/text-bytes.ts';

/** First bytes of files by format; the text is Latin-1, a dot stands for any character. */
const BEGINNINGS: readonly (readonly [format: string, beginning: string])[] = [
  ['PNG', '\x89PNG\r\n\x1a\n'],
  ['JPEG', '\xff\xd8\xff'],
  ['WebP', 'RIFF....WEBP'],
  ['TIFF', 'II*\0'],
  ['TIFF', 'II+\0'],
  ['TIFF', 'MM\0*'],
  ['TIFF', 'MM\0+'],
  ['GIF', 'GIF8'],
  ['BMP', 'BM'],
  ['HEIF or AVIF', '....ftyp'],
  ['JPEG XL', '\xff\x0a'],
  ['JPEG XL', '\0\0\0\x0cJXL '],
  ['JPEG 2000', '\0\0\0\x0cjP'],
  ['PDF', '%PDF'],
];

/** Formats that can be read. */
export const READ: readonly string[] = ['PNG', 'JPEG', 'WebP', 'TIFF'];

/** Returns the format for messages, or "something else". */
export function pictureFormat(content: Uint8Array): string {
  const head = latin1Text(content.subarray(0, 1024));
  const begins = (text: string) => [...text].every((letter, k) => letter === '.' || head[k] === letter);
  const found = BEGINNINGS.find(([, beginning]) => begins(beginning));
  return found?.[0] ?? (/<svg[\s>]/i.test(head) ? 'SVG' : 'something else');
}
