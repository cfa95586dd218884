/** An orthogonal dictionary given by a map that is not stored as a matrix; the inverse is as cheap. */

import { type Matrix64, precisionOf } from '../core/matrix.ts';
import { requireMatrixForm } from '../core/require-matrix.ts';
import type { FastTransform } from '../kernels/kernels.ts';
import { selectKernels } from '../kernels/select.ts';
import type { Dictionary } from './dictionary.ts';
import { addMean, encode, requireColumns, requireMean } from './encoding.ts';

export function structuredDictionary(
  features: number,
  transform: FastTransform,
  inverse: FastTransform,
  formAtoms: () => Matrix64,
  mean: Float64Array | undefined,
): Dictionary {
  requireMean(mean, features);
  let atoms: Matrix64 | undefined;
  return {
    components: features,
    features,
    transform,
    get atoms() {
      atoms ??= formAtoms();
      return atoms;
    },
    get encoder() {
      return this.atoms;
    },
    mean,
    encode(samples, selection = {}) {
      return encode(this, samples, selection);
    },
    async decode(codes) {
      requireMatrixForm('decode', 'codes', codes);
      requireColumns('decode', 'codes', codes, features, 'atoms');
      const kernels = await selectKernels('auto');
      return addMean(kernels.transform(codes, inverse, { scale: 1 }, precisionOf(codes)), mean);
    },
  };
}
