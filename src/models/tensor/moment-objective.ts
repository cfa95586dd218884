/**
 * f(A) = Σ_i T(a_i, a_i, a_i) of the third moment of samples, T = w Σ_l x_l ⊗ x_l ⊗ x_l, which is never formed (Algorithm 6):
 * the samples are kept in the coordinates of A, a step sums four entries over them, a rotation changes two of their components.
 * O(samples) each. Other moments are formed for few components: dense-moment.ts.
 */
import { demand } from '../../core/errors.ts';
import { type Matrix64, row } from '../../core/matrix.ts';
import { requireMatrixForm } from '../../core/require-matrix.ts';
import type { Kernels, PlaneRows } from '../../kernels/kernels.ts';
import { planeSums, rotateRows } from '../../kernels/planes.ts';
import { planeRows } from '../../kernels/wasm/plane-rows.ts';
import type { RotationObjective } from '../../rotations/coordinate-ascent.ts';
import { type PlaneRotation, rotateByKernels } from '../../rotations/plane-rotation.ts';
import type { OnThreads } from '../../rotations/rotate-groups.ts';
import { defineRotatePlanes } from '../../rotations/rotate-planes.ts';
import { tensorRotation } from './dense-objective.ts';

/** The samples in the coordinates of A, and w. */
interface WeightedRows {
  readonly x: PlaneRows<Float64Array>;
  readonly weight: number;
}

/**
 * f(A) of the third moment of samples, for `ascend`. `x`: the samples, component-major, d×p: a row holds one component of all
 * samples. `weight`: w, 1/p for the mean.
 */
export function momentObjective(
  x: Matrix64,
  weight: number,
  kernels: Kernels,
  onThreads?: OnThreads,
): RotationObjective {
  requireMatrixForm('momentObjective', 'x', x);
  const { rows: size, cols: samples } = x;
  demand(Number.isFinite(weight), 'momentObjective', 'weight', 'a number', weight);
  const place = onThreads && planeRows(size, samples, 'f64');
  let rotated: PlaneRows<Float64Array> = x;
  const total = (i: number) => weight * sumOfCubes(rotated, i);
  return {
    size,
    restore(A) {
      const turned = kernels.multiply(A, x);
      rotated = place ? copyInto(place, turned) : turned;
    },
    value() {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += total(i);
      return sum;
    },
    best: (i, j) => rotationOf(planeSums(rotated, i, j, 'cubic'), weight),
    rotate: (i, j, c, s) => rotateRows(rotated, i, j, c, s),
    rotateGroups: onThreads?.(rotateMomentPlanes, () => ({ rows: { x: rotated, weight }, length: samples })),
    signs: {
      gain: (i) => -2 * total(i),
      flip: (i) => negateRow(rotated, i),
    },
  };
}

export const rotateMomentPlanes = defineRotatePlanes<WeightedRows>(
  import.meta.url,
  'rotate-moment-planes',
  ({ x, weight }, planes, leastAngle, kernels) =>
    rotateByKernels(kernels, { rows: x, planes, sums: 'cubic' }, (sums) => rotationOf(sums, weight), leastAngle),
  (x) => ({ x, weight: 1 / x.cols }),
);

/** The best rotation by the sums of x_i³, x_i² x_j, x_i x_j² and x_j³. */
const rotationOf = (sums: Float64Array, weight: number): PlaneRotation =>
  tensorRotation(weight * sums[0], weight * sums[1], weight * sums[2], weight * sums[3]);

function sumOfCubes(x: PlaneRows<Float64Array>, i: number): number {
  return row(x, i).reduce((sum, value) => sum + value * value * value, 0);
}

/** Copies M to the same rows of a matrix with at least as many columns. */
function copyInto(place: PlaneRows<Float64Array>, M: Matrix64): PlaneRows<Float64Array> {
  for (let i = 0; i < M.rows; i++) row(place, i).set(row(M, i));
  return place;
}

function negateRow(x: PlaneRows<Float64Array>, i: number): void {
  const values = row(x, i);
  for (let l = 0; l < values.length; l++) values[l] = -values[l];
}
