/**
 * The orthogonal polar factor: for G = U Σ Vᵀ, polar(G) = U Vᵀ, the orthogonal matrix nearest to G.
 *
 * Scaled Newton-Schulz (Chen & Chow 2014), matrix products only: with singular values in [l, 1],
 *
 *     X ← 3/2 αX − 1/2 (αX)(αX)ᵀ(αX),   α² = 3/(1 + l + l²),   l ← 3/2 αl − 1/2 (αl)³
 *
 * the best cubic for that interval: small singular values grow 2.5-fold per step, and the last steps converge
 * quadratically. The interval comes from a short Lanczos run on Gᵀ G, which may miss the smallest eigenvalue; the bound
 * l² ≤ 1 − ‖XᵀX − I‖_max corrects it. ‖XᵀX − I‖_max, which each step computes anyway, also verifies the result; if it
 * does not converge (rank-deficient G), the singular value decomposition takes over.
 */
import { dot, type Matrix, type Matrix64, type Precision, toFloat32, toFloat64 } from '../core/matrix.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { eigenvalues } from './eigh.ts';
import { svd } from './svd.ts';

const MAX_STEPS = 80;
const LANCZOS_STEPS = 16;
/** Upper bound relative to the Ritz value, so that no singular value exceeds 1 and changes sign. */
const SAFETY = 1.1;
/** Floor for l, at rounding level: with l = 0 the interval would never grow. */
const LEAST = 2 ** -56;
/** α is chosen for an interval of at least this: near √3 it would annihilate singular values close to 1. */
const SMALLEST_INTERVAL = 0.1;
/** Error at which float32 steps hand over to float64: two more steps then reach full precision. */
const FLOAT32_ENDS = 1e-4;

/** Orthogonal to float64 rounding in both precisions; with `f32`, the polar factor of G only to float32 rounding. */
export function polar(G: Matrix64, kernels: Kernels, precision: Precision = 'f64'): Matrix64 {
  let largest = 0;
  for (let i = 0; i < G.data.length; i++) {
    const size = Math.abs(G.data[i]);
    if (!(size <= Number.MAX_VALUE)) throw new Error('polar: the matrix must be finite.');
    if (size > largest) largest = size;
  }
  if (largest === 0) return polarBySvd(G, kernels);
  const X = { rows: G.rows, cols: G.cols, data: G.data.map((x) => x / largest) };
  const rough = precision === 'f32' ? newtonSchulz<Matrix>(toFloat32(X), kernels, FLOAT32_ENDS) : undefined;
  return newtonSchulz(rough ? toFloat64(rough) : X, kernels, roundingOf(G.rows)) ?? polarBySvd(G, kernels);
}

const roundingOf = (n: number): number => 8 * Number.EPSILON * Math.sqrt(n);

/** max |XᵀX − I| */
export function orthogonalityError(X: Matrix64, kernels: Kernels): number {
  return distanceFromIdentity(kernels.multiply(X, X, 'nt'));
}

/** Iterates until ‖XᵀX − I‖_max ≤ tolerance. */
function newtonSchulz<M extends Matrix>(start: M, kernels: Kernels, tolerance: number): M | undefined {
  const n = start.rows;
  let X = start;
  let gram = kernels.multiply(X, X, 'tn');
  let error = distanceFromIdentity(gram);
  let l = 1;
  let alpha = 1;
  if (error >= NEARLY_ORTHOGONAL) {
    const { smallest, largest } = extremeEigenvalues(gram);
    const top = Math.sqrt(SAFETY * largest);
    l = Math.max(Math.sqrt(Math.max(smallest, 0)) / top, LEAST);
    alpha = scaleFor(l) / top;
  }
  for (let step = 0; step < MAX_STEPS; step++) {
    if (error <= tolerance) return X;
    X = kernels.multiply(X, halfStep(gram, alpha));
    gram = kernels.multiply(X, X, 'tn');
    const previous = error;
    error = distanceFromIdentity(gram);
    if (error > 0.5 * previous && error < 1e-12 * n) return X; // rounding level reached
    const a = scaleFor(l);
    l = Math.max(Math.min(cubic(a * l), cubic(a), Math.sqrt(Math.max(1 - error, 0))), LEAST);
    alpha = error < NEARLY_ORTHOGONAL ? 1 : scaleFor(l);
  }
  return undefined;
}

/** Within this distance from orthogonality, plain steps (α = 1) converge quadratically. */
const NEARLY_ORTHOGONAL = 0.5;

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

/** Ritz values of a short Lanczos run with full reorthogonalisation: good estimates of both ends of the spectrum. */
function extremeEigenvalues(S: Matrix): { smallest: number; largest: number } {
  const n = S.rows;
  const steps = Math.min(n, LANCZOS_STEPS);
  const basis: Float64Array[] = [];
  const T = new Float64Array(steps * steps);
  let v = freshDirection(n, basis);
  let count = 0;
  while (count < steps) {
    basis.push(v);
    const w = multiplyVector(S, v);
    T[count * steps + count] = dot(w, v);
    for (let pass = 0; pass < 2; pass++) for (const q of basis) subtract(w, dot(w, q), q);
    const beta = normalise(w);
    count++;
    if (count === steps) break;
    if (beta > 1e-14) {
      T[(count - 1) * steps + count] = beta;
      T[count * steps + count - 1] = beta;
      v = w;
    } else {
      v = freshDirection(n, basis); // the basis is invariant and may miss the largest eigenvalue: continue outside it
    }
  }
  const values = eigenvalues({ rows: steps, cols: steps, data: T });
  return { smallest: values[steps - 1], largest: values[0] };
}

/** A unit vector orthogonal to the basis, from the centred golden-ratio sequence, which has no structure. */
function freshDirection(n: number, basis: readonly Float64Array[]): Float64Array {
  const phase = 0.37 + 0.7548776662466927 * basis.length;
  const v = Float64Array.from({ length: n }, (_, i) => ((i * 0.6180339887498949 + phase) % 1) - 0.5 + 1e-3);
  normalise(v);
  for (let pass = 0; pass < 2; pass++) {
    for (const q of basis) subtract(v, dot(v, q), q);
    normalise(v);
  }
  return v;
}

function multiplyVector({ data, cols }: Matrix, v: Float64Array): Float64Array {
  const out = new Float64Array(cols);
  for (let i = 0; i < cols; i++) {
    const row = i * cols;
    let sum = 0;
    for (let j = 0; j < cols; j++) sum += data[row + j] * v[j];
    out[i] = sum;
  }
  return out;
}

function subtract(a: Float64Array, factor: number, b: Float64Array): void {
  for (let i = 0; i < a.length; i++) a[i] -= factor * b[i];
}

function normalise(v: Float64Array): number {
  const norm = Math.sqrt(dot(v, v));
  if (norm > 0) for (let i = 0; i < v.length; i++) v[i] /= norm;
  return norm;
}
