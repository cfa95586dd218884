/**
 * Decodes pictures with the browser's own decoders and a canvas, which has 8 bits per channel. Photographs are turned by their EXIF orientation,
 * colours are converted to sRGB as for display, and transparent pixels become white, as in Node.
 */
import { InputError } from '../core/errors.ts';
import { reasonOf } from '../core/warn.ts';
import type { Bytes } from '../io/bytes/bytes.ts';
import type { PictureDecoder, PictureSize } from '../io/codecs/picture/reading.ts';
import { withoutEqualColours } from '../pictures/colour.ts';
import type { Picture } from '../pictures/picture.ts';

/** The few parts of the canvas that are used here; the library compiles without the DOM types. */
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

/** Canvas size that every browser supports. */
const COMMON = { side: 1 << 14, pixels: 1 << 26 };

export const fitsCanvas = ({ width, height }: PictureSize): boolean =>
  hasCanvas() && Math.max(width, height) <= COMMON.side && width * height <= COMMON.pixels;

/** Decodes a picture off the calling thread. */
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

/** Side of a tile in pixels: a canvas beyond the browser's limits stays empty, without an error. */
const TILE = 2048;

/** Decodes a picture; one whose pixels are all grey has one channel. */
async function decode(bytes: Bytes): Promise<Picture> {
  const { name, budget } = bytes;
  const bitmap = await bitmapOf(name, await blobOf(bytes));
  try {
    const { width, height } = bitmap;
    budget.hold(4 * width * height, `${width} × ${height} pixels`);
    const pixels = new Uint8Array(3 * width * height);
    const context = contextOf(new platform.OffscreenCanvas!(Math.min(width, TILE), Math.min(height, TILE)));
    context.fillStyle = '#fff';
    for (let top = 0; top < height; top += TILE) {
      for (let left = 0; left < width; left += TILE) {
        const tile = drawTile(context, bitmap, left, top);
        if (tile.data[3] !== 255) throw new InputError(`${name}: cannot be read as a picture (it is too large).`);
        copyTile(tile, pixels, 3 * (top * width + left), 3 * width);
      }
    }
    return withoutEqualColours({ width, height, channels: 3, pixels });
  } finally {
    bitmap.close();
  }
}

/** Draws the tile at this position of the picture on white. */
function drawTile(context: Context, bitmap: Bitmap, left: number, top: number): ImagePixels {
  const [width, height] = [Math.min(TILE, bitmap.width - left), Math.min(TILE, bitmap.height - top)];
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, -left, -top);
  return context.getImageData(0, 0, width, height);
}

/** Copies four channels to three, from `start` on, rows `stride` apart. */
function copyTile({ width, height, data }: ImagePixels, out: Uint8Array, start: number, stride: number): void {
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0, to = start + y * stride; x < width; x++, from += 4, to += 3) {
      out[to] = data[from];
      out[to + 1] = data[from + 1];
      out[to + 2] = data[from + 2];
    }
  }
}

async function blobOf(bytes: Bytes): Promise<Blob> {
  if ('blob' in bytes) return bytes.blob as Blob;
  bytes.budget.hold(bytes.byteLength, `${bytes.byteLength} bytes`);
  const content = new Uint8Array(bytes.byteLength);
  await bytes.readAt(content, 0);
  return new Blob([content]);
}

/** The canvas decoder; the size of a picture is known only once it is decoded. */
export const canvasDecoder: PictureDecoder = {
  decode,
  async size(bytes) {
    const bitmap = await bitmapOf(bytes.name, await blobOf(bytes));
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  },
};

/** Encodes off the calling thread. `type`: `image/jpeg`; a browser that cannot write it returns another type, which is refused. */
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
  const blob = await canvas.convertToBlob({ type, quality }).catch((error) => {
    throw new InputError(`pictureBlob: ${width}×${height} pixels cannot be written as ${type} (${reasonOf(error)}).`);
  });
  if (blob.type === type) return blob;
  throw new InputError(`pictureBlob: type must be one that the browser writes; got ${type}.`, 'pictureBlob');
}
