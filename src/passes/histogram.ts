/** Histograms of the code sizes, one per atom, in logarithmic bins. Medians and likelihoods are computed from them. */

import { firstRows } from '../core/matrix.ts';
import { accumulate } from '../engine/pass.ts';
import { definePass } from '../engine/registry.ts';
import { HISTOGRAM_BINS, type HistogramRequest } from '../kernels/kernels.ts';

export type HistogramParams = Omit<HistogramRequest, 'samples'> & {
  /** Sample one chunk in `countEvery`, beginning with the first. */
  readonly countEvery: number;
};

export const histogramPass = definePass<HistogramParams, Float64Array>(import.meta.url, {
  name: 'histogram',
  contribute({ samples, index }, { countEvery, ...params }, kernels) {
    if (index % countEvery !== 0) return new Float64Array(params.atoms.rows * HISTOGRAM_BINS);
    return kernels.histogram({ ...params, samples });
  },
  add(total, part) {
    accumulate(total, part);
    return total;
  },
  example: (samples) => ({
    params: { atoms: firstRows(samples), conditioning: { scale: 1 }, meanNorm: 1, leastNorm: 0.5, countEvery: 2 },
  }),
});
