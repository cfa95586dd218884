/** Yᵀ Y and Σ‖y‖ of the conditioned samples, in float64. */
import type { Matrix64 } from '../core/matrix.ts';
import { accumulate, type Pass } from '../engine/pass.ts';
import type { Conditioning } from '../kernels/kernels.ts';

export interface SecondMoments {
  /** Yᵀ Y, n×n. */
  readonly gram: Matrix64;
  readonly normSum: number;
}

export const secondMomentsPass: Pass<{ conditioning: Conditioning }, SecondMoments> = {
  name: 'second-moments',
  contribute({ samples }, { conditioning }, kernels) {
    const { rows, cols, data } = samples;
    const { offset, scale } = conditioning;
    let normSum = 0;
    for (let i = 0; i < rows; i++) {
      let square = 0;
      for (let j = 0; j < cols; j++) square += ((data[i * cols + j] - (offset ? offset[j] : 0)) * scale) ** 2;
      normSum += Math.sqrt(square);
    }
    return { gram: kernels.covariance(samples, conditioning, 'f64'), normSum };
  },
  add(total, part) {
    accumulate(total.gram.data, part.gram.data);
    return { gram: total.gram, normSum: total.normSum + part.normSum };
  },
};
