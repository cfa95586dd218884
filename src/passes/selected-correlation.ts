/** The correlation Xᵀ Y of the samples with the codes that a selection keeps, for Procrustes steps. */
import { firstRows, type Matrix64, type Precision, toFloat64 } from '../core/matrix.ts';
import { addFields, definePass } from '../engine/pass.ts';
import type { Conditioning } from '../kernels/kernels.ts';
import { conditioned } from './conditioned.ts';
import { type Selection, select } from './select-codes.ts';

export interface SelectedCorrelationParams {
  /** K×n. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  /** The codes to keep. A threshold applies to codes of conditioned samples. */
  readonly selection: Selection;
  /** Precision of the codes; sums are float64. */
  readonly precision: Precision;
}

export interface SelectedCorrelation {
  /** K×n. */
  readonly correlation: Matrix64;
  /** Sum of the squares of the codes kept, and their number. */
  readonly energy: number;
  readonly kept: number;
}

export const selectedCorrelationPass = definePass<SelectedCorrelationParams, SelectedCorrelation>(import.meta.url, {
  name: 'selected-correlation',
  contribute({ samples }, { atoms, conditioning, selection, precision }, kernels) {
    const X = toFloat64(kernels.project(samples, atoms, conditioning, precision));
    select(X, selection);
    let energy = 0;
    let kept = 0;
    for (const x of X.data) {
      energy += x * x;
      if (x !== 0) kept++;
    }
    return { correlation: kernels.multiply(X, conditioned(samples, conditioning), 'tn'), energy, kept };
  },
  add: addFields,
  example: (samples) => ({
    params: { atoms: firstRows(samples), conditioning: { scale: 1 }, selection: { keep: 2 }, precision: 'f64' },
  }),
});
