/**
 * The standard deviation of the noise in a picture. Noise is the same at all frequencies, pictures have little of the
 * high ones. Of patches of 8×8 pixels, the tenth with the least energy at low frequencies are the smoothest; their high
 * frequencies are almost noise alone:
 *
 *     σ² = mean of the squared cosine coefficients (u, v), u + v ≥ 7, of these patches
 *
 * Choosing by low frequencies does not bias the high ones, which are independent of them. Patches that touch black or
 * white are left out where others are: their noise was cut off.
 */
import { type Matrix, range, row } from '../core/matrix.ts';
import { dctAtoms } from '../dictionaries/dct.ts';
import { patchesOf } from '../images/patches.ts';
import type { Kernels } from '../kernels/kernels.ts';

const SIDE = 8;
const HIGH = 7;
const SHARE = 0.1;
const MOST_PATCHES = 100_000;
/** Fewer patches without black and white say less than all of them. */
const FEWEST = 200;

/** Of 255 for white: what float32 makes of a constant picture. */
const ROUNDING = 1e-3;

/** In the units of the plane, which is height×width. `cut`: 1 for every pixel that is black or white in some channel. */
export function noiseLevel(plane: Matrix<Float32Array>, cut: Uint8Array, kernels: Kernels): number {
  const side = Math.min(SIDE, plane.rows, plane.cols);
  const grid = { width: side, limit: MOST_PATCHES };
  const size = { width: plane.cols, height: plane.rows };
  const patches = patchesOf({ ...size, pixels: plane.data }, grid);
  const cutPatches = patchesOf({ ...size, pixels: cut }, grid);
  const codes = kernels.project(patches, dctAtoms(side, side), { scale: 1 }, 'f32');
  const isHigh = range(side * side).map((k) => Math.floor(k / side) + (k % side) >= HIGH * (side / SIDE));
  const all = range(patches.rows);
  const inside = all.filter((j) => row(cutPatches, j).every((value) => value === 0));
  const candidates = inside.length >= FEWEST ? inside : all;
  const energies = candidates.map((j) => energiesOf(codes, j, isHigh)).sort((a, b) => a.low - b.low);
  const smoothest = energies.slice(0, Math.max(1, Math.ceil(SHARE * energies.length)));
  const count = smoothest.length * isHigh.filter(Boolean).length;
  const level = count === 0 ? 0 : Math.sqrt(smoothest.reduce((sum, { high }) => sum + high, 0) / count);
  return level > ROUNDING ? level : 0;
}

/** Of one patch, without its mean. */
function energiesOf({ cols, data }: Matrix, j: number, isHigh: readonly boolean[]): { low: number; high: number } {
  let [low, high] = [0, 0];
  for (let k = 1; k < cols; k++) {
    const energy = data[j * cols + k] ** 2;
    if (isHigh[k]) high += energy;
    else low += energy;
  }
  return { low, high };
}
