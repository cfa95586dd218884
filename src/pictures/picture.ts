/** Pictures in memory: row by row from the top, the channels of a pixel side by side. */
import { inputError } from '../core/errors.ts';

/** Pixel values: 0 … 255, 0 … 65535, or 0 … 1 for fractions. */
export type Pixels = Uint8Array | Uint16Array | Float32Array;

/** A picture, by default with 8 bits per value. */
export interface Picture<P extends Pixels = Uint8Array> {
  readonly width: number;
  readonly height: number;
  /** The pixels: width · height · channels values. */
  readonly pixels: P;
  /** Number of channels: 1 (grey, the default) or 3 (interleaved red, green, blue). */
  readonly channels?: 1 | 3 | undefined;
  /** The opacity of every pixel, width · height values, white for opaque; default: all are. `denoise` and files keep it. */
  readonly alpha?: P | undefined;
}

/** The value of white. */
export function whiteOf(pixels: Pixels): number {
  if (pixels instanceof Uint8Array) return 255;
  return pixels instanceof Uint16Array ? 65535 : 1;
}

/** Numbers, 1 for white, as pixels of the same kind as `like`: whole kinds are rounded and clamped, fractions are not. */
export function pixelsLike<P extends Pixels>(like: P, values: Float32Array): P {
  if (like instanceof Float32Array) return values.slice() as P;
  const white = whiteOf(like);
  const pixels = like instanceof Uint8Array ? new Uint8Array(values.length) : new Uint16Array(values.length);
  for (let k = 0; k < values.length; k++) pixels[k] = Math.round(Math.min(Math.max(values[k], 0), 1) * white);
  return pixels as P;
}

/** Throws if a square patch does not fit into the picture. */
export function requirePatch(who: string, { width, height }: Picture<Pixels>, patch: number): void {
  const most = Math.min(width, height);
  if (patch > most)
    throw inputError(who, 'patch', `at most ${most}: the picture has ${width} × ${height} pixels`, patch);
}

/** Throws an InputError in the name of `who` if the value is not a picture. */
export function requirePicture(who: string, picture: Picture<Pixels>, name = 'picture'): void {
  const { width, height, pixels, channels = 1, alpha } = picture ?? {};
  const demand = (ok: boolean, parameter: string, mustBe: string, got: unknown) => {
    if (!ok) throw inputError(who, `${name}${parameter}`, mustBe, got);
  };
  const isCount = (value: number) => Number.isInteger(value) && value > 0;
  demand(isCount(width) && isCount(height), '', 'of positive width and height', `${width}×${height}`);
  demand(channels === 1 || channels === 3, '.channels', '1 or 3', channels);
  const isPixels = pixels instanceof Uint8Array || pixels instanceof Uint16Array || pixels instanceof Float32Array;
  demand(isPixels, '.pixels', 'a Uint8Array, Uint16Array or Float32Array', typeof pixels);
  const expected = width * height * channels;
  demand(pixels.length === expected, '.pixels', `${expected} values`, `${pixels.length} values`);
  const isAlpha = alpha === undefined || (alpha.constructor === pixels.constructor && alpha.length === width * height);
  demand(isAlpha, '.alpha', `${width * height} values of the kind of pixels`, `${alpha?.length} values`);
  if (!(pixels instanceof Float32Array)) return;
  const bad = pixels.findIndex((value) => !Number.isFinite(value));
  demand(bad < 0, '.pixels', 'finite', `${pixels[bad]} at ${bad}`);
}
