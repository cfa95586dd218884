/** The work in one plane: find the best rotation, and apply it unless its angle is too small. */
import type { Kernels, TurnRequest } from '../kernels/kernels.ts';
import type { Pair } from './pairs.ts';

/** The best rotation of a plane. */
export interface Turn {
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
  best(i: number, j: number): Turn;
  rotate(i: number, j: number, c: number, s: number): void;
}

/** Whether a rotation is large enough to be applied. */
export const isTaken = ({ angle }: Turn, leastAngle: number): boolean => Math.abs(angle) > leastAngle;

/** Rotates one plane to the maximum of its objective. */
export function turnPlane(planes: Planes, [i, j]: Pair, leastAngle: number): Turn {
  const turn = planes.best(i, j);
  if (isTaken(turn, leastAngle)) planes.rotate(i, j, Math.cos(turn.angle), Math.sin(turn.angle));
  return turn;
}

/** Rotates one plane after another by kernels, where the best rotation follows from sums that kernels compute. */
export function turnByKernels(
  kernels: Kernels,
  request: Omit<TurnRequest, 'choose'>,
  turnOf: (sums: Float64Array) => Turn,
  leastAngle: number,
): Turn[] {
  const turns: Turn[] = [];
  const choose = (sums: Float64Array) => {
    const turn = turnOf(sums);
    turns.push(turn);
    return isTaken(turn, leastAngle) ? ([Math.cos(turn.angle), Math.sin(turn.angle)] as const) : undefined;
  };
  kernels.turnPlanes({ ...request, choose });
  return turns;
}
