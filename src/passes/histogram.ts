/** Histograms of the code sizes, one per atom, in logarithmic bins. Medians and likelihoods are computed from them. */

import { firstRows } from '../core/matrix.ts';
import { addFields, definePass } from '../engine/pass.ts';
import type { HistogramRequest } from '../kernels/kernels.ts';

export type HistogramParams = Omit<HistogramRequest, 'samples'>;

export const histogramPass = definePass<HistogramParams, Float64Array>(import.meta.url, {
  name: 'histogram',
  effort: 2,
  contribute: ({ samples }, params, kernels) => kernels.histogram({ ...params, samples }),
  add: addFields,
  example: (samples) => ({
    params: { atoms: firstRows(samples), conditioning: { scale: 1 }, meanNorm: 1, leastNorm: 0.5 },
  }),
});
