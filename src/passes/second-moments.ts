/** Yᵀ Y and Σ‖y‖ of the conditioned samples, in float64. */
import type { Matrix64 } from '../core/matrix.ts';
import { addFields, definePass } from '../engine/pass.ts';
import type { Conditioning } from '../kernels/kernels.ts';

/** Sums of products of features. */
export interface SecondMoments {
  /** Yᵀ Y, n×n. */
  readonly gram: Matrix64;
  readonly normSum: number;
}

/** Yᵀ Y of conditioned samples. */
export const secondMomentsPass = definePass<{ conditioning: Conditioning }, SecondMoments>(import.meta.url, {
  name: 'second-moments',
  contribute({ samples }, { conditioning }, kernels) {
    const { normSum, gram } = kernels.survey(samples, conditioning, true);
    return { gram: gram!, normSum };
  },
  add: addFields,
  example: ({ cols }) => ({ params: { conditioning: { offset: new Float64Array(cols).fill(0.1), scale: 0.5 } } }),
});
