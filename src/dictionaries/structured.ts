/** Makes an orthogonal dictionary from a map that is not stored as a matrix. */

import type { Matrix64 } from '../core/matrix.ts';
import type { FastTransform } from '../kernels/kernels.ts';
import type { Dictionary } from './dictionary.ts';
import { coding } from './encode.ts';
import { requireMean } from './require-shape.ts';

export function structuredDictionary(
  features: number,
  transform: FastTransform,
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
    ...coding,
  };
}
