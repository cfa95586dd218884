import { describe, expect, it } from 'vitest';
import { psnr } from '#src/metrics/psnr.ts';

describe('psnr', () => {
  it('is 0 dB if the error equals the peak, 20 dB more for a tenth of it', () => {
    expect(psnr([0, 255], [255, 0])).toBe(0);
    expect(psnr([1, 1, 1], [0.9, 1.1, 0.9], 1)).toBeCloseTo(20, 10);
  });

  it('averages the squares', () => {
    // mean square of (0, 2) is 2
    expect(psnr(Uint8Array.of(7, 5), Uint8Array.of(7, 7))).toBeCloseTo(10 * Math.log10(255 ** 2 / 2), 12);
  });

  it('is infinite for equal images', () => {
    expect(psnr([1, 2], [1, 2])).toBe(Infinity);
  });

  it('names the offending parameter', () => {
    expect(() => psnr([1, 2], [1])).toThrow('psnr: estimate must be 2 values, as in reference; got 1.');
    expect(() => psnr([], [])).toThrow('psnr: reference must be an image with pixels; got none.');
    expect(() => psnr([1], [1], 0)).toThrow('psnr: peak must be positive; got 0.');
  });
});
