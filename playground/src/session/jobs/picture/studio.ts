/** The user's picture and its results, kept between jobs. */
import type { LearnResult, Picture } from 'orthodict';
import { InputError } from 'orthodict';
import type { TileCodes } from './tiles.ts';

/** The bases that are compared. */
export const BASES = ['learned', 'pca', 'dct'] as const;
export type BasisName = (typeof BASES)[number];

/** A dictionary of the picture's patches, and the tiles of the picture in it and in two others. */
export interface Learned {
  /** The picture, in the colours used for learning. */
  readonly picture: Picture;
  readonly side: number;
  readonly result: LearnResult;
  readonly codes: Readonly<Record<BasisName, TileCodes>>;
}

/** A noisy picture, and its denoised versions. */
export interface Denoised {
  /** The reference for comparison: the picture before noise was added, or the noisy one if it came with noise. */
  readonly reference: Picture;
  /** The finished pictures. */
  readonly pictures: Partial<Record<DenoisedName, Picture>>;
}

/** The noisy picture, and those denoised by learned dictionaries with the DCT, and by the DCT alone. */
export const DENOISED = ['noisy', 'both', 'dct'] as const;
export type DenoisedName = (typeof DENOISED)[number];

/** The picture in colour, and the results. */
export const studio: {
  picture?: Picture;
  learned?: Learned | undefined;
  denoised?: Denoised | undefined;
} = {};

/** Returns an earlier result, or throws. `what` names it, as in "a picture". */
export function made<K extends keyof typeof studio>(name: K, what: string): NonNullable<(typeof studio)[K]> {
  const value = studio[name];
  if (!value) throw new InputError(`Your picture: ${what} must be there first.`);
  return value;
}
