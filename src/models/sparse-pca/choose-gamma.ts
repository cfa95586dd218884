/**
 * Components with K non-zeros each. First one γ for all, by bisection between 0 and the largest standard deviation,
 * until the mean number of non-zeros is near K; every fit starts from the last one that was too dense. Then, with top_K
 * for the K entries of largest magnitude of a row,
 *
 *     maximise Σ_i ‖top_K(P_i)‖²,  P = U R:     U ← polar(top_K(U R) Rᵀ)
 *
 * which never falls (it is convex in U), until it stalls. Loadings are top_K(P_i)/‖·‖: K non-zeros each, not shrunk.
 * The thresholds in the result lie half-way between the smallest magnitude kept and the next.
 */
import { copy, type Matrix64, range, row, selectRows, unitRows } from '../../core/matrix.ts';
import type { Fit, FitRun, Fitter } from './fit.ts';
import { powerAscent, strongestColumn } from './gpower.ts';
import { shrunkEnergy } from './shrinkage.ts';

const BISECTIONS = 8;
/** The bisection ends when the total number of non-zeros is within this share of the wanted one. */
const NEAR = 0.02;
/** Limits of the fits before the last threshold. */
const ROUGH = { tolerance: 1e-3, maxIterations: 6 };

export async function fitNonzeros(
  fitter: Fitter,
  R: Matrix64,
  components: number,
  nonzeros: number,
  run: FitRun,
): Promise<Fit> {
  const { fit, iterations } = await bisect(fitter, R, components, nonzeros, run);
  if (fit.status === 'aborted') return { ...fit, loadings: unitRows(largest(fit.projections, nonzeros)) };
  const U = selectRows(fit.frame, range(components));
  const kept = (P: Matrix64) => largest(P, nonzeros);
  const last = await powerAscent(R, U, kept, (P) => shrunkEnergy(kept(P), new Float64Array(components)), run);
  return {
    ...last,
    gammas: gammasBetween(last.projections, nonzeros),
    loadings: unitRows(kept(last.projections)),
    iterations: iterations + last.iterations,
  };
}

/** Finds one threshold for all components; returns its fit, and the iterations of all fits. */
async function bisect(
  fitter: Fitter,
  R: Matrix64,
  components: number,
  nonzeros: number,
  run: FitRun,
): Promise<{ fit: Fit; iterations: number }> {
  let gamma = firstGuess(R, components, nonzeros);
  let [low, high] = [0, strongestColumn(R).norm];
  let iterations = 0;
  let dense: Fit | undefined;
  for (let round = 1; ; round++) {
    const fit = await fitter(R, new Float64Array(components).fill(gamma), { ...run, ...ROUGH }, dense?.frame);
    iterations += fit.iterations;
    const excess = countNonzeros(fit).reduce((sum, count) => sum + count, 0) - nonzeros * components;
    const near = Math.abs(excess) <= NEAR * nonzeros * components;
    if (fit.status === 'aborted' || near || round === BISECTIONS) return { fit, iterations };
    if (excess > 0) [dense, low] = [fit, gamma];
    else high = gamma;
    gamma = (low + high) / 2;
  }
}

function countNonzeros({ projections, gammas }: Pick<Fit, 'projections' | 'gammas'>): number[] {
  return Array.from(gammas, (gamma, i) => row(projections, i).filter((value) => Math.abs(value) > gamma).length);
}

/** Keeps the K largest magnitudes of every row and sets the others to zero; among equal ones keeps the first. */
export function largest(P: Matrix64, count: number): Matrix64 {
  const out = copy(P);
  for (let i = 0; i < P.rows; i++) {
    const values = row(out, i);
    const order = Array.from(values.keys()).sort((a, b) => Math.abs(values[b]) - Math.abs(values[a]) || a - b);
    for (const k of order.slice(count)) values[k] = 0;
  }
  return out;
}

/** Mean threshold of the principal components. */
function firstGuess(R: Matrix64, components: number, nonzeros: number): number {
  const leading = { rows: components, cols: R.cols, data: R.data.subarray(0, components * R.cols) };
  return gammasBetween(leading, nonzeros).reduce((sum, gamma) => sum + gamma, 0) / components;
}

/** Thresholds half-way between the magnitudes ranked K and K + 1 of every row; 0 if it has no more than K. */
export function gammasBetween(P: Matrix64, nonzeros: number): Float64Array {
  return Float64Array.from({ length: P.rows }, (_, i) => {
    const sizes = row(P, i).map(Math.abs).sort().reverse();
    return nonzeros < sizes.length ? (sizes[nonzeros - 1] + sizes[nonzeros]) / 2 : 0;
  });
}
