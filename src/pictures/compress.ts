/**
 * Compresses a picture to a few whole numbers. Tiles of side² pixels are coded, plane by plane (colour-planes.ts), in an orthogonal
 * dictionary learned from the picture itself, their means apart; codes are divided by a step and rounded:
 *
 *     q = sign(x)·⌊|x|/step + 1/2 − 1/6⌋       x ≈ step·q
 *
 * Rounding down a little (by 1/6) makes more zeros than it costs: few codes lie just below the middle of a step, many
 * near zero. Atoms are stored in 8 bits; the nearest orthogonal matrix to these is what encodes and decodes.
 */

import { inputError } from '../core/errors.ts';
import { type Matrix, type Matrix64, transpose } from '../core/matrix.ts';
import { choice, count, defineOptions, positiveFinite, type SettingsOf, seed } from '../core/options.ts';
import { requireObject } from '../core/require-matrix.ts';
import { dctAtoms } from '../dictionaries/dct.ts';
import { Run, type RunOptions } from '../engine/run.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { selectKernels } from '../kernels/select.ts';
import { polar } from '../linalg/polar.ts';
import { psnr } from '../metrics/psnr.ts';
import { select } from '../passes/select-codes.ts';
import { pictureOfPlanes, planesOf, WHITE } from './colour-planes.ts';
import { learnPatches } from './learn-patches.ts';
import type { CompressOptions } from './option-types.ts';
import { patchesOf, pictureFrom } from './patches.ts';
import { type Picture, type Pixels, requirePatch, requirePicture, whiteOf } from './picture.ts';

/** The options of `compressPicture`. */
export const compressOptions = defineOptions({
  quality: positiveFinite({
    placeholder: 'DB',
    help: 'peak signal-to-noise ratio of the restored picture in decibels; default: 38',
  }),
  keep: count({ placeholder: 'K', help: 'keep the K largest codes of every tile, instead of reaching a quality' }, 0),
  patch: count({ placeholder: 'SIDE', default: 8, help: 'side of the square tiles in pixels' }, 2, 16),
  basis: choice(['learned', 'dct'], {
    placeholder: 'WHICH',
    default: 'learned',
    help: 'learned: a dictionary of the tiles; dct: the cosine transform, for comparison',
  }),
  seed: seed('seed of the random start of learning'),
});

type CompressSettings = SettingsOf<typeof compressOptions.table>;

/** One plane of a compressed picture. */
export interface CompressedPlane {
  /** Atoms, side²×side², with 127 for the largest entry. */
  readonly atoms: Int8Array;
  /** Means of the tiles in steps, each as its difference from the previous one. */
  readonly means: Int16Array;
  /** Codes in steps, with the codes of an atom in a row: side² × tiles. */
  readonly codes: Int16Array;
}

/** A picture as a few whole numbers. */
export interface CompressedPicture {
  readonly width: number;
  readonly height: number;
  /** Bits per value of the original: 8 or 16, or 32 for fractions. */
  readonly bits: 8 | 16 | 32;
  /** Side of the tiles. */
  readonly side: number;
  /** Step of the codes, with white = 255. */
  readonly step: number;
  /** The planes: one for grey, three for colour. */
  readonly planes: readonly CompressedPlane[];
}

/** A compressed picture, and how well it is restored. */
export interface CompressResult {
  readonly compressed: CompressedPicture;
  /** Peak signal-to-noise ratio of the restored picture, in decibels. */
  readonly psnr: number;
  /** Number of non-zero codes in all planes. */
  readonly nonzeros: number;
  readonly seconds: number;
}

const DEFAULT_QUALITY = 38;
/** Step if the number of codes is given: fine enough for its rounding not to show, 47 dB. */
const FINE = 4;
const COARSEST = 512;
const HALVINGS = 10;
const ROUNDING = 1 / 2 - 1 / 6;
const BYTE = 127;

/** Codes of the tiles of one plane. */
interface Coded {
  readonly atoms: Int8Array;
  /** The orthogonal matrix that the bytes represent. */
  readonly basis: Matrix64;
  readonly means: Float32Array;
  /** Codes, tiles × side². */
  readonly codes: Matrix;
}

/**
 * Compresses a picture; {@link restorePicture} is the inverse.
 *
 * @example
 * ```js
 * import { compressPicture, metrics, restorePicture } from 'orthodict';
 *
 * const pixels = Uint8Array.from({ length: 64 * 64 }, (_, k) => 2 * (k % 64) + Math.floor(k / 64));
 * const { compressed, psnr } = await compressPicture({ width: 64, height: 64, pixels }, { quality: 40 });
 * const restored = await restorePicture(compressed);
 * console.log(psnr >= 40, metrics.psnr(pixels, restored.pixels) >= 40); // true true
 * ```
 */
export async function compressPicture(
  picture: Picture<Pixels>,
  options: CompressOptions = {},
  runOptions: RunOptions = {},
): Promise<CompressResult> {
  const who = 'compressPicture';
  const settings = compressOptions.settle(who, options);
  const { quality, keep, patch: side } = settings;
  if (quality !== undefined && keep !== undefined) throw inputError(who, 'keep', 'given without quality', keep);
  requirePicture(who, picture);
  requirePatch(who, picture, side);
  const run = await Run.start(who, runOptions);
  const coded: Coded[] = [];
  for (const plane of planesOf(picture)) coded.push(await codePlane(plane, settings, run));
  run.begin('rounding');
  const at = (step: number) => rounded(picture, coded, side, step, run.kernels);
  const { compressed, psnr } =
    keep === undefined ? coarsest(at, finestStep(side), quality ?? DEFAULT_QUALITY) : at(FINE);
  const nonzeros = compressed.planes.reduce(
    (sum, { codes }) => sum + codes.reduce((n, q) => n + (q === 0 ? 0 : 1), 0),
    0,
  );
  return { compressed, psnr, nonzeros, seconds: run.seconds };
}

/** Restores a compressed picture. */
export async function restorePicture(compressed: CompressedPicture): Promise<Picture<Pixels>> {
  requireObject('restorePicture', 'compressed', compressed, 'what compressPicture returned', ['planes']);
  return restored(compressed, await selectKernels('auto'));
}

async function codePlane(
  plane: Matrix<Float32Array>,
  { patch: side, basis, seed, keep }: CompressSettings,
  run: Run,
): Promise<Coded> {
  const cosines = dctAtoms(side, side);
  const learned = basis === 'dct' ? cosines : ((await learnPatches(plane, side, seed, run)) ?? cosines);
  const atoms = inBytes(learned);
  const matrix = fromBytes(atoms, side, run.kernels);
  const tiles = patchesOf({ width: plane.cols, height: plane.rows, pixels: plane.data }, { width: side, stride: side });
  const means = Float32Array.from({ length: tiles.rows }, (_, j) => {
    const tile = tiles.data.subarray(j * tiles.cols, (j + 1) * tiles.cols);
    const mean = tile.reduce((sum, value) => sum + value, 0) / tiles.cols;
    for (let k = 0; k < tile.length; k++) tile[k] -= mean;
    return mean;
  });
  const codes = run.kernels.project(tiles, matrix, { scale: 1 }, 'f32');
  if (keep !== undefined) select(codes, { keep });
  return { atoms, basis: matrix, means, codes };
}

function inBytes({ data }: Matrix64): Int8Array {
  const largest = data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(data, (value) => Math.round((BYTE * value) / largest));
}

/** The orthogonal matrix nearest to the bytes. */
function fromBytes(atoms: Int8Array, side: number, kernels: Kernels): Matrix64 {
  const n = side * side;
  return polar({ rows: n, cols: n, data: Float64Array.from(atoms) }, kernels);
}

type Rounded = { readonly compressed: CompressedPicture; readonly psnr: number };

/** The coarsest step that keeps the quality, by halving on a logarithmic scale. */
function coarsest(at: (step: number) => Rounded, finest: number, quality: number): Rounded {
  let [low, high] = [finest, COARSEST];
  let best = at(low);
  if (best.psnr < quality) throw inputError('compressPicture', 'quality', `at most ${best.psnr.toFixed(1)}`, quality);
  for (let k = 0; k < HALVINGS; k++) {
    const middle = Math.sqrt(low * high);
    const found = at(middle);
    if (found.psnr >= quality) [low, best] = [middle, found];
    else high = middle;
  }
  return best;
}

function rounded(
  picture: Picture<Pixels>,
  coded: readonly Coded[],
  side: number,
  step: number,
  kernels: Kernels,
): Rounded {
  const { width, height, pixels } = picture;
  const bits = pixels instanceof Uint8Array ? 8 : pixels instanceof Uint16Array ? 16 : 32;
  const planes = coded.map((plane) => ({ ...roundPlane(plane, step), atoms: plane.atoms }));
  const compressed: CompressedPicture = { width, height, bits, side, step, planes };
  const back = restored(
    compressed,
    kernels,
    coded.map(({ basis }) => basis),
  );
  return { compressed, psnr: psnr(pixels, back.pixels, whiteOf(pixels)) };
}

const LARGEST = 32767;
/** Finest step with which the mean of a white colour tile still fits into 16 bits. */
const finestStep = (side: number): number => Math.max(1 / 8, (Math.sqrt(3) * WHITE * side) / LARGEST);
const whole = (x: number): number => Math.max(-LARGEST, Math.min(LARGEST, x));

function roundPlane({ means, codes }: Coded, step: number): Pick<CompressedPlane, 'means' | 'codes'> {
  const { rows, cols, data } = codes;
  const out = new Int16Array(data.length);
  for (let j = 0; j < rows; j++) {
    for (let k = 0; k < cols; k++) {
      const x = data[j * cols + k];
      out[k * rows + j] = whole(Math.sign(x) * Math.floor(Math.abs(x) / step + ROUNDING));
    }
  }
  let before = 0;
  const differences = Int16Array.from(means, (mean) => {
    const now = Math.round((mean * Math.sqrt(cols)) / step);
    const difference = whole(now - before);
    before += difference;
    return difference;
  });
  return { means: differences, codes: out };
}

function restored(compressed: CompressedPicture, kernels: Kernels, bases?: readonly Matrix64[]): Picture<Pixels> {
  const { width, height, bits, side, step, planes } = compressed;
  const like = bits === 8 ? new Uint8Array(0) : bits === 16 ? new Uint16Array(0) : new Float32Array(0);
  const grid = { width: side, stride: side };
  const decoded = planes.map((plane, p) => {
    const basis = bases?.[p] ?? fromBytes(plane.atoms, side, kernels);
    const tiles = tilesOf(plane, basis, step, kernels);
    return { rows: height, cols: width, data: pictureFrom(tiles, { ...grid, picture: { width, height } }).pixels };
  });
  return pictureOfPlanes(decoded, like);
}

function tilesOf({ means, codes }: CompressedPlane, basis: Matrix64, step: number, kernels: Kernels): Matrix {
  const cols = basis.rows;
  const rows = codes.length / cols;
  const data = new Float32Array(codes.length);
  for (let j = 0; j < rows; j++) for (let k = 0; k < cols; k++) data[j * cols + k] = step * codes[k * rows + j];
  const tiles = kernels.project({ rows, cols, data }, transpose(basis), { scale: 1 }, 'f32');
  let mean = 0;
  for (let j = 0; j < rows; j++) {
    mean += means[j];
    for (let k = 0; k < cols; k++) tiles.data[j * cols + k] += (step * mean) / Math.sqrt(cols);
  }
  return tiles;
}
