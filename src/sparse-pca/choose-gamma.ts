/**
 * Thresholds for a wanted number of non-zeros. First one γ for all components by bisection between 0 and the largest standard
 * deviation, every fit from the last one that was too dense, until the mean number is as wanted or nearly. Then, where components
 * differ, each by itself: γ_i between its K-th and its next magnitude, as near to the common γ as that allows, and another fit
 * from there, until all have K.
 */
import { type Matrix64, row } from '../matrix.ts';
import type { Fit, FitRun, Fitter } from './fit.ts';
import { strongestColumn } from './gpower.ts';

const BISECTIONS = 12;
const ADJUSTMENTS = 25;
/** For fits whose threshold is not yet the last one. */
const ROUGH = { tolerance: 1e-4, maxIterations: 20 };
/** Thresholds keep this share of the gap between two magnitudes away from both. */
const MARGIN = 0.1;

export async function fitNonzeros(
  fitter: Fitter,
  R: Matrix64,
  components: number,
  nonzeros: number,
  run: FitRun,
  frame?: Matrix64,
): Promise<Fit> {
  const rough = { ...run, ...ROUGH };
  let [low, high] = [0, strongestColumn(R).norm];
  let iterations = 0;
  const track = async (fit: Promise<Fit>): Promise<Fit> => {
    const found = await fit;
    iterations += found.iterations;
    return { ...found, iterations };
  };
  let dense = await track(fitter(R, new Float64Array(components), rough, frame));
  if (nonzeros >= R.cols || dense.status === 'aborted') return dense;
  for (let round = 0; round < BISECTIONS; round++) {
    const gamma = (low + high) / 2;
    const fit = await track(fitter(R, new Float64Array(components).fill(gamma), rough, dense.frame));
    if (fit.status === 'aborted') return fit;
    const excess = countNonzeros(fit).reduce((sum, count) => sum + count, 0) - nonzeros * components;
    if (excess >= 0) [dense, low] = [fit, gamma];
    else high = gamma;
    if (excess === 0) break;
  }
  const suits = (fit: Fit) => countNonzeros(fit).every((count) => count === nonzeros);
  let fit = dense;
  for (let round = 0; round < ADJUSTMENTS && !suits(fit); round++) {
    fit = await track(fitter(R, gammasNear(low, fit.projections, nonzeros), rough, fit.frame));
    if (fit.status === 'aborted') return fit;
  }
  const last = await track(fitter(R, fit.gammas, run, fit.frame));
  if (last.status === 'aborted' || suits(last)) return last;
  return track(fitter(R, gammasNear(low, last.projections, nonzeros), run, last.frame));
}

export function countNonzeros({ projections, gammas }: Pick<Fit, 'projections' | 'gammas'>): number[] {
  return Array.from(gammas, (gamma, i) => row(projections, i).filter((value) => Math.abs(value) > gamma).length);
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
