/**
 * Structural similarity (Wang, Bovik, Sheikh, Simoncelli 2004) of two pictures x and y, the mean over all places of
 *
 *     (2 μ_x μ_y + c_1)(2 σ_xy + c_2) / ((μ_x² + μ_y² + c_1)(σ_x² + σ_y² + c_2))
 *
 * with moments under a Gaussian window of 11×11 pixels (σ = 1.5), c_1 = (.01 peak)², c_2 = (.03 peak)². Places whose
 * window leaves the picture are left out. In colour: the mean over the channels.
 */

import { inputError } from '../core/errors.ts';
import { requireNumbers, requireObject } from '../core/require-matrix.ts';

const RADIUS = 5;
const WINDOW = gaussian(1.5);

/** The layout of the numbers of a picture. */
export interface SsimShape {
  readonly width: number;
  readonly height: number;
  readonly channels?: 1 | 3 | undefined;
}

/** Structural similarity, 1 for equal pictures. `peak` is the largest possible pixel value. */
export function ssim(reference: ArrayLike<number>, estimate: ArrayLike<number>, shape: SsimShape, peak = 255): number {
  requireNumbers('ssim', 'reference', reference);
  requireNumbers('ssim', 'estimate', estimate);
  requireObject('ssim', 'shape', shape, 'an object with width and height');
  const { width, height, channels = 1 } = shape;
  const count = width * height * channels;
  for (const [name, pixels] of Object.entries({ reference, estimate })) {
    if (pixels.length !== count) throw inputError('ssim', name, `${count} values`, pixels.length);
  }
  const side = 2 * RADIUS + 1;
  if (width < side || height < side) {
    throw inputError('ssim', 'shape', `of at least ${side}×${side} pixels`, `${width}×${height}`);
  }
  if (!(peak > 0)) throw inputError('ssim', 'peak', 'positive', peak);
  let sum = 0;
  for (let c = 0; c < channels; c++) {
    const channel = (pixels: ArrayLike<number>) =>
      Float64Array.from({ length: width * height }, (_, k) => pixels[k * channels + c]);
    sum += ofChannel(channel(reference), channel(estimate), width, height, peak);
  }
  return sum / channels;
}

function ofChannel(x: Float64Array, y: Float64Array, width: number, height: number, peak: number): number {
  const [c1, c2] = [(0.01 * peak) ** 2, (0.03 * peak) ** 2];
  const mean = (values: Float64Array) => blurred(values, width, height);
  const [mx, my] = [mean(x), mean(y)];
  const xx = mean(x.map((value) => value * value));
  const yy = mean(y.map((value) => value * value));
  const xy = mean(x.map((value, k) => value * y[k]));
  let sum = 0;
  for (let k = 0; k < mx.length; k++) {
    const [both, squares] = [mx[k] * my[k], mx[k] ** 2 + my[k] ** 2];
    sum += ((2 * both + c1) * (2 * (xy[k] - both) + c2)) / ((squares + c1) * (xx[k] + yy[k] - squares + c2));
  }
  return sum / mx.length;
}

/** Weighted means around all places whose window is inside the picture. */
function blurred(values: Float64Array, width: number, height: number): Float64Array {
  const w = width - 2 * RADIUS;
  const across = new Float64Array(w * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < w; x++) {
      let sum = 0;
      for (let k = 0; k < WINDOW.length; k++) sum += WINDOW[k] * values[y * width + x + k];
      across[y * w + x] = sum;
    }
  }
  const out = new Float64Array(w * (height - 2 * RADIUS));
  for (let k = 0; k < out.length; k++) {
    let sum = 0;
    for (let i = 0; i < WINDOW.length; i++) sum += WINDOW[i] * across[k + i * w];
    out[k] = sum;
  }
  return out;
}

function gaussian(sigma: number): Float64Array {
  const weights = Float64Array.from({ length: 2 * RADIUS + 1 }, (_, k) =>
    Math.exp(-((k - RADIUS) ** 2) / (2 * sigma ** 2)),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
