/**
 * The orthogonal group O(n) and g(W) = ‖W‖₄⁴ on it, in the letters of Zhai et al., sections 2 and 4.
 *
 *     ∇g = 4W∘³,   grad g = ½(∇g − W ∇gᵀ W),   W is critical where WᵀW∘³ is symmetric (proposition 12)
 *     MSP: W ← polar(W∘³)                      PGA: W ← polar(W + α·W∘³), where ∇g would be 4W∘³
 */

import { fromRows, type Matrix64, matchAtoms } from 'orthodict';
import {
  addScaled,
  eigenvalues,
  identity,
  type Kernels,
  norm,
  normalMatrix,
  polar,
  type Random,
  shuffle,
  transpose,
  zeros,
} from 'orthodict/extend';

export const GROUP = 'l4-theory';

/** W∘^power. */
export const powered = (W: Matrix64, power: number): Matrix64 => ({ ...W, data: W.data.map((w) => w ** power) });

/** g(W) = ‖W‖₄⁴. */
export const quartic = ({ data }: Matrix64): number => data.reduce((sum, w) => sum + w ** 4, 0);

/** ‖A − B‖_F. */
export const distance = (A: Matrix64, B: Matrix64): number => norm(addScaled(A, -1, B).data);

/** One step of MSP on the group: polar(W∘³). */
export const mspStep = (W: Matrix64, kernels: Kernels): Matrix64 => polar(powered(W, 3), kernels);

/** One step of PGA on the group: polar(W + α·W∘³); α = ∞ is MSP. */
export function pgaStep(W: Matrix64, alpha: number, kernels: Kernels): Matrix64 {
  if (alpha === Number.POSITIVE_INFINITY) return mspStep(W, kernels);
  return polar(addScaled(W, alpha, powered(W, 3)), kernels);
}

/** grad g(W) = 2(W∘³ − W (W∘³)ᵀ W). */
export function riemannianGradient(W: Matrix64, kernels: Kernels): Matrix64 {
  const cubed = powered(W, 3);
  const turned = kernels.multiply(W, kernels.multiply(cubed, W, 'tn'), 'nn');
  const gradient = addScaled(cubed, -1, turned);
  return { ...gradient, data: gradient.data.map((value) => 2 * value) };
}

/** ½(M − Mᵀ). */
export function skewPart(M: Matrix64): Matrix64 {
  const difference = addScaled(M, -1, transpose(M));
  return { ...difference, data: difference.data.map((value) => value / 2) };
}

/** (1/n)‖W − P‖_F² to the nearest signed permutation P. */
export function distanceToPermutations(W: Matrix64): number {
  const { pairs } = matchAtoms(W, identity(W.rows));
  return pairs.reduce((sum, { error }) => sum + error ** 2, 0) / W.rows;
}

/** A signed permutation, all equally likely. */
export function signedPermutation(n: number, random: Random): Matrix64 {
  const P = zeros(n, n);
  const order = shuffle(
    Array.from({ length: n }, (_, i) => i),
    random,
  );
  order.forEach((j, i) => {
    P.data[i * n + j] = random.uniform() < 0.5 ? -1 : 1;
  });
  return P;
}

/** The Hadamard matrix of Sylvester with entries ±1/√n; n a power of two. */
export function hadamard(n: number): Matrix64 {
  const bits = (k: number): number => (k === 0 ? 0 : (k & 1) + bits(k >> 1));
  const sign = (i: number, j: number) => (bits(i & j) % 2 === 0 ? 1 : -1);
  return fromRows(Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => sign(i, j) / Math.sqrt(n))));
}

/** The blocks along the diagonal, zero elsewhere. */
export function blockDiagonal(blocks: readonly Matrix64[]): Matrix64 {
  const n = blocks.reduce((sum, { rows }) => sum + rows, 0);
  const W = zeros(n, n);
  let at = 0;
  for (const { rows, data } of blocks) {
    data.forEach((value, k) => {
      W.data[(at + Math.floor(k / rows)) * n + at + (k % rows)] = value;
    });
    at += rows;
  }
  return W;
}

/** A skew matrix of independent normals: a random direction of the tangent space at I. */
export const randomSkew = (n: number, random: Random): Matrix64 => skewPart(normalMatrix(n, n, random));

/** The skew matrix of the plane of the first two axes. */
export function planeSkew(n: number): Matrix64 {
  const K = zeros(n, n);
  [K.data[1], K.data[n]] = [-1, 1];
  return K;
}

/**
 * The rotation R = polar(I + tK) with ‖R − I‖_F² = ε, K skew: it turns the planes of K by atan(tω), iω their
 * eigenvalues, so that ε = Σ 2(1 − cos atan(tω)). ε must be less than 2 rank(K).
 */
export function rotationAt(K: Matrix64, epsilon: number, kernels: Kernels): Matrix64 {
  const squares = eigenvalues(kernels.multiply(K, K, 'tn')).map((square) => Math.max(square, 0));
  const reached = (t: number) => squares.reduce((sum, square) => sum + farness(t * t * square), 0);
  let [low, high] = [0, 1];
  while (reached(high) < epsilon) high *= 2;
  while (high - low > 1e-15 * high) {
    const middle = (low + high) / 2;
    if (reached(middle) < epsilon) low = middle;
    else high = middle;
  }
  const n = K.rows;
  return polar(addScaled(identity(n), high, K), kernels);
}

/** 2(1 − 1/√(1 + s)), without cancellation. */
function farness(s: number): number {
  const root = Math.sqrt(1 + s);
  return (2 * s) / (root * (1 + root));
}
