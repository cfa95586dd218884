/** What every method of sparse principal components takes and returns. */
import type { Matrix64 } from '../../core/matrix.ts';
import type { Run } from '../../engine/run.ts';
import type { Progress, Status } from '../../engine/stop.ts';
import type { PairRule } from '../../rotations/pairs.ts';

/** Limits and progress reports of a fit. */
export interface FitRun {
  readonly run: Run;
  readonly maxIterations: number;
  readonly tolerance: number;
  readonly seed: number;
  /** Order of the planes, for methods that rotate; default: that of the options. */
  readonly pairs?: PairRule | undefined;
  /** Changes the progress on its way to the caller. */
  readonly translate?: ((progress: Progress) => Progress) | undefined;
}

/** Loadings that a method of sparse PCA found. */
export interface Fit {
  /** Orthonormal rows from which a fit with another threshold can start; the first m are U. */
  readonly frame: Matrix64;
  /** P = U R, m×n. */
  readonly projections: Matrix64;
  readonly gammas: Float64Array;
  /** Loadings as unit rows, m×n; absent if they are soft_γ(P)/‖·‖. */
  readonly loadings?: Matrix64;
  /** The objective F(U), or Σ‖top_K(P_i)‖² if the number of non-zeros is given. */
  readonly objective: number;
  readonly status: Status;
  readonly reason: string;
  readonly iterations: number;
}

/** Maximises F over U for thresholds of m components, from its own start or a given frame. */
export type Fitter = (R: Matrix64, gammas: Float64Array, run: FitRun, frame?: Matrix64) => Promise<Fit>;
