/**
 * One sparse component beside others. With D what the others leave of the second moments (rest.ts) and p = D z/√(zᵀDz),
 *
 *     maximise Σ_{k in S} (p_k² − price),   S: the `count` largest |p_k|, of those with p_k² > price
 *     z ← p_S                               which never lowers it
 *
 * (GPower ℓ0, Journée et al. 2010; TPower, Yuan & Zhang 2013). At a fixed point z/‖z‖ is the leading eigenvector of D on S,
 * and ‖p_S‖² its eigenvalue: what z adds to the adjusted variance.
 */
import { type Rest, ROUNDING, timesRest } from './rest.ts';
import { append, emptyVector, type SparseVector, sparseDot, squareOf } from './sparse-vector.ts';

/** Which entries a component may keep. */
export interface Limit {
  readonly count: number;
  /** Variance that every kept entry must be worth. */
  readonly price: number;
}

export interface Component {
  /** The kept entries, p_S. */
  readonly kept: SparseVector;
  readonly value: number;
}

/** Limits of the iteration: it ends with the first step that raises the value by no more than the relative tolerance. */
export interface PowerLimits {
  readonly maxSteps: number;
  readonly tolerance: number;
}

/** Runs the truncated power method from a start of any norm; undefined if the others explain it, or if nothing is kept. */
export function truncatedPower(
  rest: Rest,
  start: SparseVector,
  limit: Limit,
  { maxSteps, tolerance }: PowerLimits,
): Component | undefined {
  const kept = emptyVector(rest.C.features);
  let z = start;
  for (let step = 1; ; step++) {
    const quotient = follow(rest, z);
    const before = z.size > limit.count ? Number.NEGATIVE_INFINITY : quotient - limit.price * z.size;
    const value = quotient > 0 ? truncate(rest.p, limit, kept) : 0;
    if (value === 0) return undefined;
    if (step === maxSteps || value - before <= tolerance * value) return { kept, value };
    z = kept;
  }
}

/** rest.p ← D z/√(zᵀDz). Returns zᵀDz/‖z‖², 0 if that is nothing but rounding. */
export function follow(rest: Rest, z: SparseVector): number {
  const { p } = rest;
  const explained = timesRest(rest, z, p);
  const left = sparseDot(z, p);
  if (!(left > ROUNDING * explained)) return 0;
  const factor = 1 / Math.sqrt(left);
  for (let k = 0; k < p.length; k++) p[k] *= factor;
  return left / squareOf(z);
}

/** kept ← p_S. Returns Σ_S (p_k² − price). */
export function truncate(p: Float64Array, { count, price }: Limit, kept: SparseVector): number {
  const least = stays(p, count, kept) ?? magnitudeAt(p, count);
  let ties = count; // places left for entries of exactly that magnitude
  for (let k = 0; k < p.length; k++) if (Math.abs(p[k]) > least) ties--;
  let value = 0;
  kept.size = 0;
  for (let k = 0; k < p.length; k++) {
    const size = Math.abs(p[k]);
    const square = size * size;
    if ((size > least || (size === least && ties-- > 0)) && square > price) {
      value += square - price;
      append(kept, k, p[k]);
    }
  }
  return value;
}

/** The least magnitude on the support so far, if there are `count` entries that are no less, as is usual after some steps. */
function stays(p: Float64Array, count: number, { size, at }: SparseVector): number | undefined {
  if (size !== count) return undefined;
  let least = Number.POSITIVE_INFINITY;
  for (let j = 0; j < size; j++) least = Math.min(least, Math.abs(p[at[j]]));
  let atLeast = 0;
  for (let k = 0; k < p.length; k++) if (Math.abs(p[k]) >= least) atLeast++;
  return atLeast === count ? least : undefined;
}

let sizes = new Float64Array(0); // buffer for magnitudes, reused by all calls

/** The `count`-th largest magnitude, by Hoare's selection. */
export function magnitudeAt(p: Float64Array, count: number): number {
  if (count >= p.length) return -1; // below all
  if (sizes.length < p.length) sizes = new Float64Array(p.length);
  for (let k = 0; k < p.length; k++) sizes[k] = Math.abs(p[k]);
  const place = p.length - count;
  for (let low = 0, high = p.length - 1; low < high; ) {
    const pivot = sizes[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (sizes[i] < pivot) i++;
      while (sizes[j] > pivot) j--;
      if (i > j) break;
      const size = sizes[i];
      sizes[i++] = sizes[j];
      sizes[j--] = size;
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else break;
  }
  return sizes[place];
}
