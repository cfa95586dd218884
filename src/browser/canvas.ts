/**
 * Pictures by the browser's own decoders and by a canvas, which has 8 bits per channel. Photographs are turned as their camera says,
 * colours are converted to sRGB as for showing, and what is transparent becomes white, as in Node.
 */
import { InputError } from '../core/errors.ts';
import { reasonOf } from '../core/warn.ts';
import type { Bytes } from '../formats/bytes.ts';
import type { PictureDecoder, PictureSize } from '../formats/picture-table.ts';
import type { Picture } from '../images/picture.ts';

/** The few parts of the canvas that are used here; the library compiles without the types of a page. */
interface Bitmap extends PictureSize {
  close(): void;
}
interface Context {
  fillStyle: string;
  fillRect(x: number, y: number, width: number, height: number): void;
  drawImage(image: Bitmap, x: number, y: number): void;
  getImageData(x: number, y: number, width: number, height: number): ImagePixels;
  putImageData(image: ImagePixels, x: number, y: number): void;
}
interface ImagePixels extends PictureSize {
  readonly data: Uint8ClampedArray;
}
interface Canvas {
  getContext(kind: '2d', settings?: object): Context | null;
  convertToBlob(settings: { type: string; quality?: number }): Promise<Blob>;
}
interface CanvasPlatform {
  readonly createImageBitmap: (blob: Blob, settings: object) => Promise<Bitmap>;
  readonly OffscreenCanvas: new (width: number, height: number) => Canvas;
  readonly ImageData: new (data: Uint8ClampedArray, width: number, height: number) => ImagePixels;
}

const platform = globalThis as unknown as Partial<CanvasPlatform>;

export const hasCanvas = (): boolean => platform.OffscreenCanvas !== undefined;

/** Decodes off the calling thread. */
async function bitmapOf(name: string, blob: Blob): Promise<Bitmap> {
  if (!platform.createImageBitmap || !hasCanvas()) {
    throw new InputError(`${name}: cannot be read as a picture (this browser has no OffscreenCanvas).`);
  }
  return platform.createImageBitmap(blob, { imageOrientation: 'from-image' }).catch((error) => {
    throw new InputError(`${name}: cannot be read as a picture (${reasonOf(error)}).`);
  });
}

function contextOf(canvas: Canvas): Context {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context) return context;
  throw new InputError('pictures: the browser gives no canvas of this size.');
}

/** A picture whose pixels are all grey has one channel. */
export async function decodeBlob(name: string, blob: Blob): Promise<Picture> {
  const bitmap = await bitmapOf(name, blob);
  try {
    const { width, height } = bitmap;
    const context = contextOf(new platform.OffscreenCanvas!(width, height));
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    context.drawImage(bitmap, 0, 0);
    return pictureOf(context.getImageData(0, 0, width, height));
  } finally {
    bitmap.close();
  }
}

function pictureOf({ width, height, data }: ImagePixels): Picture {
  const isGrey = hasOnlyGrey(data);
  const channels = isGrey ? 1 : 3;
  const pixels = new Uint8Array(width * height * channels);
  for (let from = 0, to = 0; from < data.length; from += 4) {
    pixels[to++] = data[from];
    if (isGrey) continue;
    pixels[to++] = data[from + 1];
    pixels[to++] = data[from + 2];
  }
  return { width, height, channels, pixels };
}

function hasOnlyGrey(data: Uint8ClampedArray): boolean {
  for (let k = 0; k < data.length; k += 4) {
    if (data[k] !== data[k + 1] || data[k] !== data[k + 2]) return false;
  }
  return true;
}

async function blobOf(bytes: Bytes): Promise<Blob> {
  if ('blob' in bytes) return bytes.blob as Blob;
  bytes.budget.hold(bytes.byteLength, `${bytes.byteLength} bytes`);
  const content = new Uint8Array(bytes.byteLength);
  await bytes.readAt(content, 0);
  return new Blob([content]);
}

/** The size is known once the picture is decoded. */
export const canvasDecoder: PictureDecoder = {
  decode: async (bytes) => decodeBlob(bytes.name, await blobOf(bytes)),
  async size(bytes) {
    const bitmap = await bitmapOf(bytes.name, await blobOf(bytes));
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  },
};

/** Encodes off the calling thread. `type`: `image/jpeg`; a browser that does not write it gives another one, which is refused. */
export async function encodeByCanvas(picture: Picture, type: string, quality: number): Promise<Blob> {
  if (!platform.OffscreenCanvas || !platform.ImageData) {
    const got = `${type}, and this browser has no OffscreenCanvas`;
    throw new InputError(`pictureBlob: type must be image/png here; got ${got}.`, 'pictureBlob');
  }
  const { width, height, pixels, channels = 1 } = picture;
  const data = new Uint8ClampedArray(4 * width * height);
  for (let from = 0, to = 0; to < data.length; from += channels, to += 4) {
    data[to] = pixels[from];
    data[to + 1] = pixels[channels === 1 ? from : from + 1];
    data[to + 2] = pixels[channels === 1 ? from : from + 2];
    data[to + 3] = 255;
  }
  const canvas = new platform.OffscreenCanvas(width, height);
  contextOf(canvas).putImageData(new platform.ImageData(data, width, height), 0, 0);
  const blob = await canvas.convertToBlob({ type, quality });
  if (blob.type === type) return blob;
  throw new InputError(`pictureBlob: type must be one that the browser writes; got ${type}.`, 'pictureBlob');
}
