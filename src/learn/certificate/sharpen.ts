/**
 * Makes single atoms exact from the zeros of their codes, whatever the other atoms are. A solver's step turns all atoms at once, so
 * wrong atoms keep right ones from becoming exact.
 *
 * With Z_i the samples in which the code of atom i is nearly zero, the exact atom a_i + Σ_k δ_k a_k is orthogonal to them:
 *
 *     δ = argmin Σ_{j∈Z_i} (x_ij + Σ_k δ_k x_kj)²/‖x_j‖²
 *
 * The zeros move nearer to zero and other codes do not; then Z_i is chosen again, more strictly.
 */
import { dot, type Matrix64, range, row, zeros } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { solveSymmetric } from '../../linalg/cholesky.ts';

/** Codes below these are nearly zero, step by step, relative to the root mean square of the codes of their sample. */
const NEARLY_ZERO = [1e-3, 1e-5, 1e-7];
/** Zeros per atom that suffice to determine an atom. */
const ENOUGH = 4;
/** Most atoms for which solving their systems of equations is worth the time. */
const MOST_ATOMS = 128;
/** Larger corrections are rejected. */
const LARGEST = 0.1;

/**
 * Returns the sharpened atoms in terms of the present ones (K×K), or undefined if there is nothing to sharpen. `codes`: K×p; `wanted`: the
 * atoms to sharpen; the others stay.
 */
export function sharpening(codes: Matrix64, wanted: readonly number[], kernels: Kernels): Matrix64 | undefined {
  const { rows: K, cols: p } = codes;
  if (K > MOST_ATOMS) return undefined;
  const sizes = new Float64Array(p);
  for (let at = 0; at < codes.data.length; at++) sizes[at % p] += codes.data[at] ** 2 / K;
  for (let j = 0; j < p; j++) sizes[j] = Math.sqrt(sizes[j]);
  const T = zeros(K, K);
  let isSharper = false;
  for (const i of range(K)) {
    const own = wanted.includes(i) ? sharpenedAtom(codes, sizes, i, kernels) : undefined;
    if (own) row(T, i).set(own);
    else T.data[i * K + i] = 1;
    isSharper ||= own !== undefined;
  }
  return isSharper ? T : undefined;
}

function sharpenedAtom(codes: Matrix64, sizes: Float64Array, i: number, kernels: Kernels): Float64Array | undefined {
  const { rows: K, cols: p, data } = codes;
  const others = range(K).filter((k) => k !== i);
  const own = row(codes, i).slice();
  const turned = new Float64Array(K);
  turned[i] = 1;
  for (const cut of NEARLY_ZERO) {
    const near: number[] = [];
    for (let j = 0; j < p && near.length < ENOUGH * K; j++) {
      if (Math.abs(own[j]) < cut * sizes[j]) near.push(j);
    }
    if (near.length < K) return undefined;
    const X = zeros(K - 1, near.length);
    const target = zeros(near.length, 1);
    near.forEach((j, at) => {
      others.forEach((k, r) => {
        X.data[r * near.length + at] = data[k * p + j] / sizes[j];
      });
      target.data[at] = -own[j] / sizes[j];
    });
    const delta = solveSymmetric(kernels.multiply(X, X, 'nt'), kernels.multiply(X, target))?.data;
    if (!delta || !(dot(delta, delta) < LARGEST ** 2)) return undefined;
    others.forEach((k, r) => {
      turned[k] += delta[r];
      for (let j = 0; j < p; j++) own[j] += delta[r] * data[k * p + j];
    });
  }
  const length = Math.sqrt(dot(turned, turned));
  return turned.map((weight) => weight / length);
}
