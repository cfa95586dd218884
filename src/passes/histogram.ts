/** How the sizes of the codes are distributed, atom by atom, in logarithmic bins: medians and likelihoods come from here. */
import { accumulate, type Pass } from '../engine/pass.ts';
import { HISTOGRAM_BINS, type HistogramRequest } from '../kernels/kernels.ts';

export type HistogramParams = Omit<HistogramRequest, 'samples'> & {
  /** Look at every so many-th chunk only, beginning with the first. */
  readonly countEvery: number;
};

export const histogramPass: Pass<HistogramParams, Float64Array> = {
  name: 'histogram',
  contribute({ samples, index }, { countEvery, ...params }, kernels) {
    if (index % countEvery !== 0) return new Float64Array(params.atoms.rows * HISTOGRAM_BINS);
    return kernels.histogram({ ...params, samples });
  },
  add(total, part) {
    accumulate(total, part);
    return total;
  },
};
