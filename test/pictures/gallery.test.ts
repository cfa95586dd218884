import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRows, identity, zeros } from '#src/core/matrix.ts';
import { atomGallery } from '#src/pictures/gallery.ts';

describe('atomGallery', () => {
  it('lays tiles out in reading order with gaps between and around', () => {
    const { width, height, pixels } = atomGallery(
      fromRows([
        [1, -1, 0, 0.5],
        [0, 0, 0, 0],
        [0, 0, 0, 2],
      ]),
      { columns: 2 },
    );
    expect([width, height]).toEqual([7, 7]);
    const lines = Array.from({ length: height }, (_, y) => [...pixels.subarray(y * width, (y + 1) * width)]);
    expect(lines).toEqual([
      [255, 255, 255, 255, 255, 255, 255],
      [255, 255, 1, 255, 128, 128, 255],
      [255, 128, 192, 255, 128, 128, 255],
      [255, 255, 255, 255, 255, 255, 255],
      [255, 128, 128, 255, 255, 255, 255],
      [255, 128, 255, 255, 255, 255, 255],
      [255, 255, 255, 255, 255, 255, 255],
    ]);
  });

  it('has room for every tile in any geometry', () => {
    const positive = (max: number) => fc.integer({ min: 1, max });
    fc.assert(
      fc.property(
        positive(7),
        positive(4),
        positive(4),
        positive(5),
        positive(3),
        fc.nat(3),
        (count, width, height, columns, scale, gap) => {
          const picture = atomGallery(zeros(count, width * height), { width, height, columns, scale, gap });
          expect(picture.width).toBe(gap + columns * (width * scale + gap));
          expect(picture.height).toBe(gap + Math.ceil(count / columns) * (height * scale + gap));
          expect(picture.pixels.filter((grey) => grey === 128).length).toBe(count * width * height * scale * scale);
        },
      ),
    );
  });

  it('mirrors the greys when an atom changes sign', () => {
    const { pixels } = atomGallery(
      fromRows([
        [0.2, -0.7, 0.1, 0.4],
        [-0.2, 0.7, -0.1, -0.4],
      ]),
      { columns: 1, gap: 0 },
    );
    for (let k = 0; k < 4; k++) expect(Math.abs(pixels[k] + pixels[4 + k] - 256)).toBeLessThanOrEqual(1);
  });

  it('uses a given scale for all tiles and clips larger values', () => {
    const { pixels } = atomGallery(
      fromRows([
        [1, -1, 0.5, 0],
        [9, -9, 2, -2],
      ]),
      { columns: 1, gap: 0, full: 2 },
    );
    expect([...pixels]).toEqual([192, 65, 160, 128, 255, 0, 255, 1]);
  });

  it('guesses squares, follows a given side, and falls back on strips', () => {
    const size = (length: number, options = {}) => {
      const { width, height } = atomGallery(zeros(1, length), { gap: 0, ...options });
      return [width, height];
    };
    expect(size(64)).toEqual([8, 8]);
    expect(size(12)).toEqual([12, 1]);
    expect(size(12, { width: 4 })).toEqual([4, 3]);
    expect(size(12, { height: 2, scale: 2 })).toEqual([12, 4]);
    expect(atomGallery(identity(5), { gap: 0 })).toMatchObject({ width: 5, height: 5 });
  });

  it('names the offending parameter', () => {
    expect(() => atomGallery(zeros(1, 12), { width: 5 })).toThrow(
      'atomGallery: width × height must be 12, the length of an atom; got 5 × 2.4.',
    );
    expect(() => atomGallery(zeros(1, 4), { scale: 0 })).toThrow(
      'atomGallery: scale must be a whole number of at least 1; got 0.',
    );
    expect(() => atomGallery(zeros(0, 4))).toThrow('atomGallery: atoms must be a matrix with entries; got 0×4.');
  });
});
