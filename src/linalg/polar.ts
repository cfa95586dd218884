/**
 * The orthogonal polar factor: for G = U Σ Vᵀ, polar(G) = U Vᵀ, the orthogonal matrix nearest to G.
 *
 * Scaled Newton-Schulz (Chen & Chow 2014), matrix products only: with singular values in [l, 1],
 *
 *     X ← 3/2 αX − 1/2 (αX)(αX)ᵀ(αX),   α² = 3/(1 + l + l²),   l ← 3/2 αl − 1/2 (αl)³
 *
 * the best cubic for that interval: small singular values grow 2.5-fold per step, and the last steps converge
 * quadratically. Where that saves a step, the last is X(15 I − 10 S + 3 S²)/8, S = XᵀX, which converges cubically. The
 * interval comes from a short Lanczos run on Gᵀ G, which may miss the smallest eigenvalue; the bound
 * l² ≤ 1 − ‖XᵀX − I‖_max corrects it. ‖XᵀX − I‖_max, which each step computes anyway, also verifies the result; if it
 * does not converge (rank-deficient G), the singular value decomposition takes over.
 */
import { type Matrix, type Matrix64, type Precision, toFloat64 } from '../core/matrix.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { spectrumEnds } from './spectrum-ends.ts';
import { svd } from './svd.ts';

const MAX_STEPS = 80;
const LANCZOS_STEPS = 10;
/** Upper bound relative to the Ritz value, so that no singular value exceeds 1 and changes sign. */
const SAFETY = 1.1;
/** A smaller l means that singular values reach down to zero, where Lanczos has not been: it is that much smaller. */
const BROAD = 0.15;
/** Floor for l, at rounding level: with l = 0 the interval would never grow. */
const LEAST = 2 ** -56;
/** α is chosen for an interval of at least this: near √3 it would annihilate singular values close to 1. */
const SMALLEST_INTERVAL = 0.1;
const EPSILON = { f32: 2 ** -23, f64: Number.EPSILON } as const;
/** An error that no longer falls is rounding if it is below this; a direction that is missing leaves 1/n or more. */
const ROUNDING = { f32: 1e-4, f64: 1e-10 } as const;

/** Orthogonal to float64 rounding in both precisions; with `f32`, the polar factor of G only to float32 rounding. */
export function polar(G: Matrix64, kernels: Kernels, precision: Precision = 'f64'): Matrix64 {
  const largest = largestEntry(G);
  if (largest === 0) return polarBySvd(G, kernels);
  const start =
    (precision === 'f32' && newtonSchulz(scaled(G, largest, 'f32'), kernels, 'f32')) || scaled(G, largest, 'f64');
  return newtonSchulz(toFloat64(start), kernels, 'f64') ?? polarBySvd(G, kernels);
}

/** Orthogonal, and the polar factor of G, only to float32 rounding: for atoms whose codes are computed in float32. */
export function roughPolar(G: Matrix64, kernels: Kernels): Matrix64 {
  const largest = largestEntry(G);
  const rough = largest > 0 ? newtonSchulz(scaled(G, largest, 'f32'), kernels, 'f32') : undefined;
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

/** G/largest */
function scaled({ rows, cols, data }: Matrix64, largest: number, precision: Precision): Matrix {
  const out = precision === 'f32' ? new Float32Array(data.length) : new Float64Array(data.length);
  for (let i = 0; i < data.length; i++) out[i] = data[i] / largest;
  return { rows, cols, data: out };
}

/** max |XᵀX − I| */
export function orthogonalityError(X: Matrix64, kernels: Kernels): number {
  return distanceFromIdentity(kernels.multiply(X, X, 'nt'));
}

/** Iterates until ‖XᵀX − I‖_max is at rounding level. */
function newtonSchulz<M extends Matrix>(start: M, kernels: Kernels, precision: Precision): M | undefined {
  const n = start.rows;
  const tolerance = 8 * EPSILON[precision] * Math.sqrt(n);
  let X = start;
  let gram = kernels.multiply(X, X, 'tn');
  let error = distanceFromIdentity(gram);
  let l = 1;
  let alpha = 1;
  if (error >= NEARLY_ORTHOGONAL) {
    const { smallest, largest } = spectrumEnds(gram, LANCZOS_STEPS);
    const top = Math.sqrt(SAFETY * largest);
    const ratio = Math.sqrt(Math.max(smallest, 0)) / top;
    l = Math.max(ratio < BROAD ? ratio * Math.min(1, LANCZOS_STEPS / n) : ratio, LEAST);
    alpha = scaleFor(l) / top;
  }
  for (let step = 0; step < MAX_STEPS; step++) {
    if (error <= tolerance) return X;
    X = kernels.multiply(X, cubicIsBetter(error, tolerance) ? cubicFactor(gram, kernels) : halfStep(gram, alpha));
    gram = kernels.multiply(X, X, 'tn');
    const previous = error;
    error = distanceFromIdentity(gram);
    if (error > 0.5 * previous && error < ROUNDING[precision]) return X; // no better than that
    const a = scaleFor(l);
    l = Math.max(Math.min(cubic(a * l), cubic(a), Math.sqrt(Math.max(1 - error, 0))), LEAST);
    alpha = error < NEARLY_ORTHOGONAL ? 1 : scaleFor(l);
  }
  return undefined;
}

/** Within this distance from orthogonality, plain steps (α = 1) converge quadratically. */
const NEARLY_ORTHOGONAL = 0.5;

/** The next error would be ¾e², or ⅝e³ with one more product. */
const cubicIsBetter = (e: number, tolerance: number): boolean =>
  0.75 * e ** 2 > tolerance && 0.625 * e ** 3 <= tolerance;

/** (15 I − 10 S + 3 S²)/8, overwriting S. */
function cubicFactor<M extends Matrix>(S: M, kernels: Kernels): M {
  const square = kernels.multiply(S, S, 'tn');
  const { data, rows } = S;
  for (let i = 0; i < data.length; i++) data[i] = 0.375 * square.data[i] - 1.25 * data[i];
  for (let i = 0; i < rows; i++) data[i * rows + i] += 1.875;
  return S;
}

/** 3/2 α I − 1/2 α³ XᵀX, overwriting XᵀX. */
function halfStep<M extends Matrix>(gram: M, alpha: number): M {
  const { data, rows } = gram;
  const factor = -0.5 * alpha ** 3;
  for (let i = 0; i < data.length; i++) data[i] *= factor;
  for (let i = 0; i < rows; i++) data[i * rows + i] += 1.5 * alpha;
  return gram;
}

const scaleFor = (l: number): number => {
  const interval = Math.max(Math.min(l, 1), SMALLEST_INTERVAL);
  return Math.sqrt(3 / (1 + interval + interval * interval));
};

const cubic = (x: number): number => 1.5 * x - 0.5 * x ** 3;

function distanceFromIdentity({ data, rows }: Matrix): number {
  let max = 0;
  for (let i = 0; i < rows; i++) {
    const row = i * rows;
    for (let j = 0; j < i; j++) {
      const size = Math.abs(data[row + j]); // XᵀX is symmetric
      if (size > max) max = size;
    }
    max = Math.max(max, Math.abs(data[row + i] - 1));
  }
  return max;
}

function polarBySvd(G: Matrix64, kernels: Kernels): Matrix64 {
  const { left, right } = svd(G);
  return kernels.multiply(left, right, 'tn');
}
