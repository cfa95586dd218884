/** The stretched or masked correlation φ(Y Aᵀ)ᵀ Y with its objective, for every ℓ_q solver and the refinement. */

import { firstRows } from '../core/matrix.ts';
import { addFields, definePass } from '../engine/pass.ts';
import type { CorrelateRequest, Correlation } from '../kernels/kernels.ts';

/** Parameters of `correlatePass`. */
export type CorrelateParams = Omit<CorrelateRequest, 'samples' | 'counts'> & {
  /** Number of samples per chunk whose code sizes are counted; default: none. */
  readonly countRows?: number | undefined;
};

/** Σ g(A y) yᵀ over all samples: the matching of every fixed-point method. */
export const correlatePass = definePass<CorrelateParams, Correlation>(import.meta.url, {
  name: 'correlate',
  contribute: ({ samples }, { countRows = 0, ...params }, kernels) =>
    kernels.correlate({ ...params, samples, counts: countRows }),
  add: addFields,
  example: (samples) => ({
    params: {
      atoms: firstRows(samples),
      conditioning: { scale: 1 },
      response: { kind: 'mask', thresholds: new Float64Array(samples.cols).fill(0.5), meanNorm: 1, leastNorm: 0.5 },
      precision: 'f64',
      gram: true,
      countRows: 100,
    },
  }),
});
