/**
 * The sums that online dictionary learning keeps: Xᵀ X and Xᵀ Y of the lasso codes X of the samples, and their loss.
 */
import {
  accumulate,
  type CodeMoments,
  type Conditioning,
  definePass,
  firstRows,
  type Matrix64,
  unitRows,
} from 'orthodict/extend';

export interface LassoParams {
  /** D, K×n, rows of norm 1 or less. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  /** λ for conditioned samples. */
  readonly lambda: number;
}

export interface LassoMoments extends CodeMoments {
  /** Σ ½‖y − x D‖² + λ‖x‖₁. */
  readonly loss: number;
  readonly samples: number;
}

export const lassoMomentsPass = definePass<LassoParams, LassoMoments>(import.meta.url, {
  name: 'lasso-moments',
  effort: 16,
  contribute({ samples }, { atoms, conditioning, lambda }, kernels) {
    const codes = kernels.lasso({ samples, atoms, conditioning, lambda });
    const squares = codes.residuals.reduce((sum, square) => sum + square, 0);
    const sizes = codes.values.reduce((sum, x) => sum + Math.abs(x), 0);
    const moments = kernels.codeMoments(samples, codes, atoms.rows, conditioning);
    return { ...moments, loss: squares / 2 + lambda * sizes, samples: samples.rows };
  },
  add(total, part) {
    accumulate(total.gram.data, part.gram.data);
    accumulate(total.correlation.data, part.correlation.data);
    return { ...total, loss: total.loss + part.loss, samples: total.samples + part.samples };
  },
  example: (samples) => ({ params: { atoms: unitRows(firstRows(samples)), conditioning: { scale: 1 }, lambda: 0.3 } }),
});
