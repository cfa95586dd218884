/** Pictures in grey and in colour, and those that are transparent. */
import { requireObject } from '../core/require-matrix.ts';
import { type Picture, type Pixels, whiteOf } from './picture.ts';

/** The colours to convert a picture to. */
export type Colour = 'grey' | 'rgb';

/** The picture on white paper, without transparency. */
export function onWhite<P extends Pixels>(picture: Picture<P>): Picture<P> {
  const { width, height, channels = 1, pixels, alpha } = picture;
  if (!alpha) return picture;
  const white = whiteOf(pixels);
  const round = white === 1 ? (value: number) => value : Math.round;
  const shown = pixels.map((value, k) => round(white + (alpha[Math.floor(k / channels)] / white) * (value - white)));
  return { width, height, channels, pixels: shown as P };
}

/** Makes a picture from stored numbers in which the opacity of a pixel follows its channels. */
export function withAlpha<P extends Uint8Array | Uint16Array>(stored: P, size: Omit<Picture, 'pixels'>): Picture<P> {
  const { width, height, channels = 1 } = size;
  const pixels = stored.slice(0, width * height * channels) as P;
  const alpha = stored.slice(0, width * height) as P;
  for (let k = 0; k < alpha.length; k++) {
    const from = k * (channels + 1);
    for (let c = 0; c < channels; c++) pixels[k * channels + c] = stored[from + c];
    alpha[k] = stored[from + channels];
  }
  return { width, height, channels, pixels, alpha };
}

/** Reduces a picture to one channel if red, green and blue are the same in every pixel; otherwise returns it unchanged. */
export function withoutEqualColours<P extends Pixels>(picture: Picture<P>): Picture<P> {
  const { width, height, pixels, channels = 1, alpha } = picture;
  if (channels === 1) return picture;
  for (let k = 0; k < pixels.length; k += 3) {
    if (pixels[k] !== pixels[k + 1] || pixels[k] !== pixels[k + 2]) return picture;
  }
  const grey = pixels.slice(0, width * height) as P;
  for (let k = 0; k < grey.length; k++) grey[k] = pixels[3 * k];
  return { width, height, channels: 1, pixels: grey, ...(alpha && { alpha }) };
}

/** Weights of red, green and blue in the brightness: Rec. 601, as in Pillow and MATLAB. */
export const BRIGHTNESS = [0.299, 0.587, 0.114];

/** Converts a picture to grey or to colour. */
export function inColour<P extends Pixels>(picture: Picture<P>, colour: Colour): Picture<P> {
  requireObject('inColour', 'picture', picture, 'a picture {width, height, pixels}', ['pixels']);
  const { width, height, pixels, channels = 1, alpha } = picture;
  const wanted = colour === 'grey' ? 1 : 3;
  if (channels === wanted) return picture;
  const out = new (pixels.constructor as Uint8ArrayConstructor)(width * height * wanted) as Pixels as P;
  const round = whiteOf(pixels) === 1 ? (value: number) => value : Math.round;
  for (let k = 0; k < width * height; k++) {
    if (wanted === 3) out.fill(pixels[k], 3 * k, 3 * k + 3);
    else out[k] = round(BRIGHTNESS.reduce((sum, part, c) => sum + part * pixels[3 * k + c], 0));
  }
  return { width, height, pixels: out, channels: wanted, ...(alpha && { alpha }) };
}
