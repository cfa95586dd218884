/** Atoms as tiles of a picture: 0 is mid-grey (128), black and white are each atom's maximum (or a given one); in colour, that of each channel. */

import { inputError } from '../core/errors.ts';
import { type FloatArray, type Matrix, row } from '../core/matrix.ts';
import { requireMatrixForm, requireObject } from '../core/require-matrix.ts';
import type { Picture } from './picture.ts';

const MID_GREY = 128;
const SWING = 127;
const PAPER = 255;

/** How atoms are laid out and scaled. */
export interface GalleryOptions {
  /**
   * Width and height of one atom in values; one determines the other. Default: a square if the length of an atom is a
   * square number, otherwise a strip one value high.
   */
  readonly width?: number;
  /** Height of one atom in values, see `width`. */
  readonly height?: number;
  /** Numbers per pixel: 1 (grey, the default) or 3 (red, green, blue). */
  readonly channels?: 1 | 3;
  /** Number of tiles side by side; default: about the number of rows of tiles, 1 for strips. */
  readonly columns?: number;
  /** Pixels per value, in each direction. */
  readonly scale?: number;
  /** White pixels between and around tiles. */
  readonly gap?: number;
  /** The magnitude shown as black or white in all tiles; by default each atom's largest. */
  readonly full?: number;
}

const DEFAULTS = Object.freeze({ scale: 1, gap: 1, channels: 1 } as const satisfies GalleryOptions);

/**
 * Draws one tile per atom (row), in reading order.
 *
 * @example
 * ```js
 * import { atomGallery, fromRows } from 'orthodict';
 *
 * const picture = atomGallery(fromRows([[1, 0, 0, -1], [0, 1, -1, 0]]), { scale: 4 }); // two tiles of 2×2 values
 * console.log(picture.width, picture.height); // 19 10
 * ```
 */
export function atomGallery(atoms: Matrix, options: GalleryOptions = {}): Picture {
  requireMatrixForm('atomGallery', 'atoms', atoms);
  requireObject('atomGallery', 'options', options, 'an object');
  const { scale, gap, channels } = { ...DEFAULTS, ...options };
  const tile = tileShape(atoms, options);
  const columns = options.columns ?? (tile.height === 1 ? 1 : Math.ceil(Math.sqrt(atoms.rows)));
  wholeNumber('columns', columns, 1);
  wholeNumber('scale', scale, 1);
  wholeNumber('gap', gap, 0);
  const width = gap + columns * (tile.width * scale + gap);
  const height = gap + Math.ceil(atoms.rows / columns) * (tile.height * scale + gap);
  const pixels = new Uint8Array(width * height * channels).fill(PAPER);
  for (let i = 0; i < atoms.rows; i++) {
    const left = gap + (i % columns) * (tile.width * scale + gap);
    const top = gap + Math.floor(i / columns) * (tile.height * scale + gap);
    const greys = greyLevels(row(atoms, i), options.full);
    for (let y = 0; y < tile.height * scale; y++) {
      for (let x = 0; x < tile.width * scale; x++) {
        const value = channels * (Math.floor(y / scale) * tile.width + Math.floor(x / scale));
        const place = channels * ((top + y) * width + left + x);
        for (let c = 0; c < channels; c++) pixels[place + c] = greys[value + c];
      }
    }
  }
  return { width, height, pixels, ...(channels === 3 && { channels }) };
}

function greyLevels(atom: FloatArray, full = largestMagnitude(atom)): Uint8ClampedArray {
  const factor = full > 0 ? SWING / full : 0;
  return Uint8ClampedArray.from(atom, (value) => MID_GREY + Math.round(value * factor));
}

function largestMagnitude(atom: FloatArray): number {
  let max = 0;
  for (let k = 0; k < atom.length; k++) max = Math.max(max, Math.abs(atom[k]));
  return max;
}

/** Width and height of one atom in pixels. */
export function tileShape({ rows, cols }: Matrix, options: GalleryOptions): { width: number; height: number } {
  const { width, height, channels = 1 } = options;
  if (rows === 0 || cols === 0) throw inputError('atomGallery', 'atoms', 'a matrix with entries', `${rows}×${cols}`);
  const count = cols / channels;
  const side = Math.round(Math.sqrt(count));
  const guessedWidth = height === undefined ? (side * side === count ? side : count) : count / height;
  const shape = { width: width ?? guessedWidth, height: height ?? count / (width ?? guessedWidth) };
  if (!Number.isInteger(shape.width) || !Number.isInteger(shape.height) || shape.width * shape.height !== count) {
    const [parameter, got] = ['width × height', `${shape.width} × ${shape.height}`];
    if (channels === 1) throw inputError('atomGallery', parameter, `${cols}, the length of an atom`, got);
    throw inputError(
      'atomGallery',
      `${parameter} × channels`,
      `${cols}, the length of an atom`,
      `${got} × ${channels}`,
    );
  }
  return shape;
}

function wholeNumber(parameter: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return;
  throw inputError('atomGallery', parameter, `a whole number of at least ${least}`, value);
}
