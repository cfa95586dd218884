/**
 * How clipping at black and white reduces noise: for x = m + σz, z normal, cut off below and above,
 *
 *     M(m) = mean of cut(x)     V(m) = variance of cut(x) / σ²
 *
 * A noisy patch shows M, not m; both are tabulated by m, which gives V as a function of M.
 */
import { range } from '../core/matrix.ts';
import { WHITE } from './colour-planes.ts';
import { type Picture, type Pixels, whiteOf } from './picture.ts';

/** Limits at which pixels are clipped, with white = 255; infinite if no pixel reaches a limit, or one exceeds it. */
export interface Limits {
  readonly least: number;
  readonly most: number;
}

export function limitsOf({ pixels }: Picture<Pixels>): Limits {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of pixels) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return {
    least: least === 0 ? 0 : Number.NEGATIVE_INFINITY,
    most: most === whiteOf(pixels) ? WHITE : Number.POSITIVE_INFINITY,
  };
}

/** Normal numbers and their probabilities. */
const NORMALS = range(121).map((k) => (k - 60) / 10);
const DENSITIES = NORMALS.map((z) => Math.exp((-z * z) / 2) / (10 * Math.sqrt(2 * Math.PI)));
const STEPS = 512;
/** Means further than this many σ beyond the limits count as the limits. */
const BEYOND = 4;

/** Returns V as a function of M, for noise of this σ. */
export function sharesLeft(sigma: number, { least, most }: Limits): (seen: number) => number {
  const isCut = Number.isFinite(least) || Number.isFinite(most);
  if (sigma === 0 || !isCut) return () => 1;
  const first = -BEYOND * sigma;
  const step = (WHITE - 2 * first) / STEPS;
  const means = new Float64Array(STEPS + 1);
  const shares = new Float64Array(STEPS + 1);
  for (let k = 0; k <= STEPS; k++) {
    let [sum, squares] = [0, 0];
    for (const [i, z] of NORMALS.entries()) {
      const value = Math.min(Math.max(first + k * step + sigma * z, least), most);
      sum += DENSITIES[i] * value;
      squares += DENSITIES[i] * value * value;
    }
    means[k] = sum;
    shares[k] = Math.max(0, squares - sum * sum) / sigma ** 2;
  }
  return (seen) => {
    let [low, high] = [0, STEPS];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (means[middle] <= seen) low = middle;
      else high = middle;
    }
    return shares[low];
  };
}
