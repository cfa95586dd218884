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
import type { Pause } from '../core/breathe.ts';
import { inputError } from '../core/errors.ts';
import { inner, type Matrix64, scaleRows, trace, transpose } from '../core/matrix.ts';
import type { Kernels, SymmetricEigen } from '../kernels/kernels.ts';
import { eigenvaluesWithPauses, eighWithPauses, symmetricPower } from '../linalg/eigh.ts';
import { qr } from '../linalg/qr.ts';

export type Whitening = 'none' | 'zca';

/** The coordinates z = W y in which the atoms are orthogonal. */
export interface Coordinates extends Spreads {
  readonly size: number;
  /** Whether W whitens: then working coordinates have no units. */
  readonly whitened?: boolean;
  /** W, K×n; absent: the identity. */
  readonly analysis?: Matrix64;
  /** S, K×n; absent: the identity. */
  readonly synthesis?: Matrix64;
  /** Zᵀ Z over all samples, K×K. */
  readonly gram: Matrix64;
  /** Directions in which the data has no energy; they complete an orthogonal basis of the feature space. */
  readonly silent?: Matrix64;
}

/** Eigenvalues below this fraction of the largest are rounding, not data. */
const NEGLIGIBLE = 1e-12;

/** Largest spread of data that counts as white; the sampling error of white data stays below it. */
const WHITE_SPREAD = 5;

export function isWhite({ spread }: Coordinates): boolean {
  return spread <= WHITE_SPREAD;
}

/** Ratios of eigenvalues of Zᵀ Z, or bounds of them: 1 for white data; infinite if W = I for any rank. */
export interface Spreads {
  /** Ratio of the largest to the smallest. */
  readonly spread: number;
  /** Ratio of the first to the third quartile. */
  readonly middle: number;
}

export function spreadsOf(values: Float64Array, size = values.length): Spreads {
  const quartile = (share: number) => values[Math.floor(share * size)];
  return { spread: values[0] / values[size - 1], middle: quartile(0.25) / quartile(0.75) };
}

/**
 * Whether data can be made of independent sparse codes of equal energy, but for few atoms: then a search may succeed where a norm fails.
 * The eigenvalues of normal samples spread by the square of (1 + √y)/(1 − √y), y = K/p (Marchenko and Pastur), sparse codes as those
 * of half as many samples or more; their quartiles do not. Those of pictures, sounds and measurements decay.
 */
export function maySearch({ spread, middle }: Spreads, size: number, samples: number): boolean {
  const root = Math.sqrt(Math.min((2 * size) / samples, 0.5));
  const usual = ((1 + root) / (1 - root)) ** 2;
  return spread <= WHITE_SPREAD * usual || middle <= usual;
}

export interface CoordinatesRequest {
  /** Yᵀ Y of the conditioned samples. */
  readonly gram: Matrix64;
  readonly samples: number;
  readonly whiten: Whitening;
  readonly components?: number | undefined;
  /** Set W = I for any rank. */
  readonly raw?: boolean | undefined;
}

/** Checks before the data is read that it has enough samples and features for the atoms. */
export function requireEnough(
  who: string,
  { rows, cols }: { readonly rows: number; readonly cols: number },
  { components, raw }: Pick<CoordinatesRequest, 'components' | 'raw'>,
): void {
  if (!raw && components !== undefined) {
    if (components > Math.min(rows, cols)) throw tooManyComponents(who, Math.min(rows, cols), components);
    return;
  }
  if (rows >= cols) return;
  const hint = raw ? '' : `; components of ${rows} or fewer would learn that many atoms`;
  throw inputError(who, 'samples', `at least as many as features (${cols})`, `${rows}${hint}`);
}

const tooManyComponents = (who: string, rank: number, components: number) =>
  inputError(who, 'components', `at most ${rank}, the rank of the data`, components);

const rankOf = (values: Float64Array): number => values.filter((value) => value > NEGLIGIBLE * values[0]).length;

export async function chooseCoordinates(
  who: string,
  { gram, samples, whiten, components, raw }: CoordinatesRequest,
  kernels: Kernels,
  pause: Pause,
): Promise<Coordinates> {
  const n = gram.rows;
  const own = whiten === 'none' && (components ?? n) === n;
  if (raw) return { size: n, gram, spread: Number.POSITIVE_INFINITY, middle: Number.POSITIVE_INFINITY };
  const bound = own ? spreadBound(gram, kernels) : Number.POSITIVE_INFINITY;
  if (bound <= WHITE_SPREAD) return { size: n, gram, spread: bound, middle: bound };
  // vectors are not always needed, and in JavaScript cost far more than values
  const wanted = whiten !== 'none' || (components ?? n) < n || kernels.eigen !== undefined;
  const all = wanted ? await eighWithPauses(gram, kernels, pause) : undefined;
  const values = all?.values ?? (await eigenvaluesWithPauses(gram, pause));
  const rank = rankOf(values);
  if ((components ?? 0) > rank) throw tooManyComponents(who, rank, components!);
  const size = components ?? rank;
  const spreads = spreadsOf(values, size);
  if (whiten === 'none' && size === n) return { size, gram, ...spreads };
  const eigen = all ?? (await eighWithPauses(gram, kernels, pause));
  const top = firstVectors(eigen, size);
  if (whiten === 'none') {
    const silent = components === undefined ? { silent: restVectors(eigen, size) } : {};
    return { size, analysis: top.vectors, synthesis: top.vectors, gram: diagonal(top.values), ...spreads, ...silent };
  }
  const variances = { values: top.values.map((value) => value / samples), vectors: top.vectors };
  const power = (exponent: number) =>
    size === n ? symmetricPower(variances, exponent) : scaledVectors(variances, exponent);
  const analysis = power(-0.5);
  const white = kernels.multiply(kernels.multiply(analysis, gram), analysis, 'nt');
  return { size, whitened: true, analysis, synthesis: power(0.5), gram: white, spread: 1, middle: 1 };
}

/**
 * Bounds the spread. Largest over smallest eigenvalue of a positive definite S is at most (1+δ)/(1−δ), δ the largest eigenvalue of
 * E = S/μ − I in magnitude, μ the mean eigenvalue. δ ≤ ‖E²‖_F^(1/2) ≤ ‖E‖_F, which needs no decomposition.
 */
function spreadBound(S: Matrix64, kernels: Kernels): number {
  const n = S.rows;
  const mean = trace(S) / n;
  const E = scaleRows(S, new Float64Array(n).fill(1 / mean));
  for (let i = 0; i < n; i++) E.data[i * n + i] -= 1;
  const spreadOf = (delta: number) => (delta < 1 ? (1 + delta) / (1 - delta) : Number.POSITIVE_INFINITY);
  const rough = spreadOf(Math.sqrt(inner(E, E)));
  if (rough <= WHITE_SPREAD) return rough;
  const square = kernels.multiply(E, E, 'tn');
  return spreadOf(inner(square, square) ** 0.25);
}

/**
 * Computes coordinates for K components of fewer samples than features, Y (p×n), from the p×p matrix Y Yᵀ = Uᵀ Λ U: V = Λ^(−1/2) U Y,
 * made orthonormal to rounding. Yᵀ Y is never formed.
 */
export async function narrowCoordinates(
  who: string,
  { Y, outer, whiten, components: K }: NarrowRequest,
  kernels: Kernels,
  pause: Pause,
): Promise<Coordinates> {
  const eigen = await eighWithPauses(outer, kernels, pause);
  const rank = rankOf(eigen.values);
  if (K > rank) throw tooManyComponents(who, rank, K);
  const { values, vectors: U } = firstVectors(eigen, K);
  const long = scaleRows(
    kernels.multiply(U, Y),
    values.map((value) => value ** -0.5),
  );
  const vectors = transpose(qr(transpose(long)).q);
  const variances = { values: values.map((value) => value / Y.rows), vectors };
  const analysis = whiten === 'none' ? vectors : scaledVectors(variances, -0.5);
  const synthesis = whiten === 'none' ? vectors : scaledVectors(variances, 0.5);
  const Z = kernels.multiply(Y, analysis, 'nt');
  const spreads = whiten === 'none' ? spreadsOf(values, K) : { spread: 1, middle: 1 };
  const whitened = whiten !== 'none';
  return { size: K, whitened, analysis, synthesis, gram: kernels.multiply(Z, Z, 'tn'), ...spreads };
}

export interface NarrowRequest {
  /** Conditioned samples, p×n. */
  readonly Y: Matrix64;
  /** Y Yᵀ */
  readonly outer: Matrix64;
  readonly whiten: Whitening;
  readonly components: number;
}

const scaledVectors = ({ values, vectors }: SymmetricEigen, exponent: number): Matrix64 =>
  scaleRows(
    vectors,
    values.map((value) => value ** exponent),
  );

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
