/**
 * Thresholds for a wanted number K of non-zeros. First one γ for all components by bisection between 0 and the largest standard
 * deviation, every fit from the last one that was too dense, until the mean number is as wanted or nearly. Then, where components
 * differ, each by itself: γ_i between its K-th and its next magnitude, as near to the common γ as that allows, a sweep from
 * there, and again. Last, a fit with these thresholds; should that change the number of non-zeros, the projections before it
 * count, whose number is K by construction.
 */
import { type Matrix64, row, selectRows } from '../matrix.ts';
import type { Fit, FitRun, Fitter } from './fit.ts';
import { strongestColumn } from './gpower.ts';
import { shrunkEnergy } from './shrinkage.ts';

const BISECTIONS = 12;
const ADJUSTMENTS = 20;
/** For fits whose threshold is not yet the last one. */
const ROUGH = { tolerance: 1e-3, maxIterations: 6 };
/** Thresholds keep this share of the gap between two magnitudes away from both. */
const MARGIN = 0.1;

export async function fitNonzeros(
  fitter: Fitter,
  R: Matrix64,
  components: number,
  nonzeros: number,
  run: FitRun,
): Promise<Fit> {
  let iterations = 0;
  const fitFrom = async (frame: Matrix64 | undefined, gammas: Float64Array, how: Partial<FitRun>): Promise<Fit> => {
    const fit = await fitter(R, gammas, { ...run, ...how }, frame);
    iterations += fit.iterations;
    return { ...fit, iterations };
  };
  const wanted = (fit: Fit) => countNonzeros(fit).every((count) => count === nonzeros);
  if (nonzeros >= R.cols) return fitFrom(undefined, new Float64Array(components), {});

  let gamma = firstGuess(R, components, nonzeros);
  let [low, high] = [0, strongestColumn(R).norm];
  let fit: Fit | undefined;
  let dense: Fit | undefined;
  for (let round = 0; round < BISECTIONS; round++) {
    fit = await fitFrom(dense?.frame, new Float64Array(components).fill(gamma), ROUGH);
    if (fit.status === 'aborted') return fit;
    const excess = countNonzeros(fit).reduce((sum, count) => sum + count, 0) - nonzeros * components;
    if (excess === 0) break;
    if (excess > 0) [dense, low] = [fit, gamma];
    else high = gamma;
    gamma = (low + high) / 2;
  }
  fit = fit!;
  for (let round = 0; round < ADJUSTMENTS && !wanted(fit); round++) {
    fit = await fitFrom(fit.frame, gammasNear(gamma, fit.projections, nonzeros), { maxIterations: 1 });
    if (fit.status === 'aborted') return fit;
  }
  fit = withNonzeros(fit, gamma, nonzeros);
  const last = await fitFrom(fit.frame, fit.gammas, {});
  return last.status === 'aborted' || wanted(last) ? last : { ...fit, iterations };
}

export function countNonzeros({ projections, gammas }: Pick<Fit, 'projections' | 'gammas'>): number[] {
  return Array.from(gammas, (gamma, i) => row(projections, i).filter((value) => Math.abs(value) > gamma).length);
}

/** The same projections with thresholds that leave K of each. */
function withNonzeros(fit: Fit, gamma: number, nonzeros: number): Fit {
  const gammas = gammasNear(gamma, fit.projections, nonzeros);
  const objective = shrunkEnergy(fit.projections, gammas);
  return { ...fit, gammas, objective, status: 'exhausted', reason: 'non-zeros as wanted, but thresholds did not settle' };
}

/** Mean magnitude at place K of the principal components. */
function firstGuess(R: Matrix64, components: number, nonzeros: number): number {
  const leading = selectRows(R, Array.from({ length: components }, (_, i) => i));
  return gammasNear(0, leading, nonzeros).reduce((sum, value) => sum + value, 0) / components;
}

/** For every row of P a threshold between its magnitudes at places K and K + 1; 0 where it has no more than K. */
export function gammasNear(gamma: number, P: Matrix64, nonzeros: number): Float64Array {
  return Float64Array.from({ length: P.rows }, (_, i) => {
    const sizes = row(P, i).map(Math.abs).sort().reverse();
    if (nonzeros >= sizes.length) return 0;
    const [above, below] = [sizes[nonzeros - 1], sizes[nonzeros]];
    const margin = MARGIN * (above - below);
    return Math.min(Math.max(gamma, below + margin), above - margin);
  });
}
