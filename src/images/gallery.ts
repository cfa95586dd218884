/** Atoms as tiles of a grey picture: 0 is mid-grey (128), black and white are each atom's (or a given) maximum. */
import { inputError } from '../core/errors.ts';
import { type FloatArray, type Matrix, row } from '../core/matrix.ts';
import type { Picture } from './picture.ts';

const MID_GREY = 128;
const SWING = 127;
const PAPER = 255;

/** How atoms are laid out and scaled. */
export interface GalleryOptions {
  /**
   * Width and height of one atom in values. One determines the other. By default a square if the length of an atom is a
   * square number, otherwise a strip one value high.
   */
  readonly width?: number;
  readonly height?: number;
  /** Tiles side by side; by default about as many as rows of tiles, 1 for strips. */
  readonly columns?: number;
  /** Pixels per value, in each direction. */
  readonly scale?: number;
  /** White pixels between and around tiles. */
  readonly gap?: number;
  /** The magnitude shown as black or white in all tiles; by default each atom's largest. */
  readonly full?: number;
}

export const galleryDefaults = Object.freeze({ scale: 1, gap: 1 } as const satisfies GalleryOptions);

/** One tile per atom (row), in reading order. */
export function atomGallery(atoms: Matrix, options: GalleryOptions = {}): Picture {
  const { scale, gap } = { ...galleryDefaults, ...options };
  const tile = tileShape(atoms, options);
  const columns = options.columns ?? (tile.height === 1 ? 1 : Math.ceil(Math.sqrt(atoms.rows)));
  wholeNumber('columns', columns, 1);
  wholeNumber('scale', scale, 1);
  wholeNumber('gap', gap, 0);
  const width = gap + columns * (tile.width * scale + gap);
  const height = gap + Math.ceil(atoms.rows / columns) * (tile.height * scale + gap);
  const pixels = new Uint8Array(width * height).fill(PAPER);
  for (let i = 0; i < atoms.rows; i++) {
    const left = gap + (i % columns) * (tile.width * scale + gap);
    const top = gap + Math.floor(i / columns) * (tile.height * scale + gap);
    const greys = greyLevels(row(atoms, i), options.full);
    for (let y = 0; y < tile.height * scale; y++) {
      for (let x = 0; x < tile.width * scale; x++) {
        const value = Math.floor(y / scale) * tile.width + Math.floor(x / scale);
        pixels[(top + y) * width + left + x] = greys[value];
      }
    }
  }
  return { width, height, pixels };
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

function tileShape({ rows, cols }: Matrix, { width, height }: GalleryOptions): { width: number; height: number } {
  if (rows === 0 || cols === 0) throw inputError('atomGallery', 'atoms', 'a matrix with entries', `${rows}×${cols}`);
  const side = Math.round(Math.sqrt(cols));
  const square = side * side === cols;
  const guessedWidth = height === undefined ? (square ? side : cols) : cols / height;
  const shape = { width: width ?? guessedWidth, height: height ?? cols / (width ?? guessedWidth) };
  if (!Number.isInteger(shape.width) || !Number.isInteger(shape.height) || shape.width * shape.height !== cols) {
    throw inputError(
      'atomGallery',
      'width × height',
      `${cols}, the length of an atom`,
      `${shape.width} × ${shape.height}`,
    );
  }
  return shape;
}

function wholeNumber(parameter: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least) return;
  throw inputError('atomGallery', parameter, `a whole number of at least ${least}`, value);
}
