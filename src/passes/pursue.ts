/** Codes of samples by orthogonal matching pursuit. */
import { type Matrix, type Matrix64, zeros } from '../core/matrix.ts';
import type { Conditioning, Kernels, SparseCodes } from '../kernels/kernels.ts';

/** When to stop the pursuit of a sample. */
export interface PursuitLimits {
  /** Stop after this many atoms; default: the length of a sample. */
  readonly keep?: number | undefined;
  /** Stop as soon as ‖r‖ ≤ residual·‖y‖. */
  readonly residual?: number | undefined;
}

export interface PursueParams {
  /** D, K×n, unit rows. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  readonly limits: PursuitLimits;
}

/** Without a limit a pursuit ends at this relative residual: samples without noise are then fully explained. */
const NOTHING_LEFT = 1e-6;

export function pursueSamples(
  samples: Matrix,
  { atoms, conditioning, limits }: PursueParams,
  kernels: Kernels,
): SparseCodes {
  const keep = Math.min(limits.keep ?? samples.cols, samples.cols);
  return kernels.pursue({ samples, atoms, conditioning, keep, residual: limits.residual ?? NOTHING_LEFT });
}

/** Writes sparse codes as a matrix, b×K. */
export function expand({ starts, atoms, values }: SparseCodes, components: number): Matrix64 {
  const X = zeros(starts.length - 1, components);
  for (let j = 0; j < X.rows; j++) {
    for (let at = starts[j]; at < starts[j + 1]; at++) X.data[j * components + atoms[at]] = values[at];
  }
  return X;
}
