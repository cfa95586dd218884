/** The sums that K-SVD needs: Xᵀ X and Xᵀ Y of the codes X that a pursuit finds, and the residual. */
import { firstRows, type Matrix64, selectRows, stackRows, unitRows, zeros } from '../../../core/matrix.ts';
import { accumulate } from '../../../engine/pass.ts';
import { definePass } from '../../../engine/registry.ts';
import type { Kernels } from '../../../kernels/kernels.ts';
import { conditioned } from '../../../passes/conditioned.ts';
import { type PursueParams, pursueSamples } from '../../../passes/pursue.ts';

export interface PursuitMoments {
  /** Xᵀ X, K×K. */
  readonly gram: Matrix64;
  /** Xᵀ Y, K×n. */
  readonly correlation: Matrix64;
  /** Σ‖y − x D‖² */
  readonly residual: number;
  /** Number of non-zero codes. */
  readonly codes: number;
  /** The samples of largest residual, largest first, and their squared residuals. */
  readonly worst: Matrix64;
  readonly worstResiduals: Float64Array;
}

/** How many samples of largest residual are kept. */
const WORST = 8;

export const pursuitMomentsPass = definePass<PursueParams, PursuitMoments>(import.meta.url, {
  name: 'pursuit-moments',
  effort: 16,
  contribute: ({ samples }, params, kernels) =>
    pursuitMoments(conditioned(samples, params.conditioning), params, kernels),
  add(total, part) {
    accumulate(total.gram.data, part.gram.data);
    accumulate(total.correlation.data, part.correlation.data);
    return {
      ...total,
      residual: total.residual + part.residual,
      codes: total.codes + part.codes,
      ...largest(
        stackRows(total.worst, part.worst),
        Float64Array.from([...total.worstResiduals, ...part.worstResiduals]),
      ),
    };
  },
  example: (samples) => ({
    params: { atoms: unitRows(firstRows(samples)), conditioning: { scale: 1 }, limits: { keep: 2 } },
  }),
});

function pursuitMoments(Y: Matrix64, params: PursueParams, kernels: Kernels): PursuitMoments {
  const [K, n] = [params.atoms.rows, Y.cols];
  const { starts, atoms, values, residuals } = pursueSamples(Y, params, kernels);
  const gram = zeros(K, K);
  const correlation = zeros(K, n);
  for (let j = 0; j < Y.rows; j++) {
    for (let at = starts[j]; at < starts[j + 1]; at++) {
      const [k, x] = [atoms[at], values[at]];
      for (let i = 0, to = k * n, from = j * n; i < n; i++) correlation.data[to++] += x * Y.data[from++];
      for (let other = starts[j]; other < starts[j + 1]; other++) gram.data[k * K + atoms[other]] += x * values[other];
    }
  }
  return {
    gram,
    correlation,
    residual: residuals.reduce((sum, residual) => sum + residual, 0),
    codes: values.length,
    ...largest(Y, residuals),
  };
}

function largest(samples: Matrix64, residuals: Float64Array): Pick<PursuitMoments, 'worst' | 'worstResiduals'> {
  const order = Array.from(residuals.keys())
    .sort((a, b) => residuals[b] - residuals[a])
    .slice(0, WORST);
  return { worst: selectRows(samples, order), worstResiduals: Float64Array.from(order, (j) => residuals[j]) };
}
