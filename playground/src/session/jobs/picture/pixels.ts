/** Converts pictures to other sizes and pixel types. */
import type { Picture, Pixels } from 'orthodict';

/** Converts to 8 bits; white is 65535 in 16 bits and 1 in fractions. */
export function inBytes({ width, height, channels, pixels }: Picture<Pixels>): Picture {
  if (pixels instanceof Uint8Array) return { width, height, channels, pixels };
  const unit = pixels instanceof Uint16Array ? 255 / 65535 : 255;
  return { width, height, channels, pixels: toBytes(Float32Array.from(pixels, (value) => unit * value)) };
}

/** Numbers from 0 to 255 as pixels: rounded, and clipped at black and white. */
export const toBytes = (values: ArrayLike<number>): Uint8Array => new Uint8Array(new Uint8ClampedArray(values).buffer);

/** Scales a picture down to at most `most` pixels: each new pixel is the mean of the area that it covers. */
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
  /** Number of consecutive numbers that belong together. */
  readonly inner: number;
}

/** Means over `count` equal parts of every line; pixels at the ends count by the share that lies inside. */
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
