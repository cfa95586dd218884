/** Samples whose non-zero codes are Laplacian instead of normal, of variance 1. */
import { type Matrix, type Matrix64, zeros } from '../../core/matrix.ts';
import { createRandom } from '../../core/random.ts';
import { referenceKernels } from '../../kernels/reference.ts';
import { randomDictionary } from '../../synthetic/random-dictionary.ts';
import type { Point } from '../framework/experiment.ts';

/** Point: n, p, theta. */
export function laplaceSamples({ n, p, theta }: Point, seed: number): { samples: Matrix; atoms: Matrix64 } {
  const atoms = randomDictionary(n, 1, createRandom(seed, 'laplace dictionary'));
  const random = createRandom(seed, 'laplace codes');
  const codes = zeros(p, n);
  for (let k = 0; k < codes.data.length; k++) {
    const [isThere, isNegative, height] = [random.uniform() < theta, random.uniform() < 0.5, 1 - random.uniform()];
    if (isThere) codes.data[k] = ((isNegative ? 1 : -1) * Math.log(height)) / Math.SQRT2;
  }
  return { samples: referenceKernels.multiply(codes, atoms), atoms };
}
