/** The sums that K-SVD needs: Xᵀ X and Xᵀ Y of the codes X that a pursuit finds, and the residual. */
import { firstRows, type Matrix, type Matrix64, selectRows, stackRows, unitRows } from '../../../core/matrix.ts';
import { accumulate, definePass } from '../../../engine/pass.ts';
import type { CodeMoments, Kernels } from '../../../kernels/kernels.ts';
import { conditioned } from '../../../passes/conditioned.ts';
import { type PursueParams, pursueSamples } from '../../../passes/pursue.ts';

export interface PursuitMoments extends CodeMoments {
  /** Σ‖y − x D‖² */
  readonly residual: number;
  /** Number of non-zero codes. */
  readonly codes: number;
  /** Samples of largest residual, largest first; next: their squared residuals. */
  readonly worst: Matrix64;
  readonly worstResiduals: Float64Array;
}

/** Number of samples of largest residual to keep. */
const WORST = 8;

export const pursuitMomentsPass = definePass<PursueParams, PursuitMoments>(import.meta.url, {
  name: 'pursuit-moments',
  effort: 4,
  contribute: ({ samples }, params, kernels) => pursuitMoments(samples, params, kernels),
  add(total, part) {
    accumulate(total.gram.data, part.gram.data);
    accumulate(total.correlation.data, part.correlation.data);
    const residuals = Float64Array.from([...total.worstResiduals, ...part.worstResiduals]);
    return {
      ...total,
      residual: total.residual + part.residual,
      codes: total.codes + part.codes,
      ...worst(stackRows(total.worst, part.worst), residuals),
    };
  },
  example: (samples) => ({
    params: { atoms: unitRows(firstRows(samples)), conditioning: { scale: 1 }, limits: { keep: 2 } },
  }),
});

function pursuitMoments(samples: Matrix, params: PursueParams, kernels: Kernels): PursuitMoments {
  const { atoms, conditioning } = params;
  const codes = pursueSamples(samples, params, kernels);
  const least = worst(samples, codes.residuals);
  return {
    ...kernels.codeMoments(samples, codes, atoms.rows, conditioning),
    residual: codes.residuals.reduce((sum, residual) => sum + residual, 0),
    codes: codes.values.length,
    ...least,
    worst: conditioned(least.worst, conditioning),
  };
}

/** Returns the rows of largest residual, largest first; of equal ones the earlier first. */
function worst(rows: Matrix, residuals: Float64Array): Pick<PursuitMoments, 'worst' | 'worstResiduals'> {
  const order: number[] = [];
  residuals.forEach((residual, j) => {
    if (order.length === WORST && !(residual > residuals[order[WORST - 1]])) return;
    let at = Math.min(order.length, WORST - 1);
    for (; at > 0 && residual > residuals[order[at - 1]]; at--) order[at] = order[at - 1];
    order[at] = j;
  });
  return { worst: selectRows(rows, order), worstResiduals: Float64Array.from(order, (j) => residuals[j]) };
}
