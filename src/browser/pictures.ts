/** Reads pictures from files and addresses, and writes them to files, in a page. */
import { inputError } from '../core/errors.ts';
import { quoted } from '../core/printable.ts';
import { arrayOf } from '../io/arrays.ts';
import { pictureOfArray } from '../io/codecs/picture/array.ts';
import { recognisedFormat } from '../io/tables/recognise.ts';
import { type Colour, inColour, onWhite } from '../pictures/colour.ts';
import { type Picture, type Pixels, pixelsLike, requirePicture } from '../pictures/picture.ts';
import { encodePng } from '../pictures/png.ts';
import { type DataOptions, openData, type PageData } from './open-bytes.ts';

/** Options for reading a picture. */
export interface PageReadPictureOptions extends DataOptions {
  /** Grey or colour; default: grey if all pixels are. */
  readonly color?: Colour | undefined;
}

/**
 * Reads a picture in any format that the browser supports, 8 bits a channel, or a .npy file of height×width(×3) pixels. Photographs are
 * turned by their EXIF orientation; transparent pixels become white.
 *
 * @example
 * ```ts
 * import { denoise, readPicture } from 'orthodict/browser';
 *
 * const picture = await readPicture(file, { color: 'grey' });
 * console.log(picture.width, picture.height, picture.pixels.length);
 * ```
 */
export async function readPicture(data: PageData, options: PageReadPictureOptions = {}): Promise<Picture<Pixels>> {
  const { bytes } = await openData('readPicture', data, options);
  const { canvasDecoder } = await import('./canvas.ts');
  const picture =
    (await recognisedFormat(bytes)) === 'npy'
      ? pictureOfArray(bytes.name, await arrayOf(bytes, '.npy'))
      : await canvasDecoder.decode(bytes);
  return options.color ? inColour(picture, options.color) : picture;
}

/** Types of pictures that a page can write. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp';

const TYPES: readonly PictureType[] = ['image/png', 'image/jpeg', 'image/webp'];
/** Default quality: higher ones only enlarge the file. */
const QUALITY = 0.95;
/** Largest number of pixels for our own encoder, which takes a few milliseconds for them. */
const FEW_PIXELS = 1 << 15;

/** Encodes a picture as a file of 8 bits a channel, PNG unless another type is given. */
export async function pictureBlob(picture: Picture<Pixels>, type: PictureType = 'image/png'): Promise<Blob> {
  requirePicture('pictureBlob', picture);
  if (!TYPES.includes(type)) throw inputError('pictureBlob', 'type', `one of ${TYPES.join(', ')}`, quoted(`${type}`));
  const shown = inBytes(picture);
  const { encodeByCanvas, fitsCanvas } = await import('./canvas.ts');
  if (type === 'image/png' && (shown.pixels.length <= FEW_PIXELS || !fitsCanvas(shown))) {
    return new Blob([encodePng(shown) as Uint8Array<ArrayBuffer>], { type });
  }
  return encodeByCanvas(shown, type, QUALITY);
}

function inBytes(picture: Picture<Pixels>): Picture {
  const { width, height, channels, pixels } = onWhite(picture);
  const rest = { width, height, channels };
  if (pixels instanceof Uint8Array) return { ...rest, pixels };
  if (pixels instanceof Uint16Array)
    return { ...rest, pixels: Uint8Array.from(pixels, (value) => Math.round(value / 257)) };
  return { ...rest, pixels: pixelsLike(new Uint8Array(0), pixels) };
}
