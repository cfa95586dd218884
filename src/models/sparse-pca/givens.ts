/**
 * Sparse principal components by rotations: the objective F of the first m rows of P = A R, A (r×r) orthogonal, for the
 * engine of Givens coordinate ascent. A pair of these rows is rotated by the best angle for both, a pair of one of them
 * and a row outside the objective (γ = ∞) by the best angle for the one; other pairs do not matter.
 *
 * Two components with different thresholds turn by at most π/4: beyond that they would swap places, and the stronger
 * one would take the smaller threshold.
 */
import { identity, type Matrix64, stackRows } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { rotateRows } from '../../kernels/planes.ts';
import { orthonormalComplement } from '../../linalg/qr.ts';
import { ascendIn } from '../../rotations/ascend.ts';
import type { RotationObjective } from '../../rotations/coordinate-ascent.ts';
import { PairSearch } from './best-angle.ts';
import type { Fit, FitRun, Fitter } from './fit.ts';
import { fitByGPower } from './gpower.ts';
import { sparsePcaDefaults } from './options.ts';
import { shrunkEnergy } from './shrinkage.ts';

const NO_TURN = Object.freeze({ angle: 0, gain: 0, slope: 0 });

function sparseObjective(R: Matrix64, gammas: Float64Array, kernels: Kernels): RotationObjective {
  const search = new PairSearch();
  const n = R.cols;
  const gammaOf = (i: number) => (i < gammas.length ? gammas[i] : Number.POSITIVE_INFINITY);
  let P = R;
  return {
    size: R.rows,
    restore(A) {
      P = kernels.multiply(A, R, 'nn');
    },
    value: () => shrunkEnergy(P, gammas),
    best(i, j) {
      if (i >= gammas.length) return NO_TURN;
      const ownThresholds = j < gammas.length && gammas[i] !== gammas[j];
      return search.best(P.data, i * n, j * n, n, gammaOf(i), gammaOf(j), ownThresholds ? Math.PI / 4 : Math.PI / 2);
    },
    rotate: (i, j, c, s) => rotateRows(P, i, j, c, s),
  };
}

/**
 * Starts from a given frame, or from both the principal components and the result of the power method from there
 * (cheap, and often another local maximum); the better result is kept.
 */
export const fitByGivens: Fitter = async (R, gammas, run, frame) => {
  if (frame) return rotateFrom(frame, R, gammas, run);
  const direct = await rotateFrom(identity(R.rows), R, gammas, run);
  if (direct.status === 'aborted') return direct;
  const power = await fitByGPower(R, gammas, run);
  if (power.status === 'aborted') return { ...direct, status: 'aborted', reason: power.reason };
  const onward = await rotateFrom(stackRows(power.frame, orthonormalComplement(power.frame)), R, gammas, run);
  const better = onward.objective > direct.objective ? onward : direct;
  const { status, reason } = onward.status === 'aborted' ? onward : better;
  return { ...better, status, reason, iterations: direct.iterations + onward.iterations };
};

/** Fits from one start, the rows of `frame` (r×r). */
export async function rotateFrom(frame: Matrix64, R: Matrix64, gammas: Float64Array, run: FitRun): Promise<Fit> {
  const { maxIterations, tolerance, translate, seed, pairs = sparsePcaDefaults.pairs } = run;
  const { kernels } = run.run;
  const objective = sparseObjective(R, gammas, kernels);
  const options = {
    start: frame,
    pairs,
    seed,
    maxIterations,
    tolerance: 1e-12,
    objectiveTolerance: tolerance,
  } as const;
  const { state, status, reason, iterations } = await ascendIn(run.run, objective, options, translate);
  const U = { rows: gammas.length, cols: R.rows, data: state.atoms.data.subarray(0, gammas.length * R.rows) };
  const projections = kernels.multiply(U, R, 'nn');
  const reached = shrunkEnergy(projections, gammas);
  return { frame: state.atoms, projections, gammas, objective: reached, status, reason, iterations };
}
