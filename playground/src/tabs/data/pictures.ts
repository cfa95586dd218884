/** Samples that are square pictures. */
import type { Learned } from '../../session/jobs/data/messages.ts';

/** Smaller squares are too few pixels to be a picture. */
const LEAST = 4;

/** The side of a square of so many pixels; undefined if they are none. */
export function sideOfSquare(pixels: number): number | undefined {
  const side = Math.round(Math.sqrt(pixels));
  return side * side === pixels && side >= LEAST ? side : undefined;
}

/** The side of the pictures that the samples are: a square number of features without names, or numbered as in `pixel0 … pixel783`. */
export function pictureSide({ features, isNamed }: Pick<Learned, 'features' | 'isNamed'>): number | undefined {
  const isNumbered = () => new Set(features.map((name) => name.replaceAll(/\d+/g, ''))).size === 1;
  return !isNamed || isNumbered() ? sideOfSquare(features.length) : undefined;
}
