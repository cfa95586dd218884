/**
 * Second moments C = RᵀR of the features, known by their products with sparse vectors: from C itself, or from R if
 * it has far fewer rows than features.
 */
import { type Matrix64, transpose } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { addRows, fullVector, type SparseVector } from './sparse-vector.ts';

export interface CovarianceOperator {
  readonly features: number;
  /** The variances C_kk of the features. */
  readonly variances: Float64Array;
  /** out ← C x. */
  times(x: SparseVector, out: Float64Array): void;
}

/** With fewer rows than this share of the features, a product with R and one with Rᵀ take less time and memory. */
const FEW_ROWS = 1 / 4;
/** Largest C to form, in numbers: a quarter of a gigabyte. */
const LARGEST_DENSE = 1 << 25;

export function covarianceOperator(R: Matrix64, kernels: Kernels): CovarianceOperator {
  const isFactored = R.rows < FEW_ROWS * R.cols || R.cols ** 2 > LARGEST_DENSE;
  return isFactored ? factored(R) : dense(kernels.multiply(R, R, 'tn'));
}

function dense(C: Matrix64): CovarianceOperator {
  const features = C.rows;
  return {
    features,
    variances: Float64Array.from({ length: features }, (_, k) => C.data[k * features + k]),
    times(x, out) {
      out.fill(0);
      addRows(x, C, out);
    },
  };
}

function factored(R: Matrix64): CovarianceOperator {
  const columns = transpose(R);
  const variances = new Float64Array(R.cols);
  for (let at = 0; at < R.data.length; at++) variances[at % R.cols] += R.data[at] ** 2;
  const scores = fullVector(R.rows);
  return {
    features: R.cols,
    variances,
    times(x, out) {
      scores.values.fill(0);
      addRows(x, columns, scores.values);
      out.fill(0);
      addRows(scores, R, out);
    },
  };
}
