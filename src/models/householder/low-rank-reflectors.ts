/**
 * Computes V from L = (V − I) X. An orthogonal V moves only the column space of V − I, which is that of L:
 *
 *     V = I + Q (R − I) Qᵀ,   A = Q·…  (n×r, orthonormal columns),   R = polar((QᵀY)(QᵀX)ᵀ),   X = Y − A Cᵀ
 *
 * R (r×r, orthogonal) is a product of at most r reflectors v, so V is the product of the reflectors u = Q v.
 */
import { addScaled, type Matrix64, row } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { polar } from '../../linalg/polar.ts';
import { qr } from '../../linalg/qr.ts';
import { orthogonalToReflectors } from '../../linalg/reflectors.ts';
import type { Features } from './features.ts';
import type { LowRank } from './low-rank.ts';
import { unit } from './moments.ts';

/** The reflectors as unit rows, at most as many as the rank. */
export function lowRankReflectors(
  features: Features,
  { coefficients: A, loadings: C }: LowRank,
  kernels: Kernels,
): Matrix64 {
  const Y: Matrix64 = { rows: features.count, cols: features.samples, data: features.values };
  const { q: Q, r: triangle } = qr(A);
  const QY = kernels.multiply(Q, Y, 'tn');
  const QX = addScaled(QY, -1, kernels.multiply(triangle, C, 'nt'));
  const small = orthogonalToReflectors(polar(kernels.multiply(QY, QX, 'nt'), kernels));
  const reflectors = kernels.multiply(small, Q, 'nt');
  for (let k = 0; k < reflectors.rows; k++) row(reflectors, k).set(unit(row(reflectors, k)));
  return reflectors;
}

/** ‖XᵀX − YᵀY‖_F / ‖YᵀY‖_F: 0 if and only if an orthogonal matrix maps the codes X = Y − A Cᵀ to the samples. */
export function orthogonalityDefect(
  features: Features,
  { coefficients: A, loadings: C }: LowRank,
  kernels: Kernels,
): number {
  const Y: Matrix64 = { rows: features.count, cols: features.samples, data: features.values };
  const X = addScaled(Y, -1, kernels.multiply(A, C, 'nt'));
  const energy = kernels.multiply(Y, Y, 'tn');
  return norm(addScaled(kernels.multiply(X, X, 'tn'), -1, energy)) / norm(energy);
}

function norm({ data }: Matrix64): number {
  let sum = 0;
  for (let at = 0; at < data.length; at++) sum += data[at] ** 2;
  return Math.sqrt(sum);
}
