/** Samples that are square pictures. */
import type { Learned } from '../../session/jobs/data/messages.ts';

/** Least side of a picture in pixels. */
const LEAST = 4;

/** The side of a square with this number of pixels; undefined if there is none. */
export function sideOfSquare(pixels: number): number | undefined {
  const side = Math.round(Math.sqrt(pixels));
  return side * side === pixels && side >= LEAST ? side : undefined;
}

/** The side of the pictures, if samples are pictures: a square number of features, unnamed or numbered as in `pixel0 … pixel783`. */
export function pictureSide({ features, isNamed }: Pick<Learned, 'features' | 'isNamed'>): number | undefined {
  const isNumbered = () => new Set(features.map((name) => name.replaceAll(/\d+/g, ''))).size === 1;
  return !isNamed || isNumbered() ? sideOfSquare(features.length) : undefined;
}
