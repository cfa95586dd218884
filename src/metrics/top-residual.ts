/**
 * The energy lost when each sample keeps only its k largest codes in an orthogonal dictionary.
 *
 *     X = Y Aᵀ,  residual = Σ_j (‖y_j‖² − Σ_{i in the top k of |x_j|} x_ji²) / Σ_j ‖y_j‖²
 *
 * The rows of A are orthonormal, so energies suffice: nothing is reconstructed.
 */

import { inputError } from '../core/errors.ts';
import { type Matrix, row, toFloat64 } from '../core/matrix.ts';
import { requireMatrixForm, requireNumbers } from '../core/require-matrix.ts';
import { cumulatedEnergies } from '../passes/kept-energies.ts';
import { innerProducts } from './atoms.ts';

/**
 * ‖Y − Ŷ‖² / ‖Y‖², in [0, 1], when every sample keeps k codes. Samples p×n; atoms K×n, orthonormal rows.
 * 0 for samples that are all zero.
 */
export function topResidual(samples: Matrix, atoms: Matrix, k: number): number {
  return topResiduals(samples, atoms, [k])[0];
}

/** `topResidual` for several k in one pass over the samples. */
export function topResiduals(samples: Matrix, atoms: Matrix, ks: readonly number[]): number[] {
  validate(samples, atoms, ks);
  const A = toFloat64(atoms);
  const left = ks.map(() => 0);
  let total = 0;
  for (let j = 0; j < samples.rows; j++) {
    const y = Float64Array.from(row(samples, j));
    const energy = y.reduce((sum, value) => sum + value ** 2, 0);
    const codes = innerProducts({ rows: 1, cols: y.length, data: y }, A).data;
    const { smallest } = cumulatedEnergies(codes.map((x) => x ** 2));
    total += energy;
    ks.forEach((k, at) => {
      left[at] += Math.max(0, energy - (smallest[A.rows] - smallest[A.rows - k]));
    });
  }
  return left.map((value) => (total === 0 ? 0 : value / total));
}

function validate(samples: Matrix, atoms: Matrix, ks: readonly number[]): void {
  requireMatrixForm('topResidual', 'samples', samples);
  requireMatrixForm('topResidual', 'atoms', atoms);
  requireNumbers('topResidual', 'k', ks);
  if (samples.cols !== atoms.cols) {
    throw inputError('topResidual', 'samples', `of length ${atoms.cols}, like the atoms`, `length ${samples.cols}`);
  }
  for (const k of ks) {
    if (Number.isInteger(k) && k >= 0 && k <= atoms.rows) continue;
    throw inputError('topResidual', 'k', `a whole number from 0 to ${atoms.rows}`, k);
  }
}
