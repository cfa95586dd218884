/**
 * f(A) = Σ_i T(a_i, a_i, a_i) of a dense tensor (Algorithm 3): T is kept in the coordinates of A, where a step reads
 * four of its entries and a rotation touches 3d² pairs.
 *
 *     f(φ) − rest = c³ (T_iii + T_jjj) + 3c²s (T_iij − T_ijj) + 3cs² (T_iij + T_ijj) + s³ (T_jjj − T_iii)
 */
import type { Kernels } from '../../kernels/kernels.ts';
import type { RotationObjective } from '../../rotations/coordinate-ascent.ts';
import { cubicRotation } from '../../rotations/cubic-angle.ts';
import type { PlaneRotation } from '../../rotations/plane-rotation.ts';
import { flipTensor, rotateTensor, type SymmetricTensor, transformTensor } from './symmetric-tensor.ts';

/** f(A) = Σ T(a_i, a_i, a_i) as an objective of plane rotations. */
export function denseTensorObjective(T: SymmetricTensor, kernels: Kernels): RotationObjective {
  let rotated = T;
  const d = T.size;
  const entry = (a: number, b: number, c: number) => rotated.data[(a * d + b) * d + c];
  return {
    size: d,
    restore(A) {
      rotated = transformTensor(T, A, kernels);
    },
    value() {
      let sum = 0;
      for (let i = 0; i < d; i++) sum += entry(i, i, i);
      return sum;
    },
    best: (i, j) => tensorRotation(entry(i, i, i), entry(i, i, j), entry(i, j, j), entry(j, j, j)),
    rotate: (i, j, c, s) => rotateTensor(rotated, i, j, c, s),
    signs: { gain: (i) => -2 * entry(i, i, i), flip: (i) => flipTensor(rotated, i) },
  };
}

export function tensorRotation(iii: number, iij: number, ijj: number, jjj: number): PlaneRotation {
  return cubicRotation(iii + jjj, iij - ijj, iij + ijj, jjj - iii);
}
