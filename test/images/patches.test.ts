import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { row } from '#src/core/matrix.ts';
import { imagePatches } from '#src/images/patches.ts';
import type { Picture } from '#src/images/picture.ts';

/** Pixel (x, y) is 10y + x. */
const numbered: Picture = {
  width: 5,
  height: 4,
  pixels: Uint8Array.from({ length: 20 }, (_, at) => 10 * Math.floor(at / 5) + (at % 5)),
};

const rowsOf = (patches: ReturnType<typeof imagePatches>) =>
  Array.from({ length: patches.rows }, (_, i) => [...row(patches, i)]);

describe('imagePatches', () => {
  it('cuts a grid of adjacent patches and drops the rest at the edges', () => {
    const patches = imagePatches(numbered, { size: 2 });
    expect(patches.data).toBeInstanceOf(Float32Array);
    expect(rowsOf(patches)).toEqual([
      [0, 1, 10, 11],
      [2, 3, 12, 13],
      [20, 21, 30, 31],
      [22, 23, 32, 33],
    ]);
  });

  it('cuts a patch at every place with stride 1', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), (size) => {
        const patches = imagePatches(numbered, { size, stride: 1 });
        expect(patches.rows).toBe((5 - size + 1) * (4 - size + 1));
        expect(new Set(rowsOf(patches).map(String)).size).toBe(patches.rows);
      }),
    );
  });

  it('cuts random patches from every place, determined by the seed', () => {
    const places = new Set(rowsOf(imagePatches(numbered, { size: 3, stride: 1 })).map(String));
    const random = imagePatches(numbered, { size: 3, count: 200, seed: 3 });
    expect(random.rows).toBe(200);
    expect(new Set(rowsOf(random).map(String))).toEqual(places);
    expect(imagePatches(numbered, { size: 3, count: 200, seed: 3 })).toEqual(random);
    expect(imagePatches(numbered, { size: 3, count: 200, seed: 4 })).not.toEqual(random);
  });

  it('removes the mean of every patch', () => {
    for (const patch of rowsOf(imagePatches(numbered, { size: 3, stride: 1, removeMean: true }))) {
      expect(patch.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 4);
      expect(patch[1] - patch[0]).toBeCloseTo(1, 5);
    }
  });

  it('keeps the channels of a pixel together', () => {
    const colour: Picture = { width: 2, height: 1, channels: 3, pixels: Uint8Array.of(1, 2, 3, 4, 5, 6) };
    expect(rowsOf(imagePatches(colour, { size: 1 }))).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });

  it('names the offending parameter', () => {
    expect(() => imagePatches(numbered, { size: 5 })).toThrow(
      'imagePatches: size must be a whole number from 1 to 4; got 5.',
    );
    expect(() => imagePatches(numbered, { size: 2, stride: 0 })).toThrow(
      'imagePatches: stride must be a positive whole number; got 0.',
    );
    expect(() => imagePatches(numbered, { size: 2, stride: 1, count: 3 })).toThrow(
      'imagePatches: stride must be left out when count is given; got 1.',
    );
    expect(() => imagePatches({ ...numbered, width: 6 }, { size: 2 })).toThrow(
      'imagePatches: image.pixels must be 24 values; got 20 values.',
    );
  });
});
