import { describe, expect, it } from 'vitest';
import { writeArrays } from '#src/node/io/arrays.ts';
import { loadPicture, savePicture } from '#src/node/io/picture-archive.ts';
import { compressPicture, restorePicture } from '#src/pictures/compress.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { quality, scene, withNoise } from './scenes.ts';

const scratch = scratchDirectory();
const picture = withNoise(scene(61, 43), 3);
const inBytes = { ...picture, pixels: Uint8Array.from(picture.pixels, (value) => Math.round(255 * value)) };

describe('compressPicture', () => {
  it.each([30, 40, 60])('keeps %i dB, hardly more, and less takes fewer codes', async (decibels) => {
    const found = await compressPicture(picture, { quality: decibels });
    expect(found.psnr).toBeGreaterThanOrEqual(decibels);
    expect(found.psnr).toBeLessThan(decibels + 1);
    expect(quality(picture, await restorePicture(found.compressed))).toBeCloseTo(found.psnr, 5);
    expect(found.nonzeros).toBeLessThan((await compressPicture(picture, { quality: decibels + 5 })).nonzeros);
  });

  it('keeps at most `keep` codes of a tile', async () => {
    const { compressed, nonzeros } = await compressPicture(inBytes, { keep: 3 });
    const [{ codes, means }] = compressed.planes;
    for (let j = 0; j < means.length; j++) {
      const kept = codes.filter((code, k) => k % means.length === j && code !== 0).length;
      expect(kept).toBeLessThanOrEqual(3);
    }
    expect(nonzeros).toBeGreaterThan(means.length);
    expect((await restorePicture(compressed)).pixels).toBeInstanceOf(Uint8Array);
  });

  it('survives the file, in colour too', async () => {
    for (const [name, each] of [
      ['grey.npz', inBytes] as const,
      ['colour.npz', withNoise(scene(20, 30, 3), 5)] as const,
    ]) {
      const { compressed } = await compressPicture(each, { quality: 35, patch: 4 });
      const bytes = await savePicture(scratch.file(name), compressed);
      expect(bytes).toBeLessThan(each.pixels.length * (each === inBytes ? 1 : 4));
      const loaded = await loadPicture(scratch.file(name));
      expect(loaded).toEqual(compressed);
      expect((await restorePicture(loaded)).channels).toBe(each.channels);
    }
  });

  it('refuses what it cannot do', async () => {
    await expect(compressPicture(picture, { quality: 120 })).rejects.toThrow(
      /quality must be at most \d+\.\d; got 120/,
    );
    await expect(compressPicture(picture, { quality: 30, keep: 2 })).rejects.toThrow(
      'keep must be given without quality',
    );
    await writeArrays(scratch.file('other.npz'), {
      samples: picture.pixels.length ? { shape: [1], data: new Float64Array(1) } : '',
    });
    await expect(loadPicture(scratch.file('other.npz'))).rejects.toThrow(
      'must be a picture written by orthodict image compress',
    );
    const { compressed } = await compressPicture(inBytes, { keep: 1 });
    const wrong = { ...compressed, width: 6100 };
    await savePicture(scratch.file('wrong.npz'), wrong);
    await expect(loadPicture(scratch.file('wrong.npz'))).rejects.toThrow(
      /wrong\.npz:means1 must be of shape \d+; got 48/,
    );
  });
});
