/** The stretched or masked correlation φ(Y Aᵀ)ᵀ Y with its objective: what every ℓ_q solver and the refinement ask for. */
import { accumulate, type Pass } from '../engine/pass.ts';
import type { CorrelateRequest, Correlation } from '../kernels/kernels.ts';

export type CorrelateParams = Omit<CorrelateRequest, 'samples' | 'counts'> & {
  /** Count the sizes of the codes in every so many-th chunk, beginning with the first; default: in none. */
  readonly countEvery?: number;
};

export const correlatePass: Pass<CorrelateParams, Correlation> = {
  name: 'correlate',
  contribute({ samples, index }, { countEvery, ...params }, kernels) {
    const counts = countEvery !== undefined && index % countEvery === 0;
    return kernels.correlate({ ...params, samples, counts });
  },
  add(total, part) {
    accumulate(total.correlation.data, part.correlation.data);
    accumulate(total.values, part.values);
    if (total.gram && part.gram) accumulate(total.gram.data, part.gram.data);
    if (total.counts && part.counts) accumulate(total.counts, part.counts);
    return total;
  },
};
