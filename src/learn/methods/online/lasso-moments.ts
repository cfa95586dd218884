/**
 * The sums that online dictionary learning keeps: Xᵀ X and Xᵀ Y of the lasso codes X of the samples, and their loss.
 */
import { firstRows, inner, type Matrix, type Matrix64, toFloat64, unitRows } from '../../../core/matrix.ts';
import { accumulate } from '../../../engine/pass.ts';
import { definePass } from '../../../engine/registry.ts';
import type { Conditioning, Kernels } from '../../../kernels/kernels.ts';
import { lasso } from '../../../linalg/lasso.ts';
import { conditioned } from '../../../passes/conditioned.ts';

export interface LassoParams {
  /** D, K×n, rows of norm 1 or less. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  /** For conditioned samples. */
  readonly lambda: number;
}

export interface LassoMoments {
  /** Xᵀ X, K×K. */
  readonly gram: Matrix64;
  /** Xᵀ Y, K×n. */
  readonly correlation: Matrix64;
  /** Σ ½‖y − x D‖² + λ‖x‖₁. */
  readonly loss: number;
  readonly samples: number;
}

export const lassoMomentsPass = definePass<LassoParams, LassoMoments>(import.meta.url, {
  name: 'lasso-moments',
  effort: 16,
  contribute: ({ samples }, params, kernels) => lassoMoments(samples, params, kernels),
  add(total, part) {
    accumulate(total.gram.data, part.gram.data);
    accumulate(total.correlation.data, part.correlation.data);
    return { ...total, loss: total.loss + part.loss, samples: total.samples + part.samples };
  },
  example: (samples) => ({ params: { atoms: unitRows(firstRows(samples)), conditioning: { scale: 1 }, lambda: 0.3 } }),
});

export function lassoMoments(
  samples: Matrix,
  { atoms, conditioning, lambda }: LassoParams,
  kernels: Kernels,
): LassoMoments {
  const Y = conditioned(samples, conditioning);
  const atomGram = kernels.multiply(atoms, atoms, 'nt');
  const X = toFloat64(kernels.multiply(Y, atoms, 'nt'));
  const sizes = lasso(X, atomGram, lambda);
  const gram = kernels.multiply(X, X, 'tn');
  const correlation = kernels.multiply(X, Y, 'tn');
  // Σ‖y − x D‖² = Σ‖y‖² − 2 tr(Dᵀ XᵀY) + tr(XᵀX DDᵀ)
  const squares = inner(Y, Y) - 2 * inner(correlation, atoms) + inner(gram, atomGram);
  return { gram, correlation, loss: squares / 2 + lambda * sizes, samples: samples.rows };
}
