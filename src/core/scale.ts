/** The magnitudes of numbers whose powers and sums float64 can hold with all their digits. */
import { inputError } from './errors.ts';
import type { FloatArray } from './matrix.ts';

/** Powers of numbers should lie between 10^−300 and 10^300, or be zero: that leaves room for sums. */
const DECADES = 300;

/** Checks the largest magnitude; `degree`: the power of the numbers that is summed or returned, such as 2 for variances. */
export function requireScale(who: string, name: string, largest: number, degree = 1): void {
  const decades = DECADES / degree;
  if (largest === 0 || (largest >= 10 ** -decades && largest <= 10 ** decades)) return;
  const got = `${largest} as the largest magnitude; multiply all of them by a constant`;
  throw inputError(who, name, scaleWords(degree), got);
}

/** `of magnitudes from 1e-300 to 1e300` */
export const scaleWords = (degree = 1): string => `of magnitudes from 1e-${DECADES / degree} to 1e${DECADES / degree}`;

export function largestMagnitude(data: FloatArray): number {
  let largest = 0;
  for (let i = 0; i < data.length; i++) largest = Math.max(largest, Math.abs(data[i]));
  return largest;
}

/** The least number that float32 holds with all its digits. */
const LEAST_FLOAT32 = 2 ** -126;

/** Whether the largest number neither overflows in float32 nor vanishes. */
export function fitsFloat32(data: FloatArray): boolean {
  const largest = largestMagnitude(data);
  return largest === 0 || (largest >= LEAST_FLOAT32 && Number.isFinite(Math.fround(largest)));
}
