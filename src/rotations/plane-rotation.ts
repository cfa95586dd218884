/** The work in one plane: find the best rotation, and apply it unless its angle is too small. */
import type { Kernels, RotateRequest } from '../kernels/kernels.ts';
import type { Pair } from './pairs.ts';

/** The best rotation of a plane. */
export interface PlaneRotation {
  /** The angle in radians; 0 if no rotation helps. */
  readonly angle: number;
  /** The gain of f, ≥ 0. */
  readonly gain: number;
  /** df/dφ at φ = 0: the gradient's entry (i, j), whose entry (j, i) is its negative. */
  readonly slope: number;
}

/** An objective that can be rotated plane by plane. */
export interface Planes {
  /** The global maximum over φ of f(R(i, j, φ) A), i < j. */
  best(i: number, j: number): PlaneRotation;
  rotate(i: number, j: number, c: number, s: number): void;
}

/** Whether a rotation is large enough to be applied. */
export const isTaken = ({ angle }: PlaneRotation, leastAngle: number): boolean => Math.abs(angle) > leastAngle;

/** Rotates one plane to the maximum of its objective. */
export function rotatePlane(planes: Planes, [i, j]: Pair, leastAngle: number): PlaneRotation {
  const rotation = planes.best(i, j);
  if (isTaken(rotation, leastAngle)) planes.rotate(i, j, Math.cos(rotation.angle), Math.sin(rotation.angle));
  return rotation;
}

/** Rotates one plane after another by kernels, where the best rotation follows from sums that kernels compute. */
export function rotateByKernels(
  kernels: Kernels,
  request: Omit<RotateRequest, 'choose'>,
  rotationOf: (sums: Float64Array) => PlaneRotation,
  leastAngle: number,
): PlaneRotation[] {
  const rotations: PlaneRotation[] = [];
  const choose = (sums: Float64Array) => {
    const rotation = rotationOf(sums);
    rotations.push(rotation);
    return isTaken(rotation, leastAngle) ? ([Math.cos(rotation.angle), Math.sin(rotation.angle)] as const) : undefined;
  };
  kernels.rotatePlanes({ ...request, choose });
  return rotations;
}
