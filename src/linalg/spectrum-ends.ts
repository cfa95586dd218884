/**
 * Estimates both ends of the spectrum of a symmetric matrix by a short Lanczos run with reorthogonalisation: the Ritz
 * values are inside the spectrum, the largest close to its end, the smallest perhaps not.
 */
import type { FloatArray, Matrix } from '../core/matrix.ts';

export interface SpectrumEnds {
  readonly smallest: number;
  readonly largest: number;
}

/** Below this a new direction is rounding: the basis is invariant. */
const NO_DIRECTION = 1e-14;

export function spectrumEnds(S: Matrix, most: number): SpectrumEnds {
  const n = S.rows;
  const steps = Math.min(n, most);
  const basis: Float64Array[] = [];
  const diagonal = new Float64Array(steps);
  const offDiagonal = new Float64Array(steps); // entry k couples k and k+1
  let v = freshDirection(n, basis);
  for (let k = 0; k < steps; k++) {
    basis.push(v);
    const w = new Float64Array(n);
    for (let i = 0; i < n; i++) w[i] = dotAt(S.data, i * n, v);
    diagonal[k] = dotAt(w, 0, v);
    for (let pass = 0; pass < 2; pass++) for (const q of basis) subtract(w, dotAt(w, 0, q), q);
    const beta = normalise(w);
    if (k === steps - 1) break;
    if (beta > NO_DIRECTION) {
      offDiagonal[k] = beta;
      v = w;
    } else {
      v = freshDirection(n, basis); // the basis may miss the largest eigenvalue: continue outside it
    }
  }
  return { smallest: endOf(diagonal, offDiagonal, 0), largest: endOf(diagonal, offDiagonal, steps - 1) };
}

/** Eigenvalue number `index` (ascending) of a tridiagonal matrix, by bisection. */
function endOf(diagonal: Float64Array, offDiagonal: Float64Array, index: number): number {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < diagonal.length; k++) {
    const radius = (k > 0 ? offDiagonal[k - 1] : 0) + offDiagonal[k];
    low = Math.min(low, diagonal[k] - radius);
    high = Math.max(high, diagonal[k] + radius);
  }
  while (high - low > BISECTED * Math.max(Math.abs(low), Math.abs(high))) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (countBelow(diagonal, offDiagonal, middle) > index) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}

const BISECTED = 1e-10;

/** How many eigenvalues are below x: the negative pivots of T − xI (Sturm). */
function countBelow(diagonal: Float64Array, offDiagonal: Float64Array, x: number): number {
  let count = 0;
  let pivot = 1;
  for (let k = 0; k < diagonal.length; k++) {
    const coupling = k > 0 ? offDiagonal[k - 1] ** 2 : 0;
    pivot = diagonal[k] - x - (coupling === 0 ? 0 : coupling / pivot);
    if (pivot === 0) pivot = -Number.MIN_VALUE;
    if (pivot < 0) count++;
  }
  return count;
}

/** A unit vector orthogonal to the basis, from the centred golden-ratio sequence, which has no structure. */
function freshDirection(n: number, basis: readonly Float64Array[]): Float64Array {
  const phase = 0.37 + 0.7548776662466927 * basis.length;
  const v = Float64Array.from({ length: n }, (_, i) => ((i * 0.6180339887498949 + phase) % 1) - 0.5 + 1e-3);
  normalise(v);
  for (let pass = 0; pass < 2; pass++) {
    for (const q of basis) subtract(v, dotAt(v, 0, q), q);
    normalise(v);
  }
  return v;
}

/** Σ a[at + i]·b[i]; four sums at a time, which halves the time. */
function dotAt(a: FloatArray, at: number, b: Float64Array): number {
  const n = b.length;
  const whole = n - (n % 4);
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let i = 0; i < whole; i += 4) {
    s0 += a[at + i] * b[i];
    s1 += a[at + i + 1] * b[i + 1];
    s2 += a[at + i + 2] * b[i + 2];
    s3 += a[at + i + 3] * b[i + 3];
  }
  for (let i = whole; i < n; i++) s0 += a[at + i] * b[i];
  return s0 + s1 + (s2 + s3);
}

function subtract(a: Float64Array, factor: number, b: Float64Array): void {
  for (let i = 0; i < a.length; i++) a[i] -= factor * b[i];
}

function normalise(v: Float64Array): number {
  const norm = Math.sqrt(dotAt(v, 0, v));
  if (norm > 0) for (let i = 0; i < v.length; i++) v[i] /= norm;
  return norm;
}
