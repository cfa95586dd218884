/** Cuts a picture into patches, as samples, and puts patches together to a picture. */

import { inputError } from '../core/errors.ts';
import { type Matrix, row } from '../core/matrix.ts';
import { requireMatrixForm, requireObject } from '../core/require-matrix.ts';
import { type PatchGrid, type PatchPlaces, patchPlaces, spread } from './patch-grid.ts';
import { type Picture, type Pixels, requirePicture } from './picture.ts';

/** Which patches are taken. */
export interface PatchOptions extends PatchGrid {
  /** The most patches to take, spread evenly over the picture; default: all of the grid. */
  readonly limit?: number | undefined;
  /** Seed of the choice of patches, if there are more than `limit`. */
  readonly seed?: number | undefined;
  /** Whether to subtract its mean from every patch. */
  readonly removeMean?: boolean | undefined;
}

/**
 * One patch per row: width · height · channels values in picture order, float32, in the units of the pixels. Patches
 * are read left to right, top to bottom; those of the last column and row touch the edge.
 *
 * @example
 * ```js
 * import { patchesOf, pictureFrom } from 'orthodict';
 *
 * const picture = { width: 5, height: 4, pixels: Uint8Array.from({ length: 20 }, (_, k) => k) };
 * const patches = patchesOf(picture, { width: 2 });
 * console.log(patches.rows, patches.cols); // 12 4
 * console.log(pictureFrom(patches, { picture, width: 2 }).pixels[7]); // 7
 * ```
 */
export function patchesOf(picture: Picture<Pixels>, options: PatchOptions): Matrix<Float32Array> {
  requirePicture('patchesOf', picture);
  const { width, height = width, limit = Number.POSITIVE_INFINITY, seed = 0, removeMean = false } = options;
  const places = patchPlaces('patchesOf', picture, options);
  if (!(limit >= 1 && (Number.isInteger(limit) || limit === Number.POSITIVE_INFINITY))) {
    throw inputError('patchesOf', 'limit', 'a positive whole number', limit);
  }
  const patches = cutPatches(picture, { width, height }, places, spread(places.count, limit, seed));
  if (removeMean) for (let k = 0; k < patches.rows; k++) subtractMean(row(patches, k));
  return patches;
}

/** Cuts out the patches with these numbers, in the given size. */
export function cutPatches(
  picture: Picture<Pixels>,
  { width, height }: { readonly width: number; readonly height: number },
  { lefts, tops }: PatchPlaces,
  numbers: Float64Array,
): Matrix<Float32Array> {
  const { channels = 1 } = picture;
  const cols = width * height * channels;
  const patches = { rows: numbers.length, cols, data: new Float32Array(numbers.length * cols) };
  for (const [k, i] of numbers.entries()) {
    const place = { left: lefts[i % lefts.length], top: tops[Math.floor(i / lefts.length)], width, height };
    copyPatch(picture, place, row(patches, k));
  }
  return patches;
}

interface Place {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function copyPatch({ pixels, width, channels = 1 }: Picture<Pixels>, place: Place, out: Float32Array): void {
  const line = place.width * channels;
  for (let y = 0; y < place.height; y++) {
    const start = ((place.top + y) * width + place.left) * channels;
    for (let x = 0; x < line; x++) out[y * line + x] = pixels[start + x];
  }
}

function subtractMean(patch: Float32Array): void {
  const mean = patch.reduce((sum, value) => sum + value, 0) / patch.length;
  for (let k = 0; k < patch.length; k++) patch[k] -= mean;
}

/** How patches are put together. */
export interface PictureOptions extends PatchGrid {
  /** The picture that the patches come from; only its size and channels are used. */
  readonly picture: Pick<Picture<Pixels>, 'width' | 'height' | 'channels'>;
  /** Weight of each patch where patches overlap; default: all the same. */
  readonly weights?: ArrayLike<number> | undefined;
}

/**
 * The inverse of {@link patchesOf} with the same grid: where patches overlap, their weighted mean. In the units of the
 * patches, neither rounded nor clamped.
 */
export function pictureFrom(patches: Matrix, options: PictureOptions): Picture<Float32Array> {
  requireMatrixForm('pictureFrom', 'patches', patches);
  requireObject('pictureFrom', 'options', options, 'an object with the picture and the width of the patches', [
    'picture',
  ]);
  const { picture, width: patchWidth, height: patchHeight = patchWidth, weights } = options;
  const { width, height, channels = 1 } = picture;
  const { lefts, tops, count } = patchPlaces('pictureFrom', picture, options);
  const line = patchWidth * channels;
  const cols = line * patchHeight;
  if (patches.rows !== count || patches.cols !== cols) {
    throw inputError('pictureFrom', 'patches', `${count}×${cols}`, `${patches.rows}×${patches.cols}`);
  }
  if (weights && weights.length !== count) {
    throw inputError('pictureFrom', 'weights', `${count} numbers, one for each patch`, weights.length);
  }
  const sums = new Float64Array(width * height * channels);
  const totals = new Float64Array(sums.length);
  for (let i = 0; i < count; i++) {
    const [left, top] = [lefts[i % lefts.length], tops[Math.floor(i / lefts.length)]];
    const patch = patches.data.subarray(i * cols, (i + 1) * cols);
    addPatch(sums, totals, patch, {
      first: (top * width + left) * channels,
      stride: width * channels,
      line,
      weight: weights ? weights[i] : 1,
    });
  }
  if (!totals.every((total) => total > 0)) {
    const mustBe = 'at most the side of a patch, so that every pixel is covered';
    throw inputError('pictureFrom', 'stride', mustBe, options.stride);
  }
  return { width, height, channels, pixels: Float32Array.from(sums, (sum, k) => sum / totals[k]) };
}

/** Where a patch belongs: its first number in the picture, numbers from one line to the next, and numbers in a line of the patch. */
interface PatchPlace {
  readonly first: number;
  readonly stride: number;
  readonly line: number;
  readonly weight: number;
}

function addPatch(
  sums: Float64Array,
  totals: Float64Array,
  patch: Matrix['data'],
  { first, stride, line, weight }: PatchPlace,
): void {
  for (let from = 0, start = first; from < patch.length; from += line, start += stride) {
    for (let x = 0; x < line; x++) {
      sums[start + x] += weight * patch[from + x];
      totals[start + x] += weight;
    }
  }
}
