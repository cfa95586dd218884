import { describe, expect, it } from 'vitest';
import { identity } from '#src/core/matrix.ts';
import { denseDictionary } from '#src/dictionaries/dense.ts';
import { inColour } from '#src/pictures/colour.ts';
import { pictureOfPlanes, planesOf } from '#src/pictures/colour-planes.ts';
import { denoise } from '#src/pictures/denoise.ts';
import type { Picture } from '#src/pictures/picture.ts';
import { quality, scene, withNoise } from './scenes.ts';

describe('denoise', () => {
  it('takes noise away, better than the cosine transform does alone', async () => {
    const [sigma, seed] = [25, 2];
    const truth = scene(72, 60);
    const noisy = withNoise(truth, sigma, seed);
    const both = await denoise(noisy, { sigma, patch: 6 });
    const cosines = await denoise(noisy, { sigma, patch: 6, bases: 'dct' });
    expect(quality(truth, both.picture)).toBeGreaterThan(quality(truth, noisy) + 6);
    expect(quality(truth, both.picture)).toBeGreaterThan(quality(truth, cosines.picture));
  });

  it('keeps the kind of pixels and gives the same in 16 bits as in fractions', async () => {
    const noisy = withNoise(scene(40, 30), 20);
    const deep: Picture<Uint16Array> = {
      width: 40,
      height: 30,
      pixels: Uint16Array.from(noisy.pixels, (value) => Math.round(65535 * value)),
    };
    const fractions = await denoise(noisy, { sigma: 20, bases: 'dct' });
    const whole = await denoise(deep, { sigma: 20, bases: 'dct' });
    expect(whole.picture.pixels).toBeInstanceOf(Uint16Array);
    whole.picture.pixels.forEach((value, k) => {
      expect(Math.abs(value / 65535 - fractions.picture.pixels[k])).toBeLessThan(1e-4);
    });
  });

  it('does colour, with the same noise in every plane', async () => {
    const truth = scene(40, 32, 3);
    const noisy = withNoise(truth, 20);
    const { picture, sigma } = await denoise(noisy, { patch: 5 });
    expect(picture.channels).toBe(3);
    expect(sigma).toBeGreaterThan(16);
    expect(sigma).toBeLessThan(24);
    expect(quality(truth, picture)).toBeGreaterThan(quality(truth, noisy) + 5);
  });

  it('leaves a picture without noise alone, and a constant one constant', async () => {
    const picture = scene(30, 20);
    expect([...(await denoise(picture, { sigma: 0 })).picture.pixels]).toEqual([...picture.pixels]);
    const grey: Picture = { width: 9, height: 8, pixels: new Uint8Array(72).fill(77) };
    expect([...(await denoise(grey, { sigma: 5 })).picture.pixels]).toEqual([...grey.pixels]);
    expect((await denoise(grey)).sigma).toBe(0);
  });

  it('does grey that is stored as colour as grey, in colour', async () => {
    const noisy = withNoise(scene(40, 32), 20);
    const grey = await denoise(noisy, { patch: 5 });
    const colour = await denoise(inColour(noisy, 'rgb'), { patch: 5 });
    expect(colour.sigma).toBe(grey.sigma);
    expect(colour.sigma).toBeGreaterThan(15);
    expect(colour.picture).toEqual(inColour(grey.picture, 'rgb'));
  });

  it('keeps the opacity of pixels', async () => {
    const alpha = Float32Array.from({ length: 40 * 32 }, (_, k) => (k % 7) / 6);
    const noisy = withNoise(scene(40, 32), 20);
    const { picture } = await denoise({ ...noisy, alpha }, { sigma: 20, bases: 'dct' });
    const without = await denoise(noisy, { sigma: 20, bases: 'dct' });
    expect(picture).toEqual({ ...without.picture, alpha });
  });

  it('takes a dictionary that was learned before, patches of any side, and larger strides', async () => {
    const noisy = withNoise(scene(33, 21), 20);
    const pixels = denseDictionary({ atoms: identity(25) });
    const { picture } = await denoise(noisy, { dictionary: pixels, patch: 5, sigma: 20, bases: 'learned' });
    expect(picture.pixels.every(Number.isFinite)).toBe(true);
    const sparse = await denoise(noisy, { patch: 7, stride: 5, sigma: 20 });
    expect(quality(scene(33, 21), sparse.picture)).toBeGreaterThan(quality(scene(33, 21), noisy) + 3);
    await expect(denoise(noisy, { dictionary: pixels })).rejects.toThrow(
      'denoise: dictionary must be at most 64 atoms of 8×8 pixels; got 25 atoms of 25 values.',
    );
  });

  it('refuses a picture smaller than a patch, and stops when told to', async () => {
    await expect(denoise(scene(7, 20))).rejects.toThrow(
      'denoise: patch must be at most 7: the picture has 7 × 20 pixels; got 8.',
    );
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(denoise(scene(20, 20), {}, { signal })).rejects.toThrow('enough');
  });
});

it('planes are turned back into the same picture', () => {
  const picture: Picture = {
    width: 3,
    height: 2,
    channels: 3,
    pixels: Uint8Array.from({ length: 18 }, (_, k) => 14 * k),
  };
  expect(pictureOfPlanes(planesOf(picture), picture.pixels)).toEqual(picture);
});
