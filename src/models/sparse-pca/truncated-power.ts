/**
 * One sparse component beside others. With C = RᵀR the second moments, Q the orthonormal scores of the other components and
 * p = u R for a unit u (length r) orthogonal to Q,
 *
 *     maximise Σ_{k in S} (p_k² − price),   S: the `count` largest |p_k|, of those with p_k² > price
 *     u ← (I − QᵀQ) R p_S/‖·‖               which never lowers it: it is convex in u
 *
 * (GPower ℓ0, Journée et al. 2010; TPower, Yuan & Zhang 2013). At a fixed point z = p_S/‖p_S‖ is the leading eigenvector on S
 * of C less what the others explain, Rᵀ(I − QᵀQ)R, and ‖p_S‖² its eigenvalue: what z adds to the adjusted variance.
 */
import { dot, type Matrix64, row, transpose, zeros } from '../../core/matrix.ts';

/** Which entries a component may keep. */
export interface Limit {
  readonly count: number;
  /** Variance that every kept entry must be worth. */
  readonly price: number;
}

export interface Component {
  /** Unit direction among the rows of R, orthogonal to Q. */
  readonly u: Float64Array;
  /** p_S, zeros elsewhere. */
  readonly kept: Float64Array;
  readonly value: number;
}

/** R by rows and by columns (n×r). */
export interface Sides {
  readonly R: Matrix64;
  readonly columns: Matrix64;
}

export const sidesOf = (R: Matrix64): Sides => ({ R, columns: transpose(R) });

/** Steps that raise the value by less, relatively, are the last. */
const TOLERANCE = 1e-9;

/** From a start that need neither be a unit nor orthogonal to Q; undefined if nothing of it is left, or kept. */
export function truncatedPower(
  { R, columns }: Sides,
  Q: Matrix64,
  start: Float64Array,
  limit: Limit,
  maxSteps: number,
): Component | undefined {
  let u = outside(start, Q);
  let best: Component | undefined;
  for (let step = 0; u && step < maxSteps; step++) {
    const kept = combineRows(u, R);
    const value = truncate(kept, limit);
    if (!(value > (best?.value ?? 0))) break;
    const gain = value - (best?.value ?? 0);
    best = { u, kept, value };
    if (gain <= TOLERANCE * value) break;
    u = outside(combineRows(kept, columns), Q);
  }
  return best;
}

/** Σ_i weights_i · row i. */
export function combineRows(weights: Float64Array, { rows, cols, data }: Matrix64): Float64Array {
  const sum = new Float64Array(cols);
  for (let i = 0, at = 0; i < rows; i++, at += cols) {
    const weight = weights[i];
    if (weight !== 0) for (let k = 0; k < cols; k++) sum[k] += weight * data[at + k];
  }
  return sum;
}

/** Share of a vector that rounding may leave of one within the span of Q. */
const ROUNDING = 1e-10;

/** The unit vector along what Q leaves of v; undefined if that is nothing but rounding. */
export function outside(v: Float64Array, Q: Matrix64): Float64Array | undefined {
  const rest = v.slice();
  const before = dot(v, v);
  subtractSpan(rest, Q);
  let square = dot(rest, rest);
  if (square < before / 2) {
    subtractSpan(rest, Q); // twice is enough
    square = dot(rest, rest);
  }
  if (!(square > ROUNDING ** 2 * before)) return undefined;
  const factor = 1 / Math.sqrt(square);
  for (let l = 0; l < rest.length; l++) rest[l] *= factor;
  return rest;
}

/** In place: v ← v − (v Qᵀ) Q, one row of Q after the other. */
function subtractSpan(v: Float64Array, { rows, cols, data }: Matrix64): void {
  for (let at = 0; at < rows * cols; at += cols) {
    let inner = 0;
    for (let l = 0; l < cols; l++) inner += v[l] * data[at + l];
    for (let l = 0; l < cols; l++) v[l] -= inner * data[at + l];
  }
}

/** Orthonormal rows with the span of the rows of T, or of those that are not row `except`. */
export function spanOf(T: Matrix64, except?: number): Matrix64 {
  const Q = zeros(T.rows, T.cols);
  let count = 0;
  for (let i = 0; i < T.rows; i++) {
    const rest = i === except ? undefined : outside(row(T, i), { ...Q, rows: count });
    if (rest) row(Q, count++).set(rest);
  }
  return { rows: count, cols: T.cols, data: Q.data.subarray(0, count * T.cols) };
}

/** In place: zeros for all that the limit does not keep. Returns Σ_S (p_k² − price). */
export function truncate(p: Float64Array, { count, price }: Limit): number {
  const least = magnitudeAt(p, count);
  let ties = count; // places left for entries of exactly that magnitude
  for (let k = 0; k < p.length; k++) if (Math.abs(p[k]) > least) ties--;
  let value = 0;
  for (let k = 0; k < p.length; k++) {
    const size = Math.abs(p[k]);
    const square = size * size;
    const fits = size > least || (size === least && ties-- > 0);
    if (fits && square > price) value += square - price;
    else p[k] = 0;
  }
  return value;
}

/** The magnitude at place `count`, from the largest: Hoare's selection. */
function magnitudeAt(p: Float64Array, count: number): number {
  if (count >= p.length) return -1; // below all
  const sizes = p.map(Math.abs);
  const place = p.length - count;
  for (let [low, high] = [0, p.length - 1]; low < high; ) {
    const pivot = sizes[(low + high) >> 1];
    let [i, j] = [low, high];
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
