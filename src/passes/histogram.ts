/** How the sizes of the codes are distributed, atom by atom, in logarithmic bins: medians and likelihoods come from here. */
import type { HistogramRequest } from '../kernels/kernels.ts';
import { accumulate, type Pass } from './pass.ts';

export type HistogramParams = Omit<HistogramRequest, 'samples'>;

export const histogramPass: Pass<HistogramParams, Float64Array> = {
  name: 'histogram',
  contribute: ({ samples }, params, kernels) => kernels.histogram({ ...params, samples }),
  add(total, part) {
    accumulate(total, part);
    return total;
  },
};
