/** Pictures with edges, slopes and a texture, to add noise to. */
import { createRandom } from '#src/core/random.ts';
import { psnr } from '#src/metrics/psnr.ts';
import type { Picture, Pixels } from '#src/pictures/picture.ts';
import { whiteOf } from '#src/pictures/picture.ts';

/** From 0 to 1. */
export function scene(width: number, height: number, channels: 1 | 3 = 1): Picture<Float32Array> {
  const pixels = new Float32Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const disc = (x - width / 3) ** 2 + (y - height / 2) ** 2 < (height / 4) ** 2 ? 0.3 : 0;
      const stripes = x > 0.6 * width ? 0.12 * Math.sign(Math.sin(0.8 * x + 0.5 * y)) : 0;
      for (let c = 0; c < channels; c++) {
        pixels[(y * width + x) * channels + c] = 0.3 + 0.2 * (y / height) + disc * (1 - 0.3 * c) + stripes + 0.05 * c;
      }
    }
  }
  return { width, height, channels, pixels };
}

/** `sigma` of 255 for white. */
export function withNoise(picture: Picture<Float32Array>, sigma: number, seed = 1): Picture<Float32Array> {
  const random = createRandom(seed, 'noise');
  return { ...picture, pixels: picture.pixels.map((value) => value + (sigma / 255) * random.normal()) };
}

export const quality = (truth: Picture<Pixels>, estimate: Picture<Pixels>): number => {
  const [a, b] = [truth, estimate].map(({ pixels }) => Float64Array.from(pixels, (value) => value / whiteOf(pixels)));
  return psnr(a, b, 1);
};
