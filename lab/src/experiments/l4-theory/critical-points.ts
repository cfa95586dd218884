/** Kinds of critical points of g = ‖W‖₄⁴ on the orthogonal group, and random matrices to compare with. */

import type { Matrix64 } from 'orthodict';
import { addScaled, identity, type Kernels, type Random, randomOrthogonal, zeros } from 'orthodict/extend';
import { blockDiagonal, hadamard, mspStep, signedPermutation } from './orthogonal-group.ts';

/** Steps of MSP to its end. */
const LONG = 60;

/** I − (2/n)11ᵀ, its first row negated so that its determinant is 1. */
function reflection(n: number): Matrix64 {
  const W = addScaled(identity(n), -2 / n, { ...zeros(n, n), data: new Float64Array(n * n).fill(1) });
  for (let j = 0; j < n; j++) W.data[j] *= -1;
  return W;
}

function endOfRun(n: number, random: Random, kernels: Kernels): Matrix64 {
  let W = randomOrthogonal(n, random);
  for (let t = 0; t < LONG; t++) W = mspStep(W, kernels);
  return W;
}

/**
 * A point of a circle of critical points: [[A, B], [B, A]] with A_jk = ⅔ cos(t + 2π(k − j)/3), B = −⅓11ᵀ, t random, and a
 * signed permutation of size n − 6 beside it. A1 = 0 and A∘³ = ⅓A + (2/27) cos 3t 11ᵀ make WᵀW∘³ symmetric for every t.
 */
function onCircle(n: number, random: Random): Matrix64 | undefined {
  if (n < 6) return undefined;
  const t = 2 * Math.PI * random.uniform();
  const W = zeros(6, 6);
  for (let j = 0; j < 6; j++) {
    for (let k = 0; k < 6; k++) {
      const sameBlock = j < 3 === k < 3;
      W.data[6 * j + k] = sameBlock ? (2 / 3) * Math.cos(t + (2 * Math.PI * (k - j)) / 3) : -1 / 3;
    }
  }
  return n === 6 ? W : blockDiagonal([W, signedPermutation(n - 6, random)]);
}

/** `make(n, random, kernels)`; n a power of two, 4 or more. Undefined where there is no such matrix. */
export const KINDS = [
  { kind: 'permutation', label: 'signed permutation', make: signedPermutation },
  { kind: 'hadamard', label: 'Hadamard', make: hadamard },
  {
    kind: 'mixture',
    label: 'mixed blocks',
    make: (n: number, random: Random) => blockDiagonal([hadamard(n / 2), signedPermutation(n / 2, random)]),
  },
  { kind: 'reflection', label: 'reflection of (1 … 1)', make: reflection },
  { kind: 'circle', label: 'point of a circle', make: onCircle },
  { kind: 'end', label: 'end of a run of MSP', make: endOfRun },
  { kind: 'random', label: 'random', make: randomOrthogonal },
] as const;

export type Kind = (typeof KINDS)[number]['kind'];
