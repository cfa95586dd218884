/** Reads and writes picture files: those that `sharp` supports (PNG, JPEG, WebP, TIFF), and arrays of pixels in .npy files. */

import type { Sharp } from 'sharp';
import { InputError } from '../../core/errors.ts';
import { requireFileName } from '../../core/require-matrix.ts';
import type { ReadOptions } from '../../io/bytes/budget.ts';
import { fileName, shownPath } from '../../io/bytes/spec.ts';
import { pictureOfArray } from '../../io/codecs/picture/array.ts';
import { isPictureName, PICTURES } from '../../io/codecs/picture/reading.ts';
import { type Colour, inColour, onWhite } from '../../pictures/colour.ts';
import { type Picture, type Pixels, pixelsLike, requirePicture } from '../../pictures/picture.ts';
import { readArray, withBytes, writeArray } from './arrays.ts';
import { writeAtomically } from './atomic-write.ts';
import { decodeWithAlpha, loadSharp } from './picture-decode.ts';

const ARRAY = '.npy';

/** Options for reading a picture. */
export interface ReadPictureOptions extends ReadOptions {
  /** white, the default: transparent pixels become white; keep: the picture has `alpha` if the file has. */
  readonly transparency?: 'white' | 'keep' | undefined;
}

/**
 * Reads a picture: .png, .jpg, .webp or .tiff, or a .npy file of height×width(×3) pixels, whole numbers of 8 or 16 bits or
 * fractions from 0 to 1. Photographs are turned by their EXIF orientation.
 */
export async function readPicture(
  path: string,
  colour?: Colour,
  options: ReadPictureOptions = {},
): Promise<Picture<Pixels>> {
  requireFileName('readPicture', path);
  const found = await (fileName(path).toLowerCase().endsWith(ARRAY)
    ? pictureOfArray(path, await readArray(path, options))
    : withBytes(requirePictureName(path), options, decodeWithAlpha));
  const picture = options?.transparency === 'keep' ? found : onWhite(found);
  return colour ? inColour(picture, colour) : picture;
}

/** Checks that the name gives a format and the package is installed, before a long computation. */
export async function checkPicturePath(path: string): Promise<void> {
  if (path.toLowerCase().endsWith(ARRAY)) return;
  requirePictureName(path);
  await loadSharp(path);
}

/**
 * Writes a picture in the format of the name's ending; JPEG and WebP files in quality 95. Transparent
 * pixels become white in JPEG and .npy files.
 */
export async function writePicture(path: string, picture: Picture<Pixels>): Promise<void> {
  requirePicture('writePicture', picture);
  const { width, height, pixels, channels = 1, alpha } = OPAQUE.test(path) ? onWhite(picture) : picture;
  if (path.toLowerCase().endsWith(ARRAY)) {
    return writeArray(path, { shape: [height, width, ...(channels === 3 ? [3] : [])], data: pixels });
  }
  const sharp = await loadSharp(requirePictureName(path));
  const deep = !(pixels instanceof Uint8Array) && /\.(png|tiff?)$/i.test(path);
  const stored = wholeNumbers(alpha ? interleaved(pixels, alpha, channels) : pixels, deep);
  const raw = { width, height, channels: (channels + (alpha ? 1 : 0)) as 1 | 2 | 3 | 4 };
  const image = sharp(stored, { raw });
  const shown =
    channels === 1 ? image.toColourspace(deep ? 'grey16' : 'b-w') : deep ? image.toColourspace('rgb16') : image;
  await writeAtomically(path, [await formatted(shown, path).toBuffer()]);
}

/** Extensions of files without opacity. */
const OPAQUE = /\.(jpe?g|npy)$/i;

/** Converts pixels to whole numbers: of 16 bits, so that no rounding is visible, or of 8. */
function wholeNumbers(pixels: Pixels, deep: boolean): Uint8Array | Uint16Array {
  const whole = pixels instanceof Float32Array ? pixelsLike(new Uint16Array(0), pixels) : pixels;
  return whole instanceof Uint16Array && !deep ? Uint8Array.from(whole, (value) => Math.round(value / 257)) : whole;
}

function interleaved<P extends Pixels>(pixels: P, alpha: P, channels: number): P {
  const out = new (pixels.constructor as Uint8ArrayConstructor)(pixels.length + alpha.length) as Pixels as P;
  for (let k = 0; k < alpha.length; k++) {
    out.set(pixels.subarray(k * channels, (k + 1) * channels), k * (channels + 1));
    out[k * (channels + 1) + channels] = alpha[k];
  }
  return out;
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
