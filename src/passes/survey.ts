/** The first look at the data: is every number finite, how large do they get, what is the mean, which samples are zero. */
import { accumulate, type Pass } from './pass.ts';

export interface Survey {
  readonly samples: number;
  readonly zeroSamples: number;
  readonly largest: number;
  /** Sum of all samples. */
  readonly sum: Float64Array;
  /** The first number that is not finite. */
  readonly offender?: { readonly row: number; readonly column: number; readonly value: number };
}

export const surveyPass: Pass<null, Survey> = {
  name: 'survey',
  contribute({ samples: { rows, cols, data }, start }) {
    const sum = new Float64Array(cols);
    let largest = 0;
    let zeroSamples = 0;
    for (let i = 0; i < rows; i++) {
      let rowLargest = 0;
      for (let j = 0; j < cols; j++) {
        const value = data[i * cols + j];
        const size = Math.abs(value);
        if (!(size <= Number.MAX_VALUE)) {
          return { samples: rows, zeroSamples, largest, sum, offender: { row: start + i, column: j, value } };
        }
        if (size > rowLargest) rowLargest = size;
        sum[j] += value;
      }
      if (rowLargest === 0) zeroSamples++;
      if (rowLargest > largest) largest = rowLargest;
    }
    return { samples: rows, zeroSamples, largest, sum };
  },
  add(total, part) {
    accumulate(total.sum, part.sum);
    const offender = total.offender ?? part.offender;
    return {
      samples: total.samples + part.samples,
      zeroSamples: total.zeroSamples + part.zeroSamples,
      largest: Math.max(total.largest, part.largest),
      sum: total.sum,
      ...(offender && { offender }),
    };
  },
};
