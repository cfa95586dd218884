/**
 * Finds the product of at most M reflectors that is nearest to an orthogonal matrix, in closed form.
 *
 * V is a product of at most M reflectors if and only if it fixes n − M dimensions (Cartan, Dieudonné). Fixing a plane
 * that A rotates by φ costs ‖A − V‖² = 8 sin²(φ/2) = 4(1 − λ); the plane is spanned by two eigenvectors of (A + Aᵀ)/2
 * with eigenvalue λ = cos φ. A reversed direction has λ = −1. So with Q the M eigenvectors of the smallest eigenvalues
 *
 *     V = I + Qᵀ(P − I)Q,   P = polar(Q A Qᵀ),   ‖A − V‖²_F = 2 Σ (1 − λ) over the other n − M eigenvalues
 *
 * If M splits a plane, the direction taken still costs 2(1 − |λ|). P is M×M, and reflectors.ts factors it exactly.
 */
import { type Matrix, type Matrix64, norm, row, transpose, unitRows, zeros } from '../../core/matrix.ts';
import { selectKernels } from '../../kernels/select.ts';
import { eigh } from '../../linalg/eigh.ts';
import { polar } from '../../linalg/polar.ts';
import { orthogonalToReflectors, reflectorMatrix, reflectorTransform } from '../../linalg/reflectors.ts';
import { type Approximation, powersOfTwoUpTo, relativeDistance, requireCount, requireOrthogonal } from './factor.ts';

/** Reflectors whose product is nearest to the atoms. */
export interface HouseholderFactors {
  /** Unit rows, at most M×n, for `householderDictionary`. */
  readonly reflectors: Matrix64;
  /** ‖A − Â‖_F/‖A‖_F. */
  readonly error: number;
  /** Errors of the nearest products of 1, 2, 4, … and M reflectors. */
  readonly curve: readonly Approximation[];
}

/** Distance below which eigenvalues count as equal: in their common subspace the planes have to be found. */
const SAME_EIGENVALUE = 1e-7;

/**
 * Approximates atoms by the nearest product of `count` reflectors. `atoms`: n×n, orthogonal.
 *
 * @example
 * ```js
 * import { factorHouseholder, generate, householderDictionary } from 'orthodict';
 *
 * const { atoms } = generate({ samples: 1, features: 8, theta: 0.5, seed: 1 });
 * const factors = await factorHouseholder(atoms, 8); // n reflectors are exact
 * console.log(factors.error); // below 1e-12
 * console.log(householderDictionary(factors).components); // 8
 * ```
 */
export async function factorHouseholder(atoms: Matrix, count: number): Promise<HouseholderFactors> {
  const kernels = await selectKernels('auto');
  const A = requireOrthogonal(atoms, kernels);
  const n = A.rows;
  requireCount(count, n, 'the number of reflectors');
  const V = transpose(A);
  const { values, vectors } = eigh(symmetricPart(A));
  const Q = count < n ? turnedMost(V, values, vectors, count) : undefined;
  const small = Q && count > 0 ? polar(kernels.multiply(kernels.multiply(Q, V), Q, 'nt'), kernels) : undefined;
  const reflectors = Q
    ? unitRows(small ? kernels.multiply(orthogonalToReflectors(small), Q) : zeros(0, n))
    : orthogonalToReflectors(V);
  const error = relativeDistance(A, reflectorMatrix(reflectorTransform(reflectors)));
  const curve = powersOfTwoUpTo(count).map((factors) => ({
    factors,
    error: factors === count ? error : errorOf(values, factors),
  }));
  return { reflectors, error, curve };
}

/** Returns the relative error of the nearest product of M reflectors; `values` are descending. */
function errorOf(values: Float64Array, count: number): number {
  const n = values.length;
  const turned = values.filter((value) => value < -1 + SAME_EIGENVALUE).length;
  const cut = count > turned && (count - turned) % 2 === 1;
  let sum = cut ? 2 * (1 - Math.abs(values[n - count])) : 0;
  for (let i = 0; i < n - count; i++) sum += 2 * Math.max(0, 1 - values[i]);
  return Math.sqrt(sum / n);
}

/** Returns M orthonormal rows that span the planes with the largest angles. */
function turnedMost(V: Matrix64, values: Float64Array, vectors: Matrix64, count: number): Matrix64 {
  const n = V.rows;
  const edge = values[n - count]; // the largest eigenvalue included
  const first = values.findIndex((value) => value <= edge + SAME_EIGENVALUE);
  let past = n - count;
  while (past < n && values[past] > edge - SAME_EIGENVALUE) past++;
  const Q = zeros(count, n);
  if (count === 0) return Q;
  const whole = n - past; // eigenvectors whose subspaces are included entirely
  Q.data.set(vectors.data.subarray(past * n));
  const shared = zeros(past - first, n);
  shared.data.set(vectors.data.subarray(first * n, past * n));
  planesOf(V, shared, count - whole).forEach((v, k) => {
    Q.data.set(v, (whole + k) * n);
  });
  return Q;
}

/** Returns `count` orthonormal vectors of the eigenspace, in pairs that span a plane V rotates. */
function planesOf(V: Matrix64, basis: Matrix64, count: number): Float64Array[] {
  const left = Array.from({ length: basis.rows }, (_, k) => row(basis, k).slice());
  const found: Float64Array[] = [];
  const take = (v: Float64Array) => {
    const length = norm(v);
    for (let i = 0; i < v.length; i++) v[i] /= length;
    found.push(v);
    for (const other of left) removeFrom(other, v);
  };
  while (found.length < count) {
    const seed = left.reduce((best, v) => (norm(v) > norm(best) ? v : best)).slice();
    take(seed);
    const partner = skewImage(V, seed);
    for (const v of found) removeFrom(partner, v);
    if (found.length < count && norm(partner) > SAME_EIGENVALUE) take(partner);
  }
  return found;
}

/** Returns (V − Vᵀ)/2 · v. */
function skewImage({ data, rows: n }: Matrix64, v: Float64Array): Float64Array {
  const image = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) image[i] += 0.5 * (data[i * n + j] - data[j * n + i]) * v[j];
  }
  return image;
}

function symmetricPart({ rows: n, data }: Matrix64): Matrix64 {
  const S = zeros(n, n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) S.data[i * n + j] = 0.5 * (data[i * n + j] + data[j * n + i]);
  return S;
}

/** Replaces v by v − (v·u) u, u a unit vector. */
function removeFrom(v: Float64Array, u: Float64Array): void {
  let overlap = 0;
  for (let i = 0; i < v.length; i++) overlap += v[i] * u[i];
  for (let i = 0; i < v.length; i++) v[i] -= overlap * u[i];
}
