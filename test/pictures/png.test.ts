import fc from 'fast-check';
import { unzlibSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { crc32 } from '#src/core/crc32.ts';
import type { Picture } from '#src/pictures/picture.ts';
import { encodePng } from '#src/pictures/png.ts';

const picture = fc
  .record({
    width: fc.integer({ min: 1, max: 9 }),
    height: fc.integer({ min: 1, max: 9 }),
    channels: fc.constantFrom(1, 3),
  })
  .chain(({ width, height, channels }) => {
    const length = width * height * channels;
    return fc
      .uint8Array({ minLength: length, maxLength: length })
      .map((pixels): Picture => ({ width, height, channels: channels === 3 ? 3 : 1, pixels }));
  });

/** Type, data and checksum of every chunk. */
function chunksOf(file: Uint8Array) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks: { type: string; data: Uint8Array; sound: boolean }[] = [];
  for (let at = 8; at < file.length; ) {
    const length = view.getUint32(at);
    const body = file.subarray(at + 4, at + 8 + length);
    const sound = view.getUint32(at + 8 + length) === crc32(body);
    chunks.push({ type: String.fromCharCode(...body.subarray(0, 4)), data: body.subarray(4), sound });
    at += 12 + length;
  }
  return chunks;
}

describe('crc32', () => {
  it('gives the check value of the standard', () => {
    expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  });
});

describe('encodePng', () => {
  it('writes valid chunks that hold the picture', () => {
    fc.assert(
      fc.property(picture, (image) => {
        const file = encodePng(image);
        expect([...file.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
        const chunks = chunksOf(file);
        expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'IDAT', 'IEND']);
        expect(chunks.every(({ sound }) => sound)).toBe(true);
        const colourType = image.channels === 3 ? 2 : 0;
        expect([...chunks[0].data]).toEqual([0, 0, 0, image.width, 0, 0, 0, image.height, 8, colourType, 0, 0, 0]);
        const stride = image.width * (image.channels ?? 1) + 1;
        const lines = unzlibSync(chunks[1].data);
        expect(lines.filter((_, at) => at % stride !== 0)).toEqual(image.pixels);
      }),
    );
  });

  it('names what it refuses', () => {
    const pixels = new Uint8Array(3);
    expect(() => encodePng({ width: 2, height: 2, pixels })).toThrow(
      'encodePng: image.pixels must be 4 values; got 3 values.',
    );
    expect(() => encodePng({ width: 0, height: 2, pixels })).toThrow(
      'encodePng: image must be of positive width and height; got 0×2.',
    );
  });
});
