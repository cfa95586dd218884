/** How large the codes are: how many exceed their thresholds, and Σ|x|^norm. Half the work of a correlation. */
import { firstRows } from '../core/matrix.ts';
import { addFields, definePass } from '../engine/pass.ts';
import type { MeasureRequest, Measures } from '../kernels/kernels.ts';

export type MeasureParams = Omit<MeasureRequest, 'samples'>;

export const measurePass = definePass<MeasureParams, Measures>(import.meta.url, {
  name: 'measure',
  contribute: ({ samples }, params, kernels) => kernels.measure({ ...params, samples }),
  add: addFields,
  example: (samples) => ({
    params: {
      atoms: firstRows(samples),
      conditioning: { scale: 1 },
      thresholds: new Float64Array(samples.cols).fill(0.5),
      meanNorm: 1,
      leastNorm: 0.5,
      norm: 4,
      precision: 'f64',
    },
  }),
});
