/** One pass of the refinement: the masked correlation under the given thresholds, and the histogram of the same codes. */
import type { Correlation } from '../kernels/kernels.ts';
import { type CorrelateParams, correlatePass } from './correlate.ts';
import { histogramPass } from './histogram.ts';
import type { Pass } from './pass.ts';

export type RefineParams = CorrelateParams & { readonly meanNorm: number };

export interface RefineSums {
  readonly masked: Correlation;
  readonly counts: Float64Array;
}

export const refinePass: Pass<RefineParams, RefineSums> = {
  name: 'refine',
  contribute: (chunk, params, kernels) => ({
    masked: correlatePass.contribute(chunk, params, kernels),
    counts: histogramPass.contribute(chunk, params, kernels),
  }),
  add: (total, part) => ({
    masked: correlatePass.add(total.masked, part.masked),
    counts: histogramPass.add(total.counts, part.counts),
  }),
};
