import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { inColour } from '#src/pictures/colour.ts';
import { noiseLevel } from '#src/pictures/noise-level.ts';
import type { Picture, Pixels } from '#src/pictures/picture.ts';
import { pixelsLike } from '#src/pictures/picture.ts';
import { fastKernels } from '../helpers/kernels.ts';
import { scene, withNoise } from './scenes.ts';

const SIDE = 96;
const estimate = (picture: Picture<Pixels>): number => noiseLevel(picture, fastKernels);
const inBytes = (picture: Picture<Float32Array>): Picture => ({
  ...picture,
  pixels: pixelsLike(new Uint8Array(0), picture.pixels),
  alpha: undefined,
});

async function throughJpeg(picture: Picture, quality: number, chromaSubsampling: string): Promise<Picture> {
  const { width, height, channels = 1, pixels } = picture;
  const file = await sharp(pixels, { raw: { width, height, channels } })
    .jpeg({ quality, chromaSubsampling })
    .toBuffer();
  return { width, height, channels, pixels: new Uint8Array(await sharp(file).raw().toBuffer()) };
}

describe('noiseLevel', () => {
  it.each([1, 3] as const)('is the standard deviation of white noise, cut off or not, in %d channels', (channels) => {
    const level = fc.double({ min: 2, max: 75, noNaN: true });
    fc.assert(
      fc.property(level, fc.nat(1e6), fc.boolean(), (sigma, seed, isCut) => {
        const noisy = withNoise(scene(SIDE, SIDE, channels), sigma, seed);
        const found = estimate(isCut ? inBytes(noisy) : noisy);
        // a tenth of 7,921 overlapping patches is some 12 apart, of 36 numbers: known to 1/√864, with some texture
        expect(found / sigma).toBeGreaterThan(0.85);
        expect(found / sigma).toBeLessThan(1.2);
      }),
      { numRuns: 12 },
    );
  });

  it.each([
    ['dark', 0],
    ['bright', 1],
  ])('sees noise of which half is cut off, in a picture that is %s', (_, value) => {
    const flat = { width: SIDE, height: SIDE, pixels: new Float32Array(SIDE * SIDE).fill(value) };
    const sigma = 30;
    const found = estimate(inBytes(withNoise(flat, sigma)));
    expect(Math.abs(found - sigma)).toBeLessThan(0.1 * sigma); // uncorrected: √.34 of it
  });

  it.each([75, 85, 95, 100])(
    'is not lost where JPEG of quality %d smooths colour and high frequencies',
    async (quality) => {
      const sigma = 20;
      for (const subsampling of ['4:2:0', '4:4:4']) {
        const noisy = inBytes(withNoise(scene(SIDE, SIDE, 3), sigma));
        const found = estimate(await throughJpeg(noisy, quality, subsampling));
        expect(found).toBeGreaterThan(0.8 * sigma);
        expect(found).toBeLessThan(1.5 * sigma); // its brightness is .67 σ √3 = 1.16 σ
      }
    },
  );

  it.each([
    ['weak noise beside black, where JPEG leaves none', 8, 0, '4:2:0'],
    ['strong noise beside white, where JPEG leaves less', 30, 0.97, '4:4:4'],
  ])('finds %s', async (_, sigma, value, subsampling) => {
    const picture = scene(SIDE, SIDE, 3);
    const pixels = picture.pixels.map((other, k) => (Math.floor(k / 3) % SIDE < SIDE / 2 ? value : other));
    const noisy = inBytes(withNoise({ ...picture, pixels }, sigma));
    expect(estimate(await throughJpeg(noisy, 75, subsampling))).toBeGreaterThan(0.9 * sigma); // with those patches: .29 and .53 of it
  });

  it('does not take texture in brightness for noise where colour has less', () => {
    const sigma = 3;
    const picture = scene(SIDE, SIDE, 3);
    const pixels = picture.pixels.map((value, k) => {
      const pixel = Math.floor(k / 3);
      return value + (8 / 255) * Math.sin(0.9 * (pixel % SIDE)) * Math.sin(1.1 * Math.floor(pixel / SIDE));
    });
    expect(estimate(inBytes(withNoise({ ...picture, pixels }, sigma)))).toBeLessThan(1.2 * sigma);
  });

  it('is 0 for a constant picture, and for one of whole numbers that is exact but for rounding', () => {
    const flat = { width: 40, height: 30, pixels: new Uint8Array(1200).fill(77) };
    expect([estimate(flat), estimate(inColour(flat, 'rgb'))]).toEqual([0, 0]);
    const slope = Float32Array.from({ length: 1200 }, (_, k) => 0.2 + 0.0017 * (k % 40) + 0.0013 * Math.floor(k / 40));
    expect(estimate(inBytes({ width: 40, height: 30, pixels: slope }))).toBe(0);
  });

  it.each([2, 3, 5, 7])('takes pictures of %d pixels a side', (side) => {
    expect(estimate(withNoise(scene(side, side), 10))).toBeGreaterThanOrEqual(0);
  });
});
