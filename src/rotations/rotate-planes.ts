/**
 * Passes that rotate rows in shared memory, plane by plane. The "samples" of a chunk are planes (i, j). No two chunks of a
 * pass have a row in common, so it does not matter which thread computes which. A chunk contributes its rotations.
 */
import { fromRows, type Matrix, type Matrix64, range, rowRange, stackRows, zeros } from '../core/matrix.ts';
import { shareMatrix } from '../core/shared-memory.ts';
import type { Pass } from '../engine/pass.ts';
import { definePass } from '../engine/pass.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Pair } from './pairs.ts';
import type { PlaneRotation } from './plane-rotation.ts';

export interface RotatePlanesParams<R> {
  /** The rows to rotate, in shared memory. */
  readonly rows: R;
  readonly leastAngle: number;
}

/** Angle, gain and slope of each plane, in rows. */
export type RotatePlanesPass<R> = Pass<RotatePlanesParams<R>, Matrix64>;

/** Rotates rows in one plane after another. */
export type RotateInPlanes<R> = (
  rows: R,
  planes: readonly Pair[],
  leastAngle: number,
  kernels: Kernels,
) => readonly PlaneRotation[];

/** Defines such a pass. `example`: rows made from a few samples, for tests. */
export function defineRotatePlanes<R>(
  module: string,
  name: string,
  rotateInPlanes: RotateInPlanes<R>,
  example: (samples: Matrix64) => R,
): RotatePlanesPass<R> {
  return definePass<RotatePlanesParams<R>, Matrix64>(module, {
    name,
    contribute({ samples }, { rows, leastAngle }, kernels) {
      const planes = range(samples.rows).map((k) => [samples.data[2 * k] | 0, samples.data[2 * k + 1] | 0] as const);
      const rotations = zeros(samples.rows, 3);
      rotateInPlanes(rows, planes, leastAngle, kernels).forEach(({ angle, gain, slope }, k) => {
        rotations.data[3 * k] = angle;
        rotations.data[3 * k + 1] = gain;
        rotations.data[3 * k + 2] = slope;
      });
      return rotations;
    },
    add: stackRows,
    example: (samples) => ({
      params: { rows: example(fewRows(samples)), leastAngle: 0 },
      rows: fromRows(DISJOINT),
      ranges: DISJOINT.map((_, k) => ({ start: k, end: k + 1 })),
    }),
  });
}

/** Planes without a common row, one per chunk of an example. */
const DISJOINT = [0, 1, 2, 3, 4].map((k) => [2 * k, 2 * k + 1]);

/** Rows in shared memory, as many as the planes of an example need. */
function fewRows(samples: Matrix): Matrix64 {
  const few = rowRange(samples, 0, 2 * DISJOINT.length);
  return shareMatrix({ ...few, data: Float64Array.from(few.data) });
}
