/** Principal components as atoms: the orthogonal basis whose first few atoms hold the most energy of the data. */

import type { Matrix, Matrix64 } from '../core/matrix.ts';
import { requireFiniteMatrix } from '../core/require-matrix.ts';
import { selectKernels } from '../kernels/select.ts';
import { eigh } from '../linalg/eigh.ts';

/** Returns n×n atoms, by descending energy; the mean is not subtracted. */
export async function pcaAtoms(samples: Matrix): Promise<Matrix64> {
  requireFiniteMatrix('pcaAtoms', 'samples', samples);
  const kernels = await selectKernels('auto');
  return eigh(kernels.covariance(samples, { scale: 1 }, 'f64'), kernels).vectors;
}
