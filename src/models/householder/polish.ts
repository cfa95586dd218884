/**
 * Alternating least squares on known zeros, without a prior, until rounding: y_ij = a_i·c_j wherever x_ij = 0.
 *
 * Features with no more zeros than coefficients fit anything and say nothing about C; in directions that their zeros do
 * not determine, their coefficients stay as they were. As residuals fall, codes that were small but not zero stand out
 * and are dropped.
 */
import type { Pause } from '../../core/breathe.ts';
import { copy, type Matrix64, transpose } from '../../core/matrix.ts';
import { qr } from '../../linalg/qr.ts';
import { FeatureFit } from './feature-fit.ts';
import { type Features, type ZeroMask, zeroCount } from './features.ts';
import { fitLoadings, type LowRank, spreadOf, timesLower } from './low-rank.ts';

const MAX_ITERATIONS = 300;
const LEAST_ITERATIONS = 3;
/** Ridge relative to the unit columns of C: affects only what the zeros do not determine. */
const RIDGE = 1e-12;
const ROUNDING = 1e-15;
/** If residuals fall by less than this factor per step, only rounding is left. */
const STALLED = 0.98;
/** Residuals of this many standard deviations are codes. */
const OUTSTANDING = 30;

export async function polish(features: Features, found: LowRank, pause: Pause): Promise<LowRank> {
  const n = features.count;
  const r = found.rank;
  const zeros = found.zeros.slice();
  let { coefficients: A, loadings: C } = found;
  let last = Number.POSITIVE_INFINITY;
  let iterations = 0;
  // its own loop, not `iterate`: it runs for milliseconds, after every fit
  for (; iterations < MAX_ITERATIONS; iterations++) {
    await pause();
    ({ A, C } = orthonormalise(A, C));
    const fit = new FeatureFit(features, C.data, r);
    for (let i = 0; i < n; i++) {
      const a = A.data.subarray(i * r, (i + 1) * r);
      fit.fit(i, zeros, RIDGE, a);
      a.set(fit.coefficients);
    }
    if (!fitLoadings(features, A, C, zeros, r)) return found;
    const cut = OUTSTANDING * spreadOf(features, A, C, zeros, r) + ROUNDING;
    const residual = trim(features, A, C, zeros, iterations < LEAST_ITERATIONS ? Number.POSITIVE_INFINITY : cut);
    if (residual < ROUNDING || (iterations >= LEAST_ITERATIONS && residual > STALLED * last)) break;
    last = residual;
  }
  ({ A, C } = orthonormalise(A, C));
  return { ...found, zeros, coefficients: A, loadings: C, iterations: found.iterations + iterations };
}

/** Factors A Cᵀ again, with orthonormal columns of C. */
function orthonormalise(A: Matrix64, C: Matrix64): { A: Matrix64; C: Matrix64 } {
  const { q, r } = qr(C);
  const turned = copy(A);
  timesLower(turned, transpose(r));
  return { A: turned, C: q };
}

/**
 * Drops the zeros whose residual exceeds the cut; returns the root mean square of the others, over informative
 * features.
 */
function trim({ count, samples: p, values }: Features, A: Matrix64, C: Matrix64, mask: ZeroMask, cut: number): number {
  const r = A.cols;
  let sum = 0;
  let entries = 0;
  for (let i = 0; i < count; i++) {
    if (zeroCount(mask, i, p) <= r) continue;
    for (let j = 0; j < p; j++) {
      if (!mask[i * p + j]) continue;
      let residual = values[i * p + j];
      for (let k = 0; k < r; k++) residual -= A.data[i * r + k] * C.data[j * r + k];
      if (Math.abs(residual) > cut) mask[i * p + j] = 0;
      else {
        sum += residual ** 2;
        entries++;
      }
    }
  }
  return Math.sqrt(sum / Math.max(1, entries));
}
