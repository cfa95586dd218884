/** Pictures in other colours, other sizes and other pixels. */
import type { Picture } from 'orthodict';
import type { Colour } from './studio.ts';

/** Brightness of red, green and blue: Rec. 601, as the command line has it. */
const BRIGHTNESS = [0.299, 0.587, 0.114];

/** A picture of three channels in grey, or as it is. */
export function inColour(picture: Picture, colour: Colour): Picture {
  if (colour === 'rgb') return picture;
  const { width, height, pixels } = picture;
  const [red, green, blue] = BRIGHTNESS;
  const grey = new Uint8Array(width * height);
  for (let k = 0; k < grey.length; k++) {
    grey[k] = Math.round(red * pixels[3 * k] + green * pixels[3 * k + 1] + blue * pixels[3 * k + 2]);
  }
  return { width, height, pixels: grey, channels: 1 };
}

/** With three channels: grey ones are repeated. */
export function inThreeChannels(picture: Picture): Picture {
  const { width, height, pixels, channels = 1 } = picture;
  if (channels === 3) return picture;
  return {
    width,
    height,
    channels: 3,
    pixels: Uint8Array.from({ length: 3 * pixels.length }, (_, k) => pixels[Math.floor(k / 3)]),
  };
}

/** Numbers from 0 to 255 as pixels: rounded, and cut off at black and white. */
export const toBytes = (values: ArrayLike<number>): Uint8Array =>
  new Uint8Array(new Uint8ClampedArray(values as ArrayLike<number>).buffer);

/** The same picture with at most so many pixels: each new one is the mean of the area that it covers. */
export function scaledDown(picture: Picture, most: number): Picture {
  const factor = Math.sqrt(most / (picture.width * picture.height));
  if (factor >= 1) return picture;
  const channels = picture.channels ?? 1;
  const [width, height] = [picture.width, picture.height].map((side) => Math.max(1, Math.floor(side * factor)));
  const across = averaged(picture.pixels, { lines: picture.height, length: picture.width, inner: channels }, width);
  const down = averaged(across, { lines: 1, length: picture.height, inner: width * channels }, height);
  return { width, height, channels, pixels: toBytes(down) };
}

interface Extent {
  readonly lines: number;
  readonly length: number;
  /** Numbers that belong together. */
  readonly inner: number;
}

/** Means over `count` equal shares of every line, ends counted by the part that lies inside. */
function averaged(values: ArrayLike<number>, { lines, length, inner }: Extent, count: number): Float32Array {
  const out = new Float32Array(lines * count * inner);
  const share = length / count;
  for (let line = 0; line < lines; line++) {
    for (let k = 0; k < count; k++) {
      const [start, end] = [k * share, Math.min((k + 1) * share, length)];
      const to = (line * count + k) * inner;
      for (let x = Math.floor(start); x < end; x++) {
        const weight = (Math.min(x + 1, end) - Math.max(x, start)) / share;
        const from = (line * length + x) * inner;
        for (let c = 0; c < inner; c++) out[to + c] += weight * values[from + c];
      }
    }
  }
  return out;
}
