import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { row } from '#src/core/matrix.ts';
import { spread } from '#src/pictures/patch-grid.ts';
import { patchesOf, pictureFrom } from '#src/pictures/patches.ts';
import type { Picture } from '#src/pictures/picture.ts';

/** Pixel (x, y) is 10y + x. */
const numbered: Picture = {
  width: 5,
  height: 4,
  pixels: Uint8Array.from({ length: 20 }, (_, at) => 10 * Math.floor(at / 5) + (at % 5)),
};

const rowsOf = (patches: ReturnType<typeof patchesOf>) =>
  Array.from({ length: patches.rows }, (_, i) => [...row(patches, i)]);

describe('patchesOf', () => {
  it('cuts a grid of patches, the last of which touch the edges', () => {
    const patches = patchesOf(numbered, { width: 2, stride: 2 });
    expect(patches.data).toBeInstanceOf(Float32Array);
    expect(rowsOf(patches)).toEqual([
      [0, 1, 10, 11],
      [2, 3, 12, 13],
      [3, 4, 13, 14],
      [20, 21, 30, 31],
      [22, 23, 32, 33],
      [23, 24, 33, 34],
    ]);
  });

  it('cuts a patch at every place by default', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 4 }), (width, height) => {
        const patches = patchesOf(numbered, { width, height });
        expect(patches.rows).toBe((5 - width + 1) * (4 - height + 1));
        expect(new Set(rowsOf(patches).map(String)).size).toBe(patches.rows);
      }),
    );
  });

  it('takes as many as the limit says, in order, determined by the seed', () => {
    const all = rowsOf(patchesOf(numbered, { width: 2 })).map(String);
    const taken = (seed: number) => rowsOf(patchesOf(numbered, { width: 2, limit: 5, seed })).map(String);
    expect(taken(3)).toHaveLength(5);
    expect(taken(3).map((patch) => all.indexOf(patch))).toEqual(
      taken(3)
        .map((patch) => all.indexOf(patch))
        .sort((a, b) => a - b),
    );
    expect(taken(3)).toEqual(taken(3));
    expect(new Set([0, 1, 2, 3, 4].map((seed) => taken(seed).join())).size).toBeGreaterThan(1);
    expect(rowsOf(patchesOf(numbered, { width: 2, limit: 12 })).map(String)).toEqual(all);
  });

  it('removes the mean of every patch', () => {
    for (const patch of rowsOf(patchesOf(numbered, { width: 3, removeMean: true }))) {
      expect(patch.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 4);
      expect(patch[1] - patch[0]).toBeCloseTo(1, 5);
    }
  });

  it('keeps the channels of a pixel together', () => {
    const colour: Picture = { width: 2, height: 1, channels: 3, pixels: Uint8Array.of(1, 2, 3, 4, 5, 6) };
    expect(rowsOf(patchesOf(colour, { width: 1 }))).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });

  it('names the offending parameter', () => {
    expect(() => patchesOf(numbered, { width: 5 })).toThrow(
      'patchesOf: height must be a whole number from 1 to 4, as the picture has; got 5.',
    );
    expect(() => patchesOf(numbered, { width: 2, stride: 0 })).toThrow(
      'patchesOf: stride must be a positive whole number; got 0.',
    );
    expect(() => patchesOf(numbered, { width: 2, limit: 0 })).toThrow(
      'patchesOf: limit must be a positive whole number; got 0.',
    );
    expect(() => patchesOf({ ...numbered, width: 6 }, { width: 2 })).toThrow(
      'patchesOf: picture.pixels must be 24 values; got 20 values.',
    );
  });
});

describe('spread', () => {
  it('takes one of every equal share', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500 }),
        fc.integer({ min: 1, max: 500 }),
        fc.nat(),
        (count, limit, seed) => {
          const chosen = [...spread(count, limit, seed)];
          expect(chosen).toHaveLength(Math.min(count, limit));
          expect(new Set(chosen).size).toBe(chosen.length);
          chosen.forEach((k, i) => {
            const share = count / chosen.length;
            expect(k).toBeGreaterThanOrEqual(Math.floor(i * share));
            expect(k).toBeLessThan(Math.floor((i + 1) * share));
          });
        },
      ),
    );
  });
});

describe('pictureFrom', () => {
  it('is the inverse of patchesOf for any grid that covers the picture', () => {
    const side = (most: number) => fc.integer({ min: 1, max: most });
    fc.assert(
      fc.property(
        side(12),
        side(12),
        side(5),
        side(5),
        side(5),
        fc.constantFrom(1, 3),
        (w, h, pw, ph, stride, channels) => {
          const picture = {
            width: w,
            height: h,
            channels: channels as 1 | 3,
            pixels: Uint16Array.from({ length: w * h * channels }, (_, k) => (k * 7919) % 65536),
          };
          const grid = { width: Math.min(pw, w), height: Math.min(ph, h) };
          const all = { ...grid, stride: Math.min(stride, grid.width, grid.height) };
          expect([...pictureFrom(patchesOf(picture, all), { ...all, picture }).pixels]).toEqual([...picture.pixels]);
        },
      ),
    );
  });

  it('weighs patches that overlap', () => {
    const picture = { width: 3, height: 1 };
    const patches = { rows: 2, cols: 2, data: Float32Array.of(1, 1, 5, 5) };
    const { pixels } = pictureFrom(patches, { picture, width: 2, height: 1, weights: [1, 3] });
    expect([...pixels]).toEqual([1, 4, 5]);
  });

  it('refuses patches that do not fit or leave gaps', () => {
    const patches = patchesOf(numbered, { width: 2 });
    expect(() => pictureFrom(patches, { picture: numbered, width: 3 })).toThrow('patches must be 6×9; got 12×4');
    const apart = patchesOf(numbered, { width: 1, stride: 2 });
    expect(() => pictureFrom(apart, { picture: numbered, width: 1, stride: 2 })).toThrow(
      'so that every pixel is covered',
    );
  });
});
