/**
 * The matrix of orthonormal rows nearest to G (m×r, m ≤ r): (G Gᵀ)^(−1/2) G = polar(G). If G is rank-deficient, the
 * part that G does not determine comes from `fallback`, orthonormal rows of the same shape, or else from unit vectors.
 *
 *     G = V diag(σ) Q with Q orthonormal rows by QR of Gᵀ = Qᵀ T, T (m×m): polar(G) = polar(Tᵀ) Q, T small
 */
import { type Matrix64, transpose, zeros } from '../../core/matrix.ts';
import { referenceKernels } from '../../kernels/reference.ts';
import { qr } from '../../linalg/qr.ts';
import { svd } from '../../linalg/svd.ts';

/** Weight of the fallback relative to a rank-deficient G. */
const NUDGE = 1e-7;
const RANK_TOLERANCE = 1e-12;

export function nearestOrthonormalRows(G: Matrix64, fallback?: Matrix64): Matrix64 {
  const { q, r: T } = qr(transpose(G)); // Gᵀ = q T
  const { left, values, right } = svd(transpose(T)); // Tᵀ = leftᵀ diag(values) right
  const largest = values[0];
  if (fallback && !(values[values.length - 1] > RANK_TOLERANCE * largest)) {
    const nudged = zeros(G.rows, G.cols);
    const weight = largest > 0 ? NUDGE * largest : 1;
    for (let k = 0; k < nudged.data.length; k++) nudged.data[k] = G.data[k] + weight * fallback.data[k];
    return nearestOrthonormalRows(nudged);
  }
  const rotation = referenceKernels.multiply(left, right, 'tn');
  return referenceKernels.multiply(rotation, q, 'nt');
}
