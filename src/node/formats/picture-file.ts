/** Pictures in files: what `sharp` reads and writes (PNG, JPEG, WebP, TIFF), and arrays of pixels in .npy files. */

import type { Sharp } from 'sharp';
import { InputError } from '../../core/errors.ts';
import { requireFileName } from '../../core/require-matrix.ts';
import type { ReadOptions } from '../../formats/budget.ts';
import { shownPath } from '../../formats/http-bytes.ts';
import { pictureOfArray } from '../../formats/picture-array.ts';
import { isPictureName, PICTURES } from '../../formats/picture-names.ts';
import { fileName } from '../../formats/spec.ts';
import { type Colour, inColour } from '../../images/colour.ts';
import { type Picture, type Pixels, pixelsLike, requirePicture } from '../../images/picture.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { readArray, withBytes, writeArray } from './arrays.ts';
import { decodePicture, loadSharp } from './picture-decode.ts';

const ARRAY = '.npy';

/**
 * Reads a picture: .png, .jpg, .webp or .tiff, or a .npy file of height×width(×3) pixels, whole numbers of 8 or 16 bits or
 * fractions from 0 to 1. Photographs are turned as their camera says; what is transparent becomes white.
 */
export async function readPicture(path: string, colour?: Colour, options: ReadOptions = {}): Promise<Picture<Pixels>> {
  requireFileName('readPicture', path);
  const picture = await (fileName(path).toLowerCase().endsWith(ARRAY)
    ? pictureOfArray(path, await readArray(path, options))
    : withBytes(requirePictureName(path), options, decodePicture));
  return colour ? inColour(picture, colour) : picture;
}

/** Checks that the name gives a format and the package is there, before a long computation. */
export async function checkPicturePath(path: string): Promise<void> {
  if (path.toLowerCase().endsWith(ARRAY)) return;
  requirePictureName(path);
  await loadSharp(path);
}

/** Writes a picture in the format of the name's ending; a JPEG or WebP file of the best quality that is not wasteful. */
export async function writePicture(path: string, picture: Picture<Pixels>): Promise<void> {
  requirePicture('writePicture', picture);
  const { width, height, pixels, channels = 1 } = picture;
  if (path.toLowerCase().endsWith(ARRAY)) {
    return writeArray(path, { shape: [height, width, ...(channels === 3 ? [3] : [])], data: pixels });
  }
  const sharp = await loadSharp(requirePictureName(path));
  const whole = pixels instanceof Float32Array ? pixelsLike(new Uint16Array(0), pixels) : pixels; // so that nothing shows
  const deep = whole instanceof Uint16Array && /\.(png|tiff?)$/i.test(path);
  const stored =
    whole instanceof Uint16Array && !deep ? Uint8Array.from(whole, (value) => Math.round(value / 257)) : whole;
  const image = sharp(stored, { raw: { width, height, channels } });
  const shown =
    channels === 1 ? image.toColourspace(deep ? 'grey16' : 'b-w') : deep ? image.toColourspace('rgb16') : image;
  await writeAtomically(path, [await formatted(shown, path).toBuffer()]);
}

function formatted(image: Sharp, path: string): Sharp {
  if (/\.jpe?g$/i.test(path)) return image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' });
  if (/\.webp$/i.test(path)) return image.webp({ quality: 95 });
  if (/\.tiff?$/i.test(path)) return image.tiff({ compression: 'deflate' });
  return image.png();
}

function requirePictureName(path: string): string {
  if (isPictureName(path)) return path;
  throw new InputError(
    `${shownPath(path)}: the name of a picture must end in one of ${[...PICTURES, ARRAY].join(' ')}.`,
  );
}
