/**
 * Products of plane rotations followed by a permutation and sign changes, A = S P R_G … R_1 (n×n, orthogonal):
 *
 *     R(i, j, c, s):   y_i, y_j ← c y_i + s y_j, c y_j − s y_i          x_k = signs_k · y[order_k]
 *
 * The inverse has the same form: with D = (S P)⁻¹ it is D · (D⁻¹ R_1⁻¹ D) … (D⁻¹ R_G⁻¹ D). A rotation conjugated by a
 * signed permutation is a rotation of the permuted coordinates, by the same angle up to sign.
 */
import { identity, type Matrix64, scaleRows, selectRows, zeros } from '../core/matrix.ts';
import type { RotationTransform } from '../kernels/kernels.ts';
import { rotateRows } from '../kernels/planes.ts';

export function inverseRotations({ rotations, order, signs }: RotationTransform): RotationTransform {
  const n = order.length;
  const place = new Int32Array(n); // where y_i goes: x[place_i] = ± y_i
  for (let k = 0; k < n; k++) place[order[k]] = k;
  const backwards = zeros(rotations.rows, 4);
  for (let r = 0; r < rotations.rows; r++) {
    const [i, j, c, s] = rotations.data.subarray(4 * r, 4 * r + 4);
    const flip = signs[place[i]] * signs[place[j]];
    backwards.data.set([place[i], place[j], c, -flip * s], 4 * (rotations.rows - 1 - r));
  }
  return { kind: 'rotations', rotations: backwards, order: place, signs: signs.map((_, i) => signs[place[i]]) };
}

/** The matrix A of codes x = A y, n×n. */
export function rotationMatrix({ rotations, order, signs }: RotationTransform): Matrix64 {
  const A = identity(order.length);
  for (let r = 0; r < rotations.rows; r++) {
    const [i, j, c, s] = rotations.data.subarray(4 * r, 4 * r + 4);
    rotateRows(A, i, j, c, s);
  }
  return scaleRows(selectRows(A, order), signs);
}

/** Rotates two columns: M Rᵀ, where R M rotates two rows as `rotateRows` does. */
export function rotateColumns({ data, rows, cols }: Matrix64, i: number, j: number, c: number, s: number): void {
  for (let k = 0, at = 0; k < rows; k++, at += cols) {
    const x = data[at + i];
    const y = data[at + j];
    data[at + i] = c * x + s * y;
    data[at + j] = c * y - s * x;
  }
}
