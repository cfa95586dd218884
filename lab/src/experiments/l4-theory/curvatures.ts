/** The Riemannian Hessian of g(W) = ‖W‖₄⁴ on the orthogonal group. */

import type { Matrix64 } from 'orthodict';
import { addScaled, eigenvalues, type Kernels, transpose, zeros } from 'orthodict/extend';
import { powered, skewPart } from './orthogonal-group.ts';

/**
 * Its eigenvalues at a critical W, descending. Along W exp(tK), K skew, the second derivative of g is
 * 12‖W∘(WK)‖² + 4⟨S, K²⟩ = ⟨K, Hess[K]⟩ with
 *
 *     Hess[K] = skew(12 Wᵀ(W∘²∘(WK))) − 2(SK + KS),   S = WᵀW∘³, symmetric
 *
 * At a signed permutation S = I and W∘(WK) = 0: every eigenvalue is −4. At a Hadamard matrix S = I/n: every one is 8/n.
 */
export function curvatures(W: Matrix64, kernels: Kernels): Float64Array {
  const n = W.rows;
  const S = kernels.multiply(W, powered(W, 3), 'tn');
  const pairs = Array.from({ length: n }, (_, i) => Array.from({ length: i }, (__, j) => [i, j] as const)).flat();
  const H = zeros(pairs.length, pairs.length);
  pairs.forEach(([i, j], row) => {
    const K = zeros(n, n);
    [K.data[i * n + j], K.data[j * n + i]] = [1, -1];
    const WK = kernels.multiply(W, K, 'nn');
    const inner = { ...WK, data: WK.data.map((value, at) => 12 * W.data[at] ** 2 * value) };
    const SK = kernels.multiply(S, K, 'nn');
    const image = addScaled(skewPart(kernels.multiply(W, inner, 'tn')), -2, addScaled(SK, -1, transpose(SK)));
    pairs.forEach(([k, l], col) => {
      H.data[row * pairs.length + col] = image.data[k * n + l];
    });
  });
  return eigenvalues(H);
}
