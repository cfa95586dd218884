/** Decodes pictures with the optional package `sharp`, which is loaded here. */

import { InputError } from '../../core/errors.ts';
import type { Bytes } from '../../io/bytes/bytes.ts';
import { shownPath } from '../../io/bytes/spec.ts';
import { latin1Text } from '../../io/bytes/text-bytes.ts';
import type { PictureDecoder, PictureSize } from '../../io/codecs/picture/reading.ts';
import { onWhite, withAlpha, withoutEqualColours } from '../../pictures/colour.ts';
import type { Picture, Pixels } from '../../pictures/picture.ts';
import { loadPackages } from '../optional-packages.ts';

/** Most pixels of a picture; more take minutes and gigabytes. */
const MOST_PIXELS = 2 ** 28;

/** Decodes the whole picture, with its opacity if it has any. */
export async function decodeWithAlpha(bytes: Bytes): Promise<Picture<Pixels>> {
  const sharp = await loadSharp(bytes.name);
  return reading(bytes, async () => {
    const { content, metadata } = await openPicture(bytes, sharp);
    const { width, height, depth, space, hasAlpha, pages = 1 } = metadata;
    if (depth !== 'uchar' && depth !== 'ushort') {
      throw new InputError(
        `${bytes.name}: must have pixels of 8 or 16 bits; got ${depth}: save it as a .npy file of fractions from 0 to 1.`,
      );
    }
    if (pages > 1)
      throw new InputError(`${bytes.name}: must be one picture; got ${pages} in one file: save them one by one.`);
    const deep = depth === 'ushort';
    bytes.budget.hold(width * height * 4 * (deep ? 2 : 1), `${width} × ${height} pixels`);
    const isGrey = space === 'b-w' || space === 'grey16';
    // sharp drops the opacity of 8-bit grey, so such a picture is read in colour and made grey again below
    const inSpace = sharp(content, { limitInputPixels: false })
      .autoOrient()
      .toColourspace(deep ? (isGrey ? 'grey16' : 'rgb16') : isGrey && !hasAlpha ? 'b-w' : 'srgb');
    const { data, info } = await inSpace
      .raw({ depth: deep ? 'ushort' : 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const size = { width: info.width, height: info.height, channels: info.channels >= 3 ? 3 : 1 } as const;
    const pixels = deep ? new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2) : new Uint8Array(data);
    const picture = info.channels === size.channels ? { ...size, pixels } : withAlpha(pixels, size);
    return isGrey ? withoutEqualColours(picture) : picture;
  });
}

/** Decodes the whole picture; transparent pixels become white. */
const decode = async (bytes: Bytes): Promise<Picture<Pixels>> => onWhite(await decodeWithAlpha(bytes));

/** Returns the size without reading the pixels. */
async function sizeOfPicture(bytes: Bytes): Promise<PictureSize> {
  const sharp = await loadSharp(bytes.name);
  return reading(bytes, async () => {
    const { autoOrient } = (await openPicture(bytes, sharp)).metadata;
    return { width: autoOrient.width, height: autoOrient.height };
  });
}

/** Returns the content of a file and its header, if it is a picture of a supported format and not too large. */
async function openPicture(bytes: Bytes, sharp: Sharp) {
  const content = await contentOf(bytes);
  const format = pictureFormat(content);
  if (!READ.includes(format)) {
    throw new InputError(`${bytes.name}: must hold a picture of type PNG, JPEG, WebP or TIFF; got ${format}.`);
  }
  const metadata = await sharp(content, { limitInputPixels: false }).metadata();
  const { width, height } = metadata;
  if (width * height > MOST_PIXELS) {
    throw new InputError(`${bytes.name}: must have at most ${MOST_PIXELS} pixels; got ${width} × ${height}.`);
  }
  return { content, metadata };
}

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

/** Formats that can be read. sharp also renders drawings, which may take any amount of work. */
const READ: readonly string[] = ['PNG', 'JPEG', 'WebP', 'TIFF'];

/** Detects the format by the first bytes, whatever the name; returns it for messages, or "something else". */
function pictureFormat(content: Uint8Array): string {
  const head = latin1Text(content.subarray(0, 1024));
  const begins = (text: string) => [...text].every((letter, k) => letter === '.' || head[k] === letter);
  const found = BEGINNINGS.find(([, beginning]) => begins(beginning));
  return found?.[0] ?? (/<svg[\s>]/i.test(head) ? 'SVG' : 'something else');
}

async function contentOf(bytes: Bytes): Promise<Uint8Array> {
  const content = new Uint8Array(bytes.byteLength);
  await bytes.readAt(content, 0);
  return content;
}

/** Runs the package; its errors mean a damaged file. */
async function reading<T>({ name }: Bytes, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof InputError) throw error;
    const [why] = String((error as Error)?.message ?? error).split('\n');
    throw new InputError(`${name}: cannot be read as a picture (${why.trim()}).`);
  }
}

export const sharpDecoder: PictureDecoder = { decode, size: sizeOfPicture };

type Sharp = Awaited<ReturnType<typeof loadSharp>>;

export async function loadSharp(path: string) {
  return (await loadPackages(shownPath(path), 'pictures', { sharp: () => import('sharp') })).sharp.default;
}
