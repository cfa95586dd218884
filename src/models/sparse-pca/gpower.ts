/**
 * The generalised power method (GPower) of Journée, Nesterov, Richtárik & Sepulchre 2010, ℓ1: F is convex in U, so
 *
 *     U ← polar(soft_γ(U R) Rᵀ)
 *
 * never lowers it. All components at once (block), or one after the other with deflation R ← R − (R zᵀ) z of what the
 * loading z explains. One component starts from the feature of largest energy, as in the paper; several start from the
 * principal components: the paper's start, random directions beside that feature, leaves most of them without an entry above
 * γ forever.
 */
import { breather } from '../../core/breathe.ts';
import { copy, type Matrix64, rootMeanSquareDifference, row, transpose, zeros } from '../../core/matrix.ts';
import type { Run } from '../../engine/run.ts';
import type { Solver, SolverState } from '../../engine/solver.ts';
import { matrix, number, orthogonal } from '../../engine/state-shape.ts';
import { stopAfterIterations, stopWhenObjectiveStalls } from '../../engine/stop.ts';
import { qr } from '../../linalg/qr.ts';
import type { Fit, FitRun, Fitter } from './fit.ts';
import { nearestOrthonormalRows } from './orthonormal-rows.ts';
import { shrink, shrunkEnergy } from './shrinkage.ts';

interface GPowerState extends SolverState {
  /** U, m×r. */
  readonly frame: Matrix64;
  readonly projections: Matrix64;
  readonly objective: number;
  readonly change: number;
}

/** The generalised power method. */
export const fitByGPower: Fitter = async (R, gammas, run, frame = startFor(R, gammas.length)) => {
  const energy = (P: Matrix64) => shrunkEnergy(P, gammas);
  return { ...(await powerAscent(R, frame, (P) => shrink(P, gammas), energy, run)), gammas };
};

/** Repeats U ← polar(response(U R) Rᵀ) until the objective of U R stalls; the response is its gradient, up to a factor. */
export async function powerAscent(
  R: Matrix64,
  start: Matrix64,
  response: (P: Matrix64) => Matrix64,
  objective: (P: Matrix64) => number,
  run: FitRun,
): Promise<Omit<Fit, 'gammas'>> {
  const { maxIterations, tolerance, translate } = run;
  const solver = powerSolver(R, start, response, objective, run.run);
  const stop = [stopWhenObjectiveStalls(tolerance), stopAfterIterations(maxIterations)];
  const end = await run.run.drive(solver, { stop, samplesPerStep: R.rows }, translate);
  const { frame, projections, objective: reached } = end.state;
  const { status, reason, iterations } = end;
  return { frame, projections, objective: reached, status, reason, iterations };
}

function powerSolver(
  R: Matrix64,
  start: Matrix64,
  response: (P: Matrix64) => Matrix64,
  objective: (P: Matrix64) => number,
  { kernels, signal }: Run,
): Solver<GPowerState> {
  const breathe = breather(signal);
  const at = (U: Matrix64, change: number): GPowerState => {
    const projections = kernels.multiply(U, R, 'nn');
    return { frame: U, projections, objective: objective(projections), change };
  };
  return {
    name: 'gpower',
    shape: {
      frame: orthogonal(start.rows, R.rows, kernels),
      projections: matrix(start.rows, R.cols),
      objective: number,
      change: number,
    },
    init: async () => at(start, Number.POSITIVE_INFINITY),
    async step({ frame: U, projections }) {
      await breathe();
      const next = nearestOrthonormalRows(kernels.multiply(response(projections), R, 'nt'), U);
      return at(next, rootMeanSquareDifference(next, U));
    },
    report: ({ objective: value, change }) => ({ objective: value, change }),
  };
}

function startFor(R: Matrix64, components: number): Matrix64 {
  const U = zeros(components, R.rows);
  for (let i = 0; i < components; i++) U.data[i * R.rows + i] = 1;
  if (components > 1) return U;
  const { column } = strongestColumn(R);
  for (let k = 0; k < R.rows; k++) U.data[k] = R.data[k * R.cols + column];
  return transpose(qr(transpose(U)).q);
}

/** The feature with the largest standard deviation, and this deviation. */
export function strongestColumn(R: Matrix64): { column: number; norm: number } {
  const squares = new Float64Array(R.cols);
  for (let k = 0; k < R.data.length; k++) squares[k % R.cols] += R.data[k] ** 2;
  const column = squares.reduce((best, square, k) => (square > squares[best] ? k : best), 0);
  return { column, norm: Math.sqrt(squares[column]) };
}

/** Deflates R by a unit row z: R − (R zᵀ) z. */
export function deflate(R: Matrix64, z: Float64Array): Matrix64 {
  const out = copy(R);
  for (let i = 0; i < R.rows; i++) {
    const values = row(out, i);
    const inner = values.reduce((sum, value, k) => sum + value * z[k], 0);
    for (let k = 0; k < values.length; k++) values[k] -= inner * z[k];
  }
  return out;
}
