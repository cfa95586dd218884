/** Converts arrays to pictures: height×width(×3) pixels, whole numbers of 8 or 16 bits or fractions from 0 to 1. */
import { InputError } from '../../../core/errors.ts';
import { type Picture, type Pixels, requirePicture } from '../../../pictures/picture.ts';
import type { NpyArray } from '../npy/npy.ts';

/** Largest lightness of a noisy pixel, relative to white; anything larger is another unit. */
const MOST_NOISE = 4;

/** Converts an array. `name`: of the file, for messages. */
export function pictureOfArray(name: string, { dtype, shape, data }: NpyArray): Picture<Pixels> {
  const [height, width, channels = 1] = shape;
  const make = dtype.endsWith('u1') ? Uint8Array : dtype.endsWith('u2') ? Uint16Array : Float32Array;
  const isPicture =
    (shape.length === 2 || (shape.length === 3 && (channels === 3 || channels === 1))) && width > 0 && height > 0;
  if (typeof data[0] === 'string' || !isPicture || !/(u1|u2|f4|f8|f2)$/.test(dtype)) {
    const mustBe =
      'height×width or height×width×3 pixels: whole numbers of 8 or 16 bits without sign, or fractions from 0 to 1';
    throw new InputError(`${name}: must be ${mustBe}; got ${shape.join('×') || 'one value'} of type ${dtype}.`);
  }
  const pixels = make.from(data as Float64Array);
  const picture: Picture<Pixels> = { width, height, channels: channels as 1 | 3, pixels };
  requirePicture(name, picture);
  const largest =
    pixels instanceof Float32Array ? pixels.reduce((most, value) => Math.max(most, Math.abs(value)), 0) : 0;
  if (largest > MOST_NOISE) {
    throw new InputError(`${name}: pixels with a fraction must be from 0 to 1, up to noise; got ${largest}.`);
  }
  return picture;
}
