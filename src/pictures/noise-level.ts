/**
 * The standard deviation of the noise in a picture, from cosine coefficients (u, v) of its patches of 8×8 pixels, by bands of
 * u + v. White noise is the same in all of them, pictures have little of the high ones: of the tenth of the patches with
 * the least energy at u + v < 7, the high frequencies are almost noise alone, and choosing by low frequencies does not bias them:
 *
 *     σ² = mean of the squared coefficients, u + v ≥ 7, of these patches
 *
 * Noise that went through a lossy format lacks the highest frequencies, u + v ≥ 11. Then the middle ones are used, 4 ≤ u + v < 7, of
 * the patches with the least energy there: the hundredth percentile of all patches is compared with that of noise, σ²χ²/n.
 * Such formats smooth colours, too: where only brightness has noise, it has that of the three channels together.
 *
 * Black and white cut noise off. In a flat patch the numbers stay independent, of variance σ² V(mean, σ), which is known
 * (clipping.ts): squares are divided by V, and patches in which it is below .8 are left out where others are. JPEG takes more
 * than V says: the less noise black or white leave, the more coefficients it rounds to zero, in the limit all. Zeros explain
 * themselves (σ = 0, nothing was cut off), so σ is sought from above: V of the first round is that of σ = 10.
 */
import type { Matrix } from '../core/matrix.ts';
import { dctAtoms } from '../dictionaries/dct.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { type Limits, limitsOf, sharesLeft } from './clipping.ts';
import { BRIGHTNESS } from './colour.ts';
import { mixOf, planesOf, WHITE } from './colour-planes.ts';
import { patchesOf } from './patches.ts';
import { type Picture, type Pixels, whiteOf } from './picture.ts';

const SIDE = 8;
/** The least u + v of every band, for patches of side SIDE; in proportion for others. */
const BANDS = { low: 1, middle: 4, high: 7, top: 11 } as const;
type Band = keyof typeof BANDS;
const NAMES = Object.keys(BANDS) as Band[];
const SHARE = 0.1;
const MOST_PATCHES = 40_000;
/** Least number of patches mostly within the limits; with fewer, all patches are used. */
const FEWEST = 200;
/** Least share of the variance left in a patch that is used; .6 would admit noise that JPEG of quality 75 has weakened by a quarter. */
const LEAST_LEFT = 0.8;
/** White noise has as much in the top band as in the one below; JPEG of qualities up to 85 leaves .7 or less of σ = 5 and 14. */
const WHITE_RATIO = 0.85;
/** Noise in planes that no format has smoothed is at least this share of the strongest. */
const COMPARABLE = 0.25;
/**
 * The noise in our brightness, (R + G + B)/√3, of a picture with noise of 1 in every channel whose colours were smoothed: what
 * is left is that of 0.299 R + 0.587 G + 0.114 B, in all three channels.
 */
const BRIGHTNESS_NOISE = Math.sqrt(3) * Math.hypot(...BRIGHTNESS);
/** The quantile of patches by their energy in a band, and the normal number below which it lies. */
const QUANTILE = { share: 0.01, normal: -2.326 };
/** Number of rounds, each with the clipping of the last level; the level settles to 1 % in three or four. */
const ROUNDS = 8;
/** The level of the first round, with white = 255; 5 to 20 lead to the same result. */
const FIRST_LEVEL = 10;

/** Level that float32 rounding gives a constant picture, with white = 255. */
const ROUNDING = 1e-3;

/** Noise level of a picture with white = 255; 0 if it is less than half a step of whole numbers. */
export function noiseLevel(picture: Picture<Pixels>, kernels: Kernels): number {
  const planes = planesOf(picture).map((plane) => bandsOf(plane, kernels));
  const limits = limitsOf(picture);
  let level = FIRST_LEVEL;
  for (let round = 0; round < ROUNDS; round++) {
    const found = together(planes.map((plane, p) => noiseOf(plane, leftOf(planes, p, level, limits))));
    const isSettled = Math.abs(found - level) <= 0.01 * found;
    level = found;
    if (isSettled) break;
  }
  const white = whiteOf(picture.pixels);
  return level > Math.max(ROUNDING, white === 1 ? 0 : (0.5 * WHITE) / white) ? level : 0;
}

/** The patches of a plane: their means, and their energies by bands. */
interface PatchBands {
  readonly means: Float64Array;
  readonly energies: Readonly<Record<Band, Float64Array>>;
  /** Number of coefficients in each band. */
  readonly counts: Readonly<Record<Band, number>>;
  /** Numbers of the patches, those with the least energy in the low and middle bands first. */
  readonly order: Uint32Array;
}

function bandsOf(plane: Matrix<Float32Array>, kernels: Kernels): PatchBands {
  const side = Math.min(SIDE, plane.rows, plane.cols);
  const picture = { width: plane.cols, height: plane.rows, pixels: plane.data };
  const patches = patchesOf(picture, { width: side, limit: MOST_PATCHES });
  const { rows, cols, data } = kernels.project(patches, dctAtoms(side, side), { scale: 1 }, 'f32');
  const energies = byBand(() => new Float64Array(rows));
  const counts = byBand(() => 0);
  for (let k = 1; k < cols; k++) {
    const frequency = ((Math.floor(k / side) + (k % side)) * SIDE) / side;
    const band = NAMES.findLast((name) => frequency >= BANDS[name])!;
    counts[band]++;
    for (let j = 0; j < rows; j++) energies[band][j] += data[j * cols + k] ** 2;
  }
  const rough = energies.low.map((energy, j) => energy + energies.middle[j]);
  return {
    means: Float64Array.from({ length: rows }, (_, j) => data[j * cols] / side),
    energies,
    counts,
    order: Uint32Array.from(rough.keys()).sort((a, b) => rough[a] - rough[b]),
  };
}

const byBand = <T>(make: () => T): Record<Band, T> => ({ low: make(), middle: make(), high: make(), top: make() });

/** V of plane p, for every patch; clipping happens in channels, and planes are sums of channels. */
function leftOf(planes: readonly PatchBands[], p: number, sigma: number, limits: Limits): Float64Array {
  const left = new Float64Array(planes[p].means.length);
  const mix = mixOf(planes.length);
  const share = sharesLeft(sigma, limits);
  for (let c = 0; c < planes.length; c++) {
    for (let j = 0; j < left.length; j++) {
      let mean = 0;
      for (let q = 0; q < planes.length; q++) mean += mix[q][c] * planes[q].means[j];
      left[j] += mix[p][c] ** 2 * share(mean);
    }
  }
  return left;
}

/** The noise of one plane. */
interface PlaneNoise {
  /** Level if the noise is white. */
  readonly level: number;
  readonly isWhite: boolean;
  /** Level in the middle band, if it is not. */
  readonly middle: number;
}

function noiseOf({ energies, counts, order }: PatchBands, left: Float64Array): PlaneNoise {
  const inside = order.filter((j) => left[j] >= LEAST_LEFT);
  const used = inside.length >= FEWEST ? inside : order;
  const smoothest = used.subarray(0, Math.max(1, Math.ceil(SHARE * used.length)));
  const total = (values: Float64Array) => smoothest.reduce((sum, j) => sum + values[j], 0);
  const variance = (total(energies.high) + total(energies.top)) / (counts.high + counts.top) / total(left);
  const least = (band: Band) => {
    const values = Float64Array.from(used, (j) => energies[band][j] / Math.max(left[j], LEAST_LEFT)).sort();
    return Math.sqrt(values[Math.floor(QUANTILE.share * values.length)] / chiSquare(counts[band]));
  };
  return {
    level: Math.sqrt(variance) || 0,
    isWhite: least('top') >= WHITE_RATIO * least('high'),
    middle: least('middle'),
  };
}

/** Combines the planes: the median of those with white noise, unless the noise is much stronger in others. */
function together(planes: readonly PlaneNoise[]): number {
  const strongest = Math.max(...planes.map(({ level }) => level));
  const comparable = planes.filter(({ level }) => level >= COMPARABLE * strongest);
  const white = comparable.filter(({ isWhite }) => isWhite).map(({ level }) => level);
  const level = white.length > 0 ? median(white) : Math.max(strongest, ...planes.map(({ middle }) => middle));
  return comparable.length === 1 && planes.length === 3 ? level / BRIGHTNESS_NOISE : level;
}

const median = (levels: number[]): number => levels.sort((a, b) => a - b)[levels.length >> 1];

/** The quantile of χ² with n degrees of freedom, by Wilson and Hilferty. */
const chiSquare = (n: number): number => n * (1 - 2 / (9 * n) + QUANTILE.normal * Math.sqrt(2 / (9 * n))) ** 3;
