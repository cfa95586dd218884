/** Decodes pictures with the optional package `sharp`, which is loaded here. */
import { InputError } from '../../core/errors.ts';
import { type Picture, type Pixels, whiteOf } from '../../images/picture.ts';
import type { Bytes } from './bytes.ts';
import { shownPath } from './http-bytes.ts';

/** How to see the colours: as the file has them, or as one of these. */
export type Colour = 'grey' | 'rgb';

/** The size of a picture as it is shown, before it is read. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** The whole picture. */
export async function decodePicture(bytes: Bytes): Promise<Picture<Pixels>> {
  const sharp = await loadSharp(bytes.name);
  return reading(bytes, async () => {
    const content = await contentOf(bytes);
    const { width = 0, height = 0, depth, space, pages = 1 } = await sharp(content).metadata();
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
    const inSpace = sharp(content, { limitInputPixels: false })
      .autoOrient()
      .toColourspace(deep ? (isGrey ? 'grey16' : 'rgb16') : isGrey ? 'b-w' : 'srgb');
    const { data, info } = await inSpace
      .raw({ depth: deep ? 'ushort' : 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const channels = info.channels >= 3 ? 3 : 1;
    const stored = deep ? new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2) : new Uint8Array(data);
    return { width: info.width, height: info.height, channels, pixels: onWhite(stored, info.channels, channels) };
  });
}

/** Without reading the pixels. */
export async function sizeOfPicture(bytes: Bytes): Promise<PictureSize> {
  const sharp = await loadSharp(bytes.name);
  return reading(bytes, async () => {
    const { autoOrient } = await sharp(await contentOf(bytes)).metadata();
    return { width: autoOrient.width ?? 0, height: autoOrient.height ?? 0 };
  });
}

async function contentOf(bytes: Bytes): Promise<Uint8Array> {
  const content = new Uint8Array(bytes.byteLength);
  await bytes.readAt(content, 0);
  return content;
}

/** Whatever the package complains about is the file's fault. */
async function reading<T>({ name }: Bytes, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof InputError) throw error;
    const [why] = String((error as Error)?.message ?? error).split('\n');
    throw new InputError(`${name}: cannot be read as a picture (${why.trim()}).`);
  }
}

/** Lays a picture whose last channel is its opacity on white paper. */
function onWhite<P extends Uint8Array | Uint16Array>(pixels: P, there: number, wanted: number): P {
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

export async function loadSharp(path: string) {
  try {
    return (await import('sharp')).default;
  } catch {
    throw new InputError(
      `${shownPath(path)}: the package sharp is needed for pictures; install it with npm install sharp.`,
    );
  }
}
