/** PNG files (ISO/IEC 15948), 8 bits grey or RGB: signature, IHDR, one IDAT, IEND; rows unfiltered. */

import { zlibSync } from 'fflate';
import { crc32 } from '../core/crc32.ts';
import { inputError } from '../core/errors.ts';
import { requireObject } from '../core/require-matrix.ts';
import type { Picture } from './picture.ts';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const COLOUR_TYPE = { 1: 0, 3: 2 } as const;
const NO_FILTER = 0;

/**
 * The bytes of a PNG file.
 *
 * @example
 * ```js
 * import { encodePng } from 'orthodict';
 *
 * const file = encodePng({ width: 2, height: 1, pixels: Uint8Array.of(0, 255) });
 * console.log(String.fromCharCode(...file.subarray(1, 4))); // PNG
 * ```
 */
export function encodePng(image: Picture): Uint8Array {
  requireObject('encodePng', 'image', image, 'a picture {width, height, pixels}', ['pixels']);
  validate(image);
  const { width, height, channels = 1 } = image;
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, COLOUR_TYPE[channels]], 8); // the rest is zero: deflate, adaptive filters, not interlaced
  const body = zlibSync(scanlines(image), { level: 9 });
  return concatenate([SIGNATURE, chunk('IHDR', header), chunk('IDAT', body), chunk('IEND', new Uint8Array(0))]);
}

/** Prefixes every row with its filter number. */
function scanlines({ width, height, pixels, channels = 1 }: Picture): Uint8Array {
  const stride = width * channels;
  const lines = new Uint8Array((stride + 1) * height);
  for (let y = 0; y < height; y++) {
    lines[y * (stride + 1)] = NO_FILTER;
    lines.set(pixels.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  }
  return lines;
}

/** A chunk of a PNG file: length, type, data, CRC of type and data. */
function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function validate({ width, height, pixels, channels = 1 }: Picture): void {
  if (!(Number.isInteger(width) && width > 0 && Number.isInteger(height) && height > 0)) {
    throw inputError('encodePng', 'image', 'of positive width and height', `${width}×${height}`);
  }
  const expected = width * height * channels;
  if (pixels.length !== expected) {
    throw inputError('encodePng', 'image.pixels', `${expected} values`, `${pixels.length} values`);
  }
}
