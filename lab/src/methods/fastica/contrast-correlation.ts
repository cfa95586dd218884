/**
 * The sums that FastICA needs of a contrast G: the correlation g(X)ᵀ Y, g = G′, and the sums of G(x) and of g′(x).
 *
 *     logcosh   G = log cosh x,   g = tanh x,   g′ = 1 − tanh² x
 *               t = e^(−2|x|),   tanh |x| = (1 − t)/(1 + t),   log cosh x = |x| + log((1 + t)/2)
 *     exp       e = e^(−x²/2),   G = −e,   g = x e,   g′ = (1 − x²) e
 */
import {
  accumulate,
  type Conditioning,
  conditioned,
  definePass,
  firstRows,
  type Matrix64,
  type Precision,
  toFloat64,
} from 'orthodict/extend';

/** Contrasts that need an exponential. */
export type Contrast = 'logcosh' | 'exp';

export interface ContrastCorrelationParams {
  /** K×n. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  /** Precision of the codes; sums are float64. */
  readonly precision: Precision;
  readonly contrast: Contrast;
}

export interface ContrastCorrelation {
  /** K×n. */
  readonly correlation: Matrix64;
  /** Σ G(x), one per atom. */
  readonly values: Float64Array;
  /** Σ g′(x), one per atom. */
  readonly slopes: Float64Array;
}

export const contrastCorrelationPass = definePass<ContrastCorrelationParams, ContrastCorrelation>(import.meta.url, {
  name: 'contrast-correlation',
  effort: 4,
  contribute({ samples }, { atoms, conditioning, precision, contrast }, kernels) {
    const X = toFloat64(kernels.project(samples, atoms, conditioning, precision));
    const values = new Float64Array(atoms.rows);
    const slopes = new Float64Array(atoms.rows);
    REPLACE[contrast](X, values, slopes);
    return { correlation: kernels.multiply(X, conditioned(samples, conditioning), 'tn'), values, slopes };
  },
  add(total, part) {
    accumulate(total.correlation.data, part.correlation.data);
    accumulate(total.values, part.values);
    accumulate(total.slopes, part.slopes);
    return total;
  },
  example: (samples) => ({
    params: { atoms: firstRows(samples), conditioning: { scale: 1 }, precision: 'f64', contrast: 'exp' },
  }),
});

/** Replaces x by g(x), and adds up G and g′. */
type Replace = (codes: Matrix64, values: Float64Array, slopes: Float64Array) => void;

const REPLACE: Record<Contrast, Replace> = {
  logcosh({ cols, data }, values, slopes) {
    for (let at = 0; at < data.length; at += cols) {
      for (let i = 0; i < cols; i++) {
        const x = data[at + i];
        const size = Math.abs(x);
        const t = Math.exp(-2 * size);
        const g = (1 - t) / (1 + t);
        values[i] += size + Math.log((1 + t) / 2);
        slopes[i] += 1 - g * g;
        data[at + i] = x < 0 ? -g : g;
      }
    }
  },
  exp({ cols, data }, values, slopes) {
    for (let at = 0; at < data.length; at += cols) {
      for (let i = 0; i < cols; i++) {
        const x = data[at + i];
        const e = Math.exp((-x * x) / 2);
        values[i] -= e;
        slopes[i] += (1 - x * x) * e;
        data[at + i] = x * e;
      }
    }
  },
};
