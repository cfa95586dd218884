/** Rebuilds the picture from a few codes of every tile, and shows where an atom is used. */
import { metrics } from 'orthodict';
import type { Job } from '../../context.ts';
import { type View, viewOf } from './bitmaps.ts';
import { BASES, type BasisName, made } from './studio.ts';

export interface Rebuilt {
  readonly k: number;
  readonly views: Readonly<Record<BasisName, ImageBitmap>>;
  /** PSNR in decibels, with pixels rounded to whole numbers. */
  readonly psnr: Readonly<Record<BasisName, number>>;
}

export const rebuildPicture: Job<{ readonly k: number; readonly view: View }, never, Rebuilt> = async ({ k, view }) => {
  const { picture, side, codes } = made('learned', 'a learned dictionary');
  const rebuilt = BASES.map((name) => codes[name].rebuild(k, picture, side));
  const views = await Promise.all(rebuilt.map((each) => viewOf(view, each, picture)));
  return {
    k,
    views: Object.fromEntries(BASES.map((name, b) => [name, views[b]])) as Record<BasisName, ImageBitmap>,
    psnr: Object.fromEntries(BASES.map((name, b) => [name, metrics.psnr(picture.pixels, rebuilt[b].pixels)])) as Record<
      BasisName,
      number
    >,
  };
};

/** How much energy every tile has in an atom. */
export interface AtomUse {
  readonly atom: number;
  /** Number of tiles in a row. */
  readonly columns: number;
  readonly rows: number;
  /** Side of a tile in pixels. */
  readonly side: number;
  /** Strengths from 0 to 255, row by row. */
  readonly strengths: Uint8ClampedArray;
}

/** Quantile shown with full strength, so that a single tile does not hide the others. */
const STRONGEST = 0.95;

export const whereUsed: Job<{ readonly atom: number }, never, AtomUse> = async ({ atom }) => {
  const { picture, side, codes } = made('learned', 'a learned dictionary');
  const sizes = codes.learned.magnitudes(atom);
  const most = sizes.slice().sort()[Math.floor(STRONGEST * (sizes.length - 1))] || 1;
  return {
    atom,
    columns: Math.ceil(picture.width / side),
    rows: Math.ceil(picture.height / side),
    side,
    strengths: Uint8ClampedArray.from(sizes, (size) => 255 * (size / most) ** 2),
  };
};
