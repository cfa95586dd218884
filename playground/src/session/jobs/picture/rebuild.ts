/** The picture from few codes of every tile, and where an atom is used. */
import { metrics } from 'orthodict';
import type { Job } from '../../context.ts';
import { type View, viewOf } from './bitmaps.ts';
import { BASES, type BasisName, made } from './studio.ts';

export interface Rebuilt {
  readonly k: number;
  readonly views: Readonly<Record<BasisName, ImageBitmap>>;
  /** Of pixels rounded to whole numbers, in decibels. */
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
  /** Tiles in a row. */
  readonly columns: number;
  readonly rows: number;
  /** Of a tile, in pixels. */
  readonly side: number;
  /** 0 … 255, row by row. */
  readonly strengths: Uint8ClampedArray;
}

/** The strongest five in a hundred tiles are shown alike: a single one must not hide the others. */
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
