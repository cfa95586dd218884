/** Pictures in grey and in colour, and those that are transparent. */
import { requireObject } from '../core/require-matrix.ts';
import { type Picture, type Pixels, whiteOf } from './picture.ts';

/** How to see the colours: as the file has them, or as one of these. */
export type Colour = 'grey' | 'rgb';

/** Lays a picture whose last channel is its opacity on white paper. */
export function onWhite<P extends Uint8Array | Uint16Array>(pixels: P, there: number, wanted: number): P {
  if (there === wanted) return pixels;
  const white = whiteOf(pixels);
  const count = pixels.length / there;
  const out = pixels.slice(0, count * wanted) as P;
  for (let k = 0; k < count; k++) {
    const opacity = pixels[k * there + there - 1] / white;
    for (let c = 0; c < wanted; c++) {
      out[k * wanted + c] = Math.round(white + opacity * (pixels[k * there + c] - white));
    }
  }
  return out;
}

/** Brightness of red, green and blue: Rec. 601, as Pillow and MATLAB have it. */
const BRIGHTNESS = [0.299, 0.587, 0.114];

/** The same picture in grey or in colour. */
export function inColour(picture: Picture<Pixels>, colour: Colour): Picture<Pixels> {
  requireObject('inColour', 'picture', picture, 'a picture {width, height, pixels}', ['pixels']);
  const { width, height, pixels, channels = 1 } = picture;
  const wanted = colour === 'grey' ? 1 : 3;
  if (channels === wanted) return picture;
  const out = new (pixels.constructor as Uint8ArrayConstructor)(width * height * wanted) as Pixels;
  const round = whiteOf(pixels) === 1 ? (value: number) => value : Math.round;
  for (let k = 0; k < width * height; k++) {
    if (wanted === 3) out.fill(pixels[k], 3 * k, 3 * k + 3);
    else out[k] = round(BRIGHTNESS.reduce((sum, part, c) => sum + part * pixels[3 * k + c], 0));
  }
  return { width, height, pixels: out, channels: wanted };
}
