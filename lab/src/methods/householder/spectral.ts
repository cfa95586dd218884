/**
 * The spectral method of Rusu, González-Prelcic & Heath, "Fast orthonormal sparsifying transforms based on Householder
 * reflectors" (2016), which Dash & Siripuram compare with. With T_s(P) the s largest entries of every column of P,
 *
 *     Y = U Σ Wᵀ,  X ← T_s(UᵀY),  H_1 = … = H_m = I                                              its own start
 *     30 times:  for k = m … 1:  R = X̃ Ỹᵀ,  X̃ = H_{k+1} … H_m X,  Ỹ = H_{k−1} … H_1 Y
 *                                u_k = eigenvector of the lowest eigenvalue of R + Rᵀ, or 0 (H_k = I) if that is ≥ 0
 *                X ← T_s(H_m … H_1 Y)
 *
 * Each step minimises ‖Ỹ − H_k X̃‖_F, since its square is const + 2uᵀ(R + Rᵀ)u. Start, order of the steps, rule and
 * number of iterations are those of the program that its authors publish (EFFICIENT-TRANSFORM, h_dla). Two things are
 * open where p < n, which that program does not take: U is completed to an orthogonal matrix, and its columns get the
 * signs for which the codes have a positive sum. Other starts: H = I and X = T_s(Y), or given reflectors.
 *
 * All of an iteration happens in the span of X, Y and the u, with R of 2p + m rows instead of n where that is fewer;
 * R follows X̃ and Ỹ by reflections, and Lanczos' method finds the eigenvector.
 */
import type { Matrix } from 'orthodict';
import {
  copy,
  createRandom,
  dot,
  eigh,
  type Kernels,
  type Matrix64,
  qr,
  reflect,
  reflectBack,
  row,
  rowRange,
  select,
  selectRows,
  stackRows,
  toFloat64,
  transpose,
  zeros,
} from 'orthodict/extend';
import { type LowestEigen, lowestEigen } from './lowest-eigen.ts';

/** Options of `spectralReflectors`. */
export interface SpectralOptions {
  /** Number of reflectors, m. */
  readonly reflectors: number;
  /** Codes kept in a sample, s ≈ θn. */
  readonly codes: number;
  /** Where to start. `svd`: the method's own start. A matrix of unit rows: the first reflectors, at most m; the others start as I. */
  readonly start?: 'svd' | 'identity' | Matrix64;
  /** The codes X, p×n, if they are known; then only the reflectors are learned. */
  readonly knownCodes?: Matrix64;
  /** Largest number of iterations. */
  readonly maxIterations?: number;
  /** Stop when an iteration lowers ‖Y − V X‖² by no more than this, relatively. */
  readonly tolerance?: number;
}

/** What `spectralReflectors` finds. */
export interface SpectralResult {
  /** Unit rows of the reflectors that are not I. */
  readonly reflectors: Matrix64;
  readonly iterations: number;
  /** Products of R + Rᵀ with a vector. */
  readonly products: number;
  /** ‖Y − V X‖_F / ‖Y‖_F. */
  readonly residual: number;
}

/** Learns reflectors by eigenvectors, alternating with the codes. */
export function spectralReflectors(samples: Matrix, options: SpectralOptions, kernels: Kernels): SpectralResult {
  const { codes: keep, knownCodes, start = 'svd', maxIterations = 30, tolerance = 1e-6 } = options;
  const Y = toFloat64(samples);
  const energy = sumOfSquares(Y.data);
  const U = zeros(options.reflectors, Y.cols);
  if (typeof start !== 'string') U.data.set(start.data);
  let X = knownCodes ?? sparse(start === 'svd' ? singularCodes(Y, kernels) : reflected(Y, U), keep);
  let [iterations, products, last] = [0, 0, Number.POSITIVE_INFINITY];
  while (iterations < maxIterations) {
    products += sweep(U, Y, X, kernels);
    iterations++;
    const P = reflected(Y, U);
    X = knownCodes ?? sparse(P, keep);
    const error = sumOfSquares(P.data.map((value, at) => value - X.data[at])) / energy;
    const settled = error >= (1 - tolerance) * last;
    last = error;
    if (settled) break;
  }
  const used = Array.from({ length: U.rows }, (_, k) => k).filter((k) => row(U, k).some((value) => value !== 0));
  return { reflectors: selectRows(U, used), iterations, products, residual: Math.sqrt(last) };
}

/** The codes in the left singular vectors, UᵀY = Σ Wᵀ, with zeros where p < n leaves U open. */
function singularCodes(Y: Matrix64, kernels: Kernels): Matrix64 {
  const { rows: p, cols: n } = Y;
  const X = zeros(p, n);
  if (p < n) {
    const { values, vectors } = eigh(kernels.multiply(Y, Y, 'nt'), kernels); // W Σ² Wᵀ
    for (let k = 0; k < p; k++) {
      for (let j = 0; j < p; j++) X.data[j * n + k] = Math.sqrt(Math.max(values[k], 0)) * vectors.data[k * p + j];
    }
  } else {
    const { vectors } = eigh(kernels.multiply(Y, Y, 'tn'), kernels); // U Σ² Uᵀ
    X.data.set(kernels.multiply(Y, vectors, 'nt').data);
  }
  for (let k = 0; k < n; k++) {
    let sum = 0;
    for (let j = 0; j < p; j++) sum += X.data[j * n + k];
    if (sum < 0) for (let j = 0; j < p; j++) X.data[j * n + k] *= -1;
  }
  return X;
}

/** Updates every reflector once, H_m first; a row of U that is zero is H = I. Returns the products made. */
function sweep(U: Matrix64, Y: Matrix64, X: Matrix64, kernels: Kernels): number {
  const [p, m] = [Y.rows, U.rows];
  const { inside, outside } = coordinates(stackRows(stackRows(X, Y), U), kernels);
  const u = rowRange(inside, 2 * p, 2 * p + m);
  const R = kernels.multiply(rowRange(inside, 0, p), rowRange(inside, p, 2 * p), 'tn'); // X Yᵀ, features as rows
  for (let k = 0; k < m - 1; k++) reflectRows(R, row(u, k)); // Ỹ of step m
  let products = 0;
  for (let k = m - 1; k >= 0; k--) {
    const lowest = lowestOf(R);
    products += lowest.products;
    row(u, k).fill(0);
    if (lowest.value < 0) row(u, k).set(lowest.vector);
    reflectColumns(R, row(u, k)); // X̃ gets the new H_k
    if (k > 0) reflectRows(R, row(u, k - 1)); // Ỹ loses the old H_{k−1}
  }
  U.data.set(outside(u).data);
  return products;
}

/** Vectors (rows) in an orthonormal basis of their span if they are fewer than their length. */
function coordinates(vectors: Matrix64, kernels: Kernels) {
  if (vectors.rows >= vectors.cols) return { inside: copy(vectors), outside: (rows: Matrix64) => rows };
  const { q, r } = qr(transpose(vectors));
  return { inside: transpose(r), outside: (rows: Matrix64) => kernels.multiply(rows, q, 'nt') };
}

/** Lowest eigenvalue of R + Rᵀ; 0 if rounding makes it negative. */
function lowestOf(R: Matrix64): LowestEigen {
  const size = R.rows;
  const S = zeros(size, size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) S.data[i * size + j] = R.data[i * size + j] + R.data[j * size + i];
  }
  const multiply = (v: Float64Array) => {
    const image = new Float64Array(size);
    for (let i = 0; i < size; i++) image[i] = dot(row(S, i), v);
    return image;
  };
  const random = createRandom(1, 'start of Lanczos');
  const lowest = lowestEigen(multiply, Float64Array.from({ length: size }, random.normal), 1e-7);
  const rounding = size * Number.EPSILON * Math.sqrt(sumOfSquares(S.data));
  return lowest.value < -rounding ? lowest : { ...lowest, value: 0 };
}

/** R ← R (I − 2uuᵀ). */
function reflectRows(R: Matrix64, u: Float64Array): void {
  for (let i = 0; i < R.rows; i++) reflect(row(R, i), u);
}

/** R ← (I − 2uuᵀ) R. */
function reflectColumns({ rows, cols, data }: Matrix64, u: Float64Array): void {
  const image = new Float64Array(cols); // uᵀR
  for (let i = 0, at = 0; i < rows; i++) for (let j = 0; j < cols; j++, at++) image[j] += u[i] * data[at];
  for (let i = 0, at = 0; i < rows; i++) for (let j = 0; j < cols; j++, at++) data[at] -= 2 * u[i] * image[j];
}

/** Computes Vᵀ y for every sample. */
function reflected(Y: Matrix64, U: Matrix64): Matrix64 {
  const P = copy(Y);
  for (let j = 0; j < P.rows; j++) reflectBack(U, row(P, j));
  return P;
}

/** T_s: keeps the s largest entries of every sample. */
function sparse(P: Matrix64, keep: number): Matrix64 {
  const X = copy(P);
  select(X, { keep });
  return X;
}

function sumOfSquares(values: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at] ** 2;
  return sum;
}
