/**
 * The largest eigenvalues of a symmetric operator S known only by its products (Halko, Martinsson & Tropp 2011):
 *
 *     Q ← orth(S Ω),   Q ← orth(S Q) a few times,   Qᵀ S Q = Rᵀ diag(λ) R  small,   eigenvectors: rows of R Qᵀ
 *
 * It finds the eigenvalues of largest magnitude and returns those of largest value.
 */
import { type Matrix64, selectRows } from '../core/matrix.ts';
import { normalMatrix, type Random } from '../core/random.ts';
import type { Kernels } from '../kernels/kernels.ts';
import { eigh } from './eigh.ts';
import { qr } from './qr.ts';

/** The largest eigenvalues and their eigenvectors. */
export interface TopEigen {
  /** Eigenvalues, descending. */
  readonly values: Float64Array;
  /** Eigenvectors as orthonormal rows, count×n. */
  readonly vectors: Matrix64;
}

const OVERSAMPLING = 10;
const POWER_ITERATIONS = 6;

/** Finds the largest eigenvalues of S. `multiply(X)` returns S X for n×m matrices X. */
export function topEigen(
  multiply: (X: Matrix64) => Matrix64,
  n: number,
  count: number,
  random: Random,
  kernels: Kernels,
): TopEigen {
  const width = Math.min(n, count + OVERSAMPLING);
  let Q = qr(multiply(normalMatrix(n, width, random))).q;
  for (let step = 0; step < POWER_ITERATIONS && width < n; step++) Q = qr(multiply(Q)).q;
  const small = kernels.multiply(Q, multiply(Q), 'tn');
  for (let i = 0; i < width; i++) {
    for (let j = 0; j < i; j++) {
      const mean = (small.data[i * width + j] + small.data[j * width + i]) / 2;
      small.data[i * width + j] = mean;
      small.data[j * width + i] = mean;
    }
  }
  const { values, vectors } = eigh(small, kernels);
  const first = Array.from({ length: Math.min(count, width) }, (_, k) => k);
  return { values: values.slice(0, count), vectors: kernels.multiply(selectRows(vectors, first), Q, 'nt') };
}
