/**
 * Working coordinates z = W y, in which the wanted dictionary is an orthogonal K×K matrix A. With C = Yᵀ Y/p = Vᵀ Λ V
 * (eigenvectors as rows of V):
 *
 *     whiten none, full rank     W = I
 *     whiten none, K < n         W = V_K, the K principal directions; S = W
 *     whiten zca,  full rank     W = C^(−1/2); S = C^(1/2)
 *     whiten zca,  K < n         W = Λ_K^(−1/2) V_K; S = Λ_K^(1/2) V_K
 *
 * S maps atoms back: the dictionary's rows are A S, its encoder is A W. Without whitening, data of rank r < n is
 * learned in its r principal directions; the directions without energy complete the basis.
 */
import { inputError } from '../core/errors.ts';
import { type Matrix64, scaleRows } from '../core/matrix.ts';
import type { Kernels, SymmetricEigen } from '../kernels/kernels.ts';
import { eigenvalues, eigh, symmetricPower } from '../linalg/eigh.ts';

export type Whitening = 'none' | 'zca';

/** The coordinates z = W y in which the atoms are orthogonal. */
export interface Coordinates {
  readonly size: number;
  /** W, K×n; absent: the identity. */
  readonly analysis?: Matrix64;
  /** S, K×n; absent: the identity. */
  readonly synthesis?: Matrix64;
  /** Zᵀ Z over all samples, K×K. */
  readonly gram: Matrix64;
  /** Largest over smallest eigenvalue of Zᵀ Z: 1 for white data. */
  readonly spread: number;
  /** Directions in which the data has no energy; they complete an orthogonal basis of the feature space. */
  readonly silent?: Matrix64;
}

/** Eigenvalues below this fraction of the largest are rounding, not data. */
const NEGLIGIBLE = 1e-12;

/** Data counts as white up to this spread, which the sampling error of white data does not reach. */
const WHITE_SPREAD = 5;

export function isWhite({ spread }: Coordinates): boolean {
  return spread <= WHITE_SPREAD;
}

export interface CoordinatesRequest {
  readonly gram: Matrix64;
  readonly samples: number;
  readonly whiten: Whitening;
  readonly components?: number | undefined;
  /** W = I for any rank. */
  readonly raw?: boolean | undefined;
}

export function chooseCoordinates(
  { gram, samples, whiten, components: wanted, raw }: CoordinatesRequest,
  kernels: Kernels,
): Coordinates {
  const n = gram.rows;
  const components = raw ? undefined : wanted;
  const values = eigenvalues(gram);
  const rank = values.filter((value) => value > NEGLIGIBLE * values[0]).length;
  if (components !== undefined && components > rank) {
    throw inputError('learn', 'components', `at most ${rank}, the rank of the data`, components);
  }
  if (components === undefined && samples < n) {
    throw inputError(
      'learn',
      'samples',
      `at least as many as features (${n})`,
      `${samples}; components of ${rank} or fewer would learn that many atoms`,
    );
  }
  const size = components ?? rank;
  const spread = values[0] / values[size - 1];
  if (raw) return { size: n, gram, spread };
  if (whiten === 'none' && size === n) return { size, gram, spread };
  const eigen = eigh(gram, kernels);
  const top = firstVectors(eigen, size);
  if (whiten === 'none') {
    const silent = components === undefined ? { silent: restVectors(eigen, size) } : {};
    return { size, analysis: top.vectors, synthesis: top.vectors, gram: diagonal(top.values), spread, ...silent };
  }
  const variances = { values: top.values.map((value) => value / samples), vectors: top.vectors };
  const power = (exponent: number) =>
    size === n
      ? symmetricPower(variances, exponent)
      : scaleRows(
          top.vectors,
          variances.values.map((v) => v ** exponent),
        );
  const analysis = power(-0.5);
  const white = kernels.multiply(kernels.multiply(analysis, gram), analysis, 'nt');
  return { size, analysis, synthesis: power(0.5), gram: white, spread: 1 };
}

function firstVectors({ values, vectors }: SymmetricEigen, count: number): SymmetricEigen {
  const n = vectors.cols;
  return { values: values.slice(0, count), vectors: { rows: count, cols: n, data: vectors.data.slice(0, count * n) } };
}

function restVectors({ vectors }: SymmetricEigen, from: number): Matrix64 {
  const n = vectors.cols;
  return { rows: n - from, cols: n, data: vectors.data.slice(from * n) };
}

function diagonal(values: Float64Array): Matrix64 {
  const n = values.length;
  const data = new Float64Array(n * n);
  for (let i = 0; i < n; i++) data[i * n + i] = values[i];
  return { rows: n, cols: n, data };
}
