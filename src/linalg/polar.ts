/**
 * The orthogonal polar factor: for G = U Σ Vᵀ, polar(G) = U Vᵀ, the orthogonal matrix nearest to G.
 *
 * Scaled Newton-Schulz (Chen & Chow 2014), matrix products only: with singular values in [l, 1],
 *
 *     X ← 3/2 αX − 1/2 (αX)(αX)ᵀ(αX),   α² = 3/(1 + l + l²),   l ← 3/2 αl − 1/2 (αl)³
 *
 * which is the best cubic for that interval: small singular values grow 2.5-fold a step, and the last steps are quadratic.
 * The interval comes from a short Lanczos run on Gᵀ G. The result is verified by ‖XᵀX − I‖_max, which each step computes
 * anyway; where it does not converge (rank-deficient G) the singular value decomposition decides.
 */
import type { Kernels } from '../kernels/kernels.ts';
import { copy, type Matrix64 } from '../matrix.ts';
import { eigh } from './eigh.ts';
import { svd } from './svd.ts';

const MAX_STEPS = 50;
const LANCZOS_STEPS = 24;
/** Upper bound over the Ritz value, so that no singular value exceeds 1 and changes its sign. */
const SAFETY = 1.1;
/** α is chosen for an interval not below this: near √3 it would annihilate singular values close to 1. */
const SMALLEST_INTERVAL = 0.05;

export function polar(G: Matrix64, kernels: Kernels): Matrix64 {
  const largest = G.data.reduce((max, x) => Math.max(max, Math.abs(x)), 0);
  if (!Number.isFinite(largest)) throw new Error('polar: the matrix must be finite.');
  if (largest === 0) return polarBySvd(G, kernels);
  const X = copy(G);
  for (let i = 0; i < X.data.length; i++) X.data[i] /= largest;
  return newtonSchulz(X, kernels) ?? polarBySvd(G, kernels);
}

/** max |XᵀX − I| */
export function orthogonalityError(X: Matrix64, kernels: Kernels): number {
  return distanceFromIdentity(kernels.multiply(X, X, 'nt'));
}

function newtonSchulz(start: Matrix64, kernels: Kernels): Matrix64 | undefined {
  const n = start.rows;
  const tolerance = 8 * Number.EPSILON * Math.sqrt(n);
  let X = start;
  let gram = kernels.multiply(X, X, 'tn');
  const { smallest, largest } = extremeEigenvalues(gram);
  const top = Math.sqrt(SAFETY * largest);
  let l = Math.sqrt(Math.max(smallest, 0)) / top;
  let alpha = scaleFor(l) / top;
  let error = Number.POSITIVE_INFINITY;
  for (let step = 0; step < MAX_STEPS; step++) {
    // X (3/2 α I − 1/2 α³ XᵀX)
    const factor = gram.data;
    for (let i = 0; i < factor.length; i++) factor[i] *= -0.5 * alpha ** 3;
    for (let i = 0; i < n; i++) factor[i * n + i] += 1.5 * alpha;
    X = kernels.multiply(X, gram);
    gram = kernels.multiply(X, X, 'tn');
    const previous = error;
    error = distanceFromIdentity(gram);
    if (error <= tolerance) return X;
    if (error > 0.5 * previous && error < 1e-12 * n) return X; // rounding level reached
    const a = scaleFor(l);
    l = Math.min(cubic(a * l), cubic(a));
    alpha = error < 0.5 ? 1 : scaleFor(l);
  }
  return undefined;
}

const scaleFor = (l: number): number => {
  const interval = Math.max(Math.min(l, 1), SMALLEST_INTERVAL);
  return Math.sqrt(3 / (1 + interval + interval * interval));
};

const cubic = (x: number): number => 1.5 * x - 0.5 * x ** 3;

function distanceFromIdentity({ data, rows }: Matrix64): number {
  let max = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < rows; j++) max = Math.max(max, Math.abs(data[i * rows + j] - (i === j ? 1 : 0)));
  }
  return max;
}

function polarBySvd(G: Matrix64, kernels: Kernels): Matrix64 {
  const { left, right } = svd(G);
  return kernels.multiply(left, right, 'tn');
}

/** Ritz values of a short Lanczos run with full reorthogonalisation: good estimates of both ends of the spectrum. */
function extremeEigenvalues(S: Matrix64): { smallest: number; largest: number } {
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
      v = freshDirection(n, basis); // the basis is invariant and may hide the largest eigenvalue: go on outside it
    }
  }
  const { values } = eigh({ rows: steps, cols: steps, data: T });
  return { smallest: values[steps - 1], largest: values[0] };
}

/** A unit vector without structure, the golden-ratio sequence centred, orthogonal to the basis. */
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

function multiplyVector({ data, cols }: Matrix64, v: Float64Array): Float64Array {
  const out = new Float64Array(cols);
  for (let i = 0; i < cols; i++) {
    let sum = 0;
    for (let j = 0; j < cols; j++) sum += data[i * cols + j] * v[j];
    out[i] = sum;
  }
  return out;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function subtract(a: Float64Array, factor: number, b: Float64Array): void {
  for (let i = 0; i < a.length; i++) a[i] -= factor * b[i];
}

function normalise(v: Float64Array): number {
  const norm = Math.sqrt(dot(v, v));
  if (norm > 0) for (let i = 0; i < v.length; i++) v[i] /= norm;
  return norm;
}
