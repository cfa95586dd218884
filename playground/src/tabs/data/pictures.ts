/** Samples that are square pictures. */
import type { Learned } from '../../session/jobs/data/messages.ts';

/** Smaller squares are too few pixels to be a picture. */
const LEAST = 4;

/** The side of a square of so many pixels; undefined if they are none. */
export function sideOfSquare(pixels: number): number | undefined {
  const side = Math.round(Math.sqrt(pixels));
  return side * side === pixels && side >= LEAST ? side : undefined;
}

/** A square number of features without names, or numbered ones as in `pixel0 … pixel783`. */
export function looksLikePictures({ features, isNamed }: Pick<Learned, 'features' | 'isNamed'>): boolean {
  if (sideOfSquare(features.length) === undefined) return false;
  return !isNamed || new Set(features.map((name) => name.replaceAll(/\d+/g, ''))).size === 1;
}
