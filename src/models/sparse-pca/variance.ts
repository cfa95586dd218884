/**
 * Sparse principal components that maximise the adjusted variance itself. With scores T = Z Rᵀ of unit loadings Z, the
 * rows by descending norm, and T = S Q (S lower triangular, Q orthonormal rows),
 *
 *     V(Z) = Σ_i S_ii² − γ² ‖Z‖₀            the adjusted variance (Zou, Hastie & Tibshirani 2006), less a price per non-zero
 *
 * over loadings with K non-zeros each (γ = 0), with N non-zeros together, or with any number and a price γ².
 *
 * A cycle replaces one component after the other: the scores of the others are projected away, and the truncated power method
 * (truncated-power.ts) looks from several starts for what adds most. A replacement counts if V rises. From Z = 0 the first cycle
 * is deflation; the other start is the principal components, truncated. The better of the two after one step is followed to its
 * end, where no component can be replaced. All of it needs only C = RᵀR, and G = Z C Zᵀ for V: S is its Cholesky factor.
 *
 * With N non-zeros together, component i has as many as the N largest |p_ik| of all components, p_i = u_i R, put into
 * row i; counts follow after every cycle, if V rises.
 */
import { breather } from '../../core/breathe.ts';
import { type Matrix64, rootMeanSquareDifference, zeros } from '../../core/matrix.ts';
import type { Outcome } from '../../engine/iterate.ts';
import type { Solver, SolverState } from '../../engine/solver.ts';
import { number, unitRows, vector } from '../../engine/state-shape.ts';
import { stopAfterIterations, stopWhenChangeBelow, stopWhenObjectiveStalls } from '../../engine/stop.ts';
import { firstCounts } from './counts.ts';
import { covarianceOperator } from './covariance.ts';
import type { Fit, FitRun } from './fit.ts';
import type { Sparsity } from './options.ts';
import {
  finishOne,
  improveOne,
  type Place,
  placeOf,
  principalPlace,
  replaceOne,
  shareAgain,
  thresholdsOf,
  type VarianceProblem,
} from './place.ts';

interface VarianceState extends SolverState {
  /** Loadings, m×n; rows have norm 1 or 0. */
  readonly loadings: Matrix64;
  /** Number of non-zeros that each component may have. */
  readonly counts: Float64Array;
  readonly objective: number;
  readonly change: number;
}

type VarianceFit = Pick<Fit, 'gammas' | 'objective' | 'status' | 'reason' | 'iterations'> & {
  readonly loadings: Matrix64;
};

/** Maximises V. The rows of R are orthogonal, by descending norm: the principal components. */
export async function fitByVariance(R: Matrix64, sparsity: Sparsity, run: FitRun): Promise<VarianceFit> {
  const C = covarianceOperator(R, run.run.kernels);
  const problem = { C, price: (sparsity.gamma ?? 0) ** 2, total: sparsity.totalNonzeros };
  const { state, ...end } = await ascendFromBetter(problem, R, firstCounts(R, sparsity), run);
  const { loadings, counts, objective } = state;
  return { ...end, loadings, objective, gammas: thresholdsOf(problem, placeOf(problem, loadings, counts)) };
}

/** Takes one step from each start, and continues from the better result. */
async function ascendFromBetter(
  problem: VarianceProblem,
  R: Matrix64,
  counts: Float64Array,
  run: FitRun,
): Promise<Outcome<VarianceState>> {
  const nothing = placeOf(problem, zeros(counts.length, R.cols), counts);
  const direct = await ascend(problem, principalPlace(problem, R, counts), run, 1);
  if (direct.status === 'aborted') return direct;
  const deflating = await ascend(problem, nothing, run, 1);
  const better = deflating.state.objective > direct.state.objective ? deflating : direct;
  const left = run.maxIterations - 1;
  const iterations = direct.iterations + deflating.iterations;
  if (deflating.status === 'aborted' || left === 0) return { ...deflating, state: better.state, iterations };
  const end = await ascend(problem, placeOf(problem, better.state.loadings, better.state.counts), run, left);
  return { ...end, iterations: iterations + end.iterations };
}

function ascend(problem: VarianceProblem, start: Place, { run, tolerance, translate }: FitRun, maxIterations: number) {
  const stop = [stopWhenChangeBelow(0), stopWhenObjectiveStalls(tolerance), stopAfterIterations(maxIterations)];
  const solver = varianceSolver(problem, start, run.signal);
  return run.drive(solver, { stop, samplesPerStep: problem.C.features }, translate);
}

/** Relative gain for which components are improved once more before new ones are searched for. */
const WORTH_A_CYCLE = 1e-4;

function varianceSolver(problem: VarianceProblem, start: Place, signal?: AbortSignal): Solver<VarianceState> {
  const [m, n] = [start.loadings.rows, start.loadings.cols];
  const breathe = breather(signal);
  const cycle = async (place: Place, change: typeof replaceOne) => {
    let next = place;
    for (let i = 0; i < m; i++) {
      await breathe();
      next = change(problem, next, i);
    }
    return next;
  };
  return {
    name: 'variance',
    shape: {
      loadings: unitRows(m, n, true),
      counts: vector(m, { least: 0, most: n }),
      objective: number,
      change: number,
    },
    init: async () => stateOf(start, Number.POSITIVE_INFINITY),
    async step({ loadings, counts }) {
      const before = placeOf(problem, loadings, counts);
      let place = await cycle(before, replaceOne);
      if (problem.total !== undefined) place = shareAgain(problem, place, problem.total);
      if (place === before) return stateOf(await cycle(place, finishOne), 0);
      for (let last = before; place.objective > last.objective + WORTH_A_CYCLE * Math.abs(last.objective); ) {
        last = place;
        place = await cycle(place, improveOne);
      }
      return stateOf(place, rootMeanSquareDifference(place.loadings, loadings));
    },
    report: ({ objective, change }) => ({ objective, change }),
  };
}

const stateOf = ({ loadings, counts, objective }: Place, change: number): VarianceState => ({
  loadings,
  counts,
  objective,
  change,
});
