/** What the session knows of the user's picture between two jobs. */
import type { LearnResult, Picture } from 'orthodict';
import { InputError } from 'orthodict';
import type { TileCodes } from './tiles.ts';

/** The bases that are compared. */
export const BASES = ['learned', 'pca', 'dct'] as const;
export type BasisName = (typeof BASES)[number];

/** A dictionary of the picture's patches, and the tiles of the picture in it and in two others. */
export interface Learned {
  /** In the colours that it was learned in. */
  readonly picture: Picture;
  readonly side: number;
  readonly result: LearnResult;
  readonly codes: Readonly<Record<BasisName, TileCodes>>;
}

/** A picture with noise, and without it again. */
export interface Denoised {
  /** What the others are compared with: the picture before noise was added; the noisy one, if it came with its noise. */
  readonly reference: Picture;
  /** As far as they are done. */
  readonly pictures: Partial<Record<DenoisedName, Picture>>;
}

/** With noise; without it, by learned dictionaries and the DCT together; by the DCT alone. */
export const DENOISED = ['noisy', 'both', 'dct'] as const;
export type DenoisedName = (typeof DENOISED)[number];

/** The picture in colour, and what was made of it. */
export const studio: {
  picture?: Picture;
  learned?: Learned | undefined;
  denoised?: Denoised | undefined;
} = {};

/** What has been made before. `what` as in "a picture". */
export function made<K extends keyof typeof studio>(name: K, what: string): NonNullable<(typeof studio)[K]> {
  const value = studio[name];
  if (!value) throw new InputError(`Your picture: ${what} must be there first.`);
  return value;
}
