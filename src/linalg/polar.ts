/**
 * The orthogonal polar factor: for G = U Σ Vᵀ, polar(G) = U Vᵀ, the orthogonal matrix nearest to G.
 *
 * Scaled Newton-Schulz (Chen & Chow 2014), matrix products only: with singular values in [l, 1],
 *
 *     X ← 3/2 αX − 1/2 (αX)(αX)ᵀ(αX),   α² = 3/(1 + l + l²),   l ← 3/2 αl − 1/2 (αl)³
 *
 * the best cubic for that interval: small singular values grow 2.5-fold per step, and the last steps converge
 * quadratically. Where that saves a step, the last is X(15 I − 10 S + 3 S²)/8, S = XᵀX, which converges cubically.
 *
 * No singular value may exceed 1, or it could change its sign: with μ the mean eigenvalue of S = GᵀG, the largest is at
 * most μ(1 + ‖(S/μ − I)²‖_F^(1/2)). l is a guess from the variance of the eigenvalues. If it is too large, the error
 * ‖XᵀX − I‖_F, which each step computes anyway, tells: it is at most √n (1 − l²). ‖XᵀX − I‖_max verifies the result; if it
 * does not converge (rank-deficient G), the singular value decomposition takes over.
 */

import { type FloatArray, type Matrix, type Matrix64, type Precision, toFloat64 } from '../core/matrix.ts';
import { requireMatrixForm, requireObject } from '../core/require-matrix.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { svd } from './svd.ts';

const MAX_STEPS = 80;
/** Upper bound for singular values relative to the computed one: rounding in float32. */
const SAFETY = 1.0001;
/** α is chosen for an interval of at least this: near √3 it would annihilate singular values close to 1. */
const SMALLEST_INTERVAL = 0.1;
/** An l that turned out too large is divided by this. */
const TOO_LARGE = 100;
/** Floor for l, at rounding level: with l = 0 the interval would never grow. */
const LEAST = 2 ** -56;
const EPSILON = { f32: 2 ** -23, f64: Number.EPSILON } as const;
/** An error that no longer falls is rounding if it is below this; a missing direction leaves 1/n or more. */
const ROUNDING = { f32: 1e-4, f64: 1e-10 } as const;

/** The polar factor of G, orthogonal to float64 rounding; with `f32` it is the polar factor only to float32 rounding. */
export function polar(G: Matrix64, kernels: Kernels, precision: Precision = 'f64'): Matrix64 {
  requireMatrixForm('polar', 'G', G);
  requireObject('polar', 'kernels', kernels, 'kernels, such as those of selectKernels', ['multiply']);
  const largest = largestEntry(G);
  if (largest === 0) return polarBySvd(G, kernels);
  const rough = precision === 'f32' ? newtonSchulz(G, 1 / largest, kernels, 'f32') : undefined;
  const fine = rough ? newtonSchulz(rough, 1, kernels, 'f64') : newtonSchulz(G, 1 / largest, kernels, 'f64');
  return fine ? toFloat64(fine) : polarBySvd(G, kernels);
}

/** The polar factor of G, only to float32 rounding: for atoms whose codes are computed in float32. */
export function roughPolar(G: Matrix64, kernels: Kernels): Matrix64 {
  const largest = largestEntry(G);
  const rough = largest > 0 ? newtonSchulz(G, 1 / largest, kernels, 'f32') : undefined;
  return rough ? toFloat64(rough) : polar(G, kernels);
}

function largestEntry({ data }: Matrix64): number {
  let largest = 0;
  for (let i = 0; i < data.length; i++) {
    const size = Math.abs(data[i]);
    if (!(size <= Number.MAX_VALUE)) throw new Error('polar: the matrix must be finite.');
    if (size > largest) largest = size;
  }
  return largest;
}

/** max |XXᵀ − I| */
export function orthogonalityError(X: Matrix64, kernels: Kernels): number {
  return distanceFromIdentity(kernels.multiply(X, X, 'nt')).largest;
}

/** Iterates from factor · G until ‖XᵀX − I‖_max is at rounding level. The next call may overwrite the result. */
function newtonSchulz(G: Matrix, factor: number, kernels: Kernels, precision: Precision): Matrix | undefined {
  const n = G.rows;
  const tolerance = 8 * EPSILON[precision] * Math.sqrt(n);
  const [first, second, gram, square] = scratchFor(kernels, n, precision);
  let [X, spare] = [first, second];
  fillScaled(X.data, G.data, factor);
  kernels.multiply(X, X, 'tn', gram);
  let error = distanceFromIdentity(gram);
  let l = 1;
  let alpha = 1;
  if (error.frobenius >= NEARLY_ORTHOGONAL) {
    const interval = intervalOf(gram, kernels.multiply(gram, gram, 'tn', square));
    l = Math.max(interval.l, LEAST);
    alpha = scaleFor(l) / interval.top;
  }
  for (let step = 0; step < MAX_STEPS; step++) {
    if (error.largest <= tolerance) return X;
    const cubic = cubicIsBetter(error.frobenius, tolerance);
    if (cubic) kernels.multiply(X, cubicFactor(gram, kernels.multiply(gram, gram, 'tn', square)), 'nn', spare);
    else kernels.multiply(X, addToDiagonal(gram, -3 / alpha ** 2), 'nn', spare, -0.5 * alpha ** 3);
    [X, spare] = [spare, X];
    kernels.multiply(X, X, 'tn', gram);
    const previous = error.largest;
    error = distanceFromIdentity(gram);
    if (error.largest > 0.5 * previous && error.largest < ROUNDING[precision]) return X;
    l = nextBound(l, error.frobenius, n);
    alpha = error.frobenius < NEARLY_ORTHOGONAL ? 1 : scaleFor(l);
  }
  return undefined;
}

function fillScaled(out: FloatArray, numbers: FloatArray, factor: number): void {
  for (let i = 0; i < out.length; i++) out[i] = factor * numbers[i];
}

type Scratch = readonly [Matrix, Matrix, Matrix, Matrix];

/** Size of the largest matrices kept: for larger ones, new memory costs nothing compared with their products. */
const LARGEST_KEPT = 512;
const kept = new WeakMap<Kernels, Map<Precision, Scratch>>();

/** Four n×n matrices to overwrite, kept from call to call: new memory costs as much as a product of small matrices. */
function scratchFor(kernels: Kernels, n: number, precision: Precision): Scratch {
  const of = kept.get(kernels) ?? new Map<Precision, Scratch>();
  const known = of.get(precision);
  if (known?.[0].rows === n) return known;
  const Numbers = precision === 'f32' ? Float32Array : Float64Array;
  const empty = (): Matrix => ({ rows: n, cols: n, data: new Numbers(n * n) });
  const made: Scratch = [empty(), empty(), empty(), empty()];
  if (n <= LARGEST_KEPT) kept.set(kernels, of.set(precision, made));
  return made;
}

/** Within this distance from orthogonality, plain steps (α = 1) converge quadratically. */
const NEARLY_ORTHOGONAL = 0.5;

/** The interval [l, 1]·top of the singular values, if the guess of l is right; `square` is S². */
function intervalOf({ rows: n, data: S }: Matrix, { data: square }: Matrix): { top: number; l: number } {
  let [trace, secondMoment] = [0, 0];
  for (let i = 0; i < n; i++) trace += S[i * n + i];
  for (let i = 0; i < n; i++) secondMoment += square[i * n + i];
  const mean = trace / n;
  let fourth = 0; // ‖(S/μ − I)²‖²_F
  for (let i = 0; i < n; i++) {
    for (let at = i * n; at < (i + 1) * n; at++) {
      const entry = square[at] / mean ** 2 - (2 * S[at]) / mean + (at === i * (n + 1) ? 1 : 0);
      fourth += entry * entry;
    }
  }
  const top = Math.sqrt(SAFETY * (1 + fourth ** 0.25));
  return { top: top * Math.sqrt(mean), l: smallestOf(secondMoment / (n * mean ** 2) - 1, n) / top };
}

/**
 * The smallest singular value of Q + gN, Q orthogonal and N of independent normals of variance 1/n, relative to the root
 * mean square, if the eigenvalues of S have this relative variance, 1 − 1/(1+g²)². From g = 1 on, about 1/(2n).
 */
function smallestOf(variance: number, n: number): number {
  const g = variance < 1 ? Math.sqrt(1 / Math.sqrt(1 - Math.max(variance, 0)) - 1) : 1;
  return Math.max((1 - Math.min(g, 1)) ** 1.5, 0.5 / n);
}

/** Whether one more product pays: the next error is ⅝e³ with it, and ¾e² without. */
const cubicIsBetter = (e: number, tolerance: number): boolean =>
  0.75 * e ** 2 > tolerance && 0.625 * e ** 3 <= tolerance;

/** (15 I − 10 S + 3 S²)/8, overwriting S. */
function cubicFactor<M extends Matrix>(S: M, square: M): M {
  const { data } = S;
  for (let i = 0; i < data.length; i++) data[i] = 0.375 * square.data[i] - 1.25 * data[i];
  return addToDiagonal(S, 1.875);
}

/** S + c I, overwriting S. */
function addToDiagonal<M extends Matrix>(S: M, c: number): M {
  const { data, rows } = S;
  for (let i = 0; i < rows; i++) data[i * rows + i] += c;
  return S;
}

/** The bound l after a step; it must explain the error of the step. */
function nextBound(l: number, error: number, n: number): number {
  const a = scaleFor(l);
  const next = Math.min(halfCubic(a * l), halfCubic(a));
  const explained = Math.sqrt(n) * (1 - next * next);
  return Math.max(error > 1.1 * explained + NEARLY_ORTHOGONAL ? next / TOO_LARGE : next, LEAST);
}

const scaleFor = (l: number): number => {
  const interval = Math.max(Math.min(l, 1), SMALLEST_INTERVAL);
  return Math.sqrt(3 / (1 + interval + interval * interval));
};

const halfCubic = (x: number): number => 1.5 * x - 0.5 * x ** 3;

interface Distance {
  /** max |S − I| */
  readonly largest: number;
  /** ‖S − I‖_F */
  readonly frobenius: number;
}

function distanceFromIdentity({ data, rows }: Matrix): Distance {
  let [off, diagonal, largest] = [0, 0, 0];
  for (let i = 0; i < rows; i++) {
    const row = i * rows;
    for (let j = 0; j < i; j++) {
      const entry = data[row + j]; // XᵀX is symmetric
      off += entry * entry;
      const size = Math.abs(entry);
      if (size > largest) largest = size;
    }
    const entry = data[row + i] - 1;
    diagonal += entry * entry;
    largest = Math.max(largest, Math.abs(entry));
  }
  return { largest, frobenius: Math.sqrt(2 * off + diagonal) };
}

function polarBySvd(G: Matrix64, kernels: Kernels): Matrix64 {
  const { left, right } = svd(G);
  return kernels.multiply(left, right, 'tn');
}
