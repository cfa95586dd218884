/**
 * The iterative spectral method of Rusu, González-Prelcic & Heath (2016), for comparison with the moments: alternate
 *
 *     X ← the s largest codes of every sample, Vᵀy
 *     for k = 1 … m:  Ỹ = H_{k−1} … H_1 Y,  X̃ = H_{k+1} … H_m X,  R = X̃ Ỹᵀ
 *                     u_k = eigenvector of the smallest eigenvalue of R + Rᵀ, or none (H_k = I) if that is not below 0
 *
 * which minimises ‖Ỹ − H_k X̃‖_F, since that is const + 2uᵀ(R + Rᵀ)u. With features as rows R has rank at most p: with
 * B = [X̃ Ỹ] = Q T (n×2p) the eigenvectors are Q times those of T J Tᵀ, J swapping the halves, so no n×n matrix is
 * formed if 2p < n.
 */
import {
  copy,
  type Matrix,
  type Matrix64,
  row,
  selectRows,
  stackRows,
  toFloat64,
  transpose,
  zeros,
} from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { eigh } from '../../linalg/eigh.ts';
import { qr } from '../../linalg/qr.ts';
import { reflect, reflectBack } from '../../linalg/reflectors.ts';
import { select } from '../../passes/select-codes.ts';
import { unit } from './moments.ts';

export interface SpectralOptions {
  /** m. */
  readonly reflectors: number;
  /** Codes kept in a sample, s ≈ θn. */
  readonly codes: number;
  readonly maxIterations?: number;
  /** Stop when an iteration lowers ‖Y − V X‖² by no more than this, relatively. */
  readonly tolerance?: number;
  /** Unit rows for the first reflectors, at most m; the others start as I. */
  readonly start?: Matrix64;
}

export interface SpectralResult {
  /** Unit rows of the reflectors that were not skipped. */
  readonly reflectors: Matrix64;
  readonly iterations: number;
  /** ‖Y − V X‖_F / ‖Y‖_F. */
  readonly residual: number;
}

export function spectralReflectors(samples: Matrix, options: SpectralOptions, kernels: Kernels): SpectralResult {
  const { reflectors: m, codes, maxIterations = 50, tolerance = 1e-6, start } = options;
  const Y = toFloat64(samples);
  const energy = sumOfSquares(Y);
  const found: (Float64Array | undefined)[] = Array.from({ length: m }, (_, k) =>
    start && k < start.rows ? row(start, k).slice() : undefined,
  );
  let last = Number.POSITIVE_INFINITY;
  let iterations = 0;
  for (; iterations < maxIterations; iterations++) {
    const X = copy(Y);
    for (const u of found) reflectAll(X, u);
    const rest = sumOfSquares(X);
    select(X, { keep: codes });
    const error = (rest - sumOfSquares(X)) / energy;
    if (error >= (1 - tolerance) * last) break;
    last = error;
    sweep(found, copy(Y), X, kernels);
  }
  const used = found.filter((u) => u !== undefined);
  const reflectors = zeros(used.length, Y.cols);
  used.forEach((u, k) => {
    reflectors.data.set(u, k * Y.cols);
  });
  return { reflectors, iterations, residual: residualOf(Y, reflectors, codes, energy) };
}

/** One reflector after the other; overwrites Y, X (p×n). */
function sweep(found: (Float64Array | undefined)[], Y: Matrix64, X: Matrix64, kernels: Kernels): void {
  for (let k = found.length - 1; k > 0; k--) reflectAll(X, found[k]); // X̃ of step 1
  for (let k = 0; k < found.length; k++) {
    if (k > 0) reflectAll(X, found[k]); // undoes H_k, which X̃ of the step before contained
    found[k] = smallestEigenvector(X, Y, kernels);
    reflectAll(Y, found[k]);
  }
}

/** Unit eigenvector of X̃ Ỹᵀ + Ỹ X̃ᵀ (samples as rows: X̃ᵀỸ + ỸᵀX̃) for its smallest eigenvalue, if that is below 0. */
function smallestEigenvector(X: Matrix64, Y: Matrix64, kernels: Kernels): Float64Array | undefined {
  const { rows: p, cols: n } = X;
  const small = 2 * p < n;
  const basis = small ? qr(transpose(stackRows(X, Y))) : undefined;
  const [left, right] = basis
    ? [columns(basis.r, 0, p), columns(basis.r, p, 2 * p)] // T = [T_X T_Y]
    : [transpose(X), transpose(Y)];
  const R = kernels.multiply(left, right, 'nt');
  const size = R.rows;
  const symmetric = zeros(size, size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < size; j++) symmetric.data[i * size + j] = R.data[i * size + j] + R.data[j * size + i];
  }
  const { values, vectors } = eigh(symmetric);
  if (!(values[size - 1] < -size * Number.EPSILON * values[0])) return undefined;
  const vector = selectRows(vectors, [size - 1]);
  return unit(basis ? kernels.multiply(vector, basis.q, 'nt').data : vector.data);
}

function columns(matrix: Matrix64, from: number, to: number): Matrix64 {
  const part = zeros(matrix.rows, to - from);
  for (let i = 0; i < matrix.rows; i++) part.data.set(row(matrix, i).subarray(from, to), i * part.cols);
  return part;
}

function reflectAll(samples: Matrix64, u: Float64Array | undefined): void {
  if (u) for (let j = 0; j < samples.rows; j++) reflect(row(samples, j), u);
}

function residualOf(Y: Matrix64, reflectors: Matrix64, codes: number, energy: number): number {
  const X = copy(Y);
  for (let j = 0; j < X.rows; j++) reflectBack(reflectors, row(X, j));
  select(X, { keep: codes });
  return Math.sqrt(Math.max(0, 1 - sumOfSquares(X) / energy));
}

function sumOfSquares({ data }: Matrix64): number {
  let sum = 0;
  for (let at = 0; at < data.length; at++) sum += data[at] ** 2;
  return sum;
}
