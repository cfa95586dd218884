/** Square patches of a picture as samples. */
import { inputError } from '../core/errors.ts';
import type { Matrix } from '../core/matrix.ts';
import { createRandom } from '../core/random.ts';
import type { Picture } from './picture.ts';

/** Which patches are taken. */
export interface PatchOptions {
  /** Side of a patch in pixels. */
  readonly size: number;
  /** Step between patches of a regular grid, in both directions; by default `size`: patches side by side. */
  readonly stride?: number;
  /** Instead of a grid: this many patches at independent random places. */
  readonly count?: number;
  /** Seed for the random places. */
  readonly seed?: number;
  /** Subtract its mean from every patch. */
  readonly removeMean?: boolean;
}

export const patchDefaults = Object.freeze({ seed: 0, removeMean: false } as const satisfies Partial<PatchOptions>);

/**
 * One patch per row, size² · channels values in picture order, float32. A grid is read left to right, top to bottom;
 * leftover pixels at the right and bottom edges are not covered.
 */
export function imagePatches(image: Picture, options: PatchOptions): Matrix<Float32Array> {
  validate(image, options);
  const { size, removeMean } = { ...patchDefaults, ...options };
  const corners = options.count === undefined ? gridCorners(image, options) : randomCorners(image, options);
  const channels = image.channels ?? 1;
  const line = size * channels;
  const patches = { rows: corners.length, cols: size * line, data: new Float32Array(corners.length * size * line) };
  corners.forEach(([left, top], i) => {
    for (let y = 0; y < size; y++) {
      const start = ((top + y) * image.width + left) * channels;
      patches.data.set(image.pixels.subarray(start, start + line), i * patches.cols + y * line);
    }
    if (removeMean) subtractMean(patches.data.subarray(i * patches.cols, (i + 1) * patches.cols));
  });
  return patches;
}

type Corner = readonly [left: number, top: number];

function gridCorners({ width, height }: Picture, { size, stride = size }: PatchOptions): Corner[] {
  const corners: Corner[] = [];
  for (let top = 0; top + size <= height; top += stride) {
    for (let left = 0; left + size <= width; left += stride) corners.push([left, top]);
  }
  return corners;
}

function randomCorners({ width, height }: Picture, { size, count, seed = patchDefaults.seed }: PatchOptions): Corner[] {
  const random = createRandom(seed, 'patches');
  return Array.from({ length: count ?? 0 }, () => {
    const left = random.integer(width - size + 1);
    return [left, random.integer(height - size + 1)];
  });
}

function subtractMean(patch: Float32Array): void {
  const mean = patch.reduce((sum, value) => sum + value, 0) / patch.length;
  for (let k = 0; k < patch.length; k++) patch[k] -= mean;
}

function validate({ width, height, pixels, channels = 1 }: Picture, { size, stride, count }: PatchOptions): void {
  const demand = (ok: boolean, parameter: string, mustBe: string, got: unknown) => {
    if (!ok) throw inputError('imagePatches', parameter, mustBe, got);
  };
  const expected = width * height * channels;
  const side = Math.min(width, height);
  demand(pixels.length === expected, 'image.pixels', `${expected} values`, `${pixels.length} values`);
  demand(Number.isInteger(size) && size > 0 && size <= side, 'size', `a whole number from 1 to ${side}`, size);
  demand(stride === undefined || count === undefined, 'stride', 'left out when count is given', stride);
  demand(stride === undefined || (Number.isInteger(stride) && stride > 0), 'stride', 'a positive whole number', stride);
  demand(count === undefined || (Number.isInteger(count) && count > 0), 'count', 'a positive whole number', count);
}
