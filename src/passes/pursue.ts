/** Codes of samples by orthogonal matching pursuit. */
import { type Matrix64, zeros } from '../core/matrix.ts';
import type { Conditioning, Kernels } from '../kernels/kernels.ts';
import { type PursuitLimits, pursue, type SparseCodes } from '../linalg/pursuit.ts';

export interface PursueParams {
  /** D, K×n, unit rows. */
  readonly atoms: Matrix64;
  readonly conditioning: Conditioning;
  readonly limits: PursuitLimits;
}

/** Without a limit a pursuit ends at this relative residual: samples without noise are then fully explained. */
const NOTHING_LEFT = 1e-6;

/** Y: conditioned samples. */
export function pursueSamples(
  Y: Matrix64,
  { atoms, limits }: Pick<PursueParams, 'atoms' | 'limits'>,
  kernels: Kernels,
): SparseCodes {
  const { rows, cols, data } = Y;
  const energies = new Float64Array(rows);
  for (let j = 0; j < rows; j++) {
    for (let at = j * cols; at < (j + 1) * cols; at++) energies[j] += data[at] * data[at];
  }
  const gram = kernels.multiply(atoms, atoms, 'nt');
  const most = Math.min(limits.keep ?? cols, cols);
  return pursue(kernels.multiply(Y, atoms, 'nt'), energies, gram, most, limits.residual ?? NOTHING_LEFT);
}

/** b×K. */
export function expand({ starts, atoms, values }: SparseCodes, components: number): Matrix64 {
  const X = zeros(starts.length - 1, components);
  for (let j = 0; j < X.rows; j++) {
    for (let at = starts[j]; at < starts[j + 1]; at++) X.data[j * components + atoms[at]] = values[at];
  }
  return X;
}
