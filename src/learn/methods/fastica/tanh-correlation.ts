/**
 * The sums that FastICA needs: the correlation tanh(X)ᵀ Y, and log cosh x with its second derivative 1 − tanh² x.
 *
 *     t = e^(−2|x|),   tanh |x| = (1 − t)/(1 + t),   log cosh x = |x| + log((1 + t)/2)
 */
import { firstRows, type Matrix64, type Precision, toFloat64 } from '../../../core/matrix.ts';
import { accumulate } from '../../../engine/pass.ts';
import { definePass } from '../../../engine/registry.ts';
import type { Conditioning } from '../../../kernels/kernels.ts';
import { conditioned } from '../../../passes/conditioned.ts';

export interface TanhCorrelationParams {
  /** K×n. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  /** Precision of the codes; sums are float64. */
  readonly precision: Precision;
}

export interface TanhCorrelation {
  /** K×n. */
  readonly correlation: Matrix64;
  /** Σ log cosh x, one per atom. */
  readonly values: Float64Array;
  /** Σ (1 − tanh² x), one per atom. */
  readonly slopes: Float64Array;
}

export const tanhCorrelationPass = definePass<TanhCorrelationParams, TanhCorrelation>(import.meta.url, {
  name: 'tanh-correlation',
  effort: 4,
  contribute({ samples }, { atoms, conditioning, precision }, kernels) {
    const X = toFloat64(kernels.project(samples, atoms, conditioning, precision));
    const K = atoms.rows;
    const values = new Float64Array(K);
    const slopes = new Float64Array(K);
    for (let at = 0; at < X.data.length; at += K) {
      for (let i = 0; i < K; i++) {
        const x = X.data[at + i];
        const size = Math.abs(x);
        const t = Math.exp(-2 * size);
        const phi = (1 - t) / (1 + t);
        values[i] += size + Math.log((1 + t) / 2);
        slopes[i] += 1 - phi * phi;
        X.data[at + i] = x < 0 ? -phi : phi;
      }
    }
    return { correlation: kernels.multiply(X, conditioned(samples, conditioning), 'tn'), values, slopes };
  },
  add(total, part) {
    accumulate(total.correlation.data, part.correlation.data);
    accumulate(total.values, part.values);
    accumulate(total.slopes, part.slopes);
    return total;
  },
  example: (samples) => ({ params: { atoms: firstRows(samples), conditioning: { scale: 1 }, precision: 'f64' } }),
});
