/**
 * Coordinate ascent one plane at a time, as the paper states it: rotations only, so det A stays what it is, and
 * nothing is recomputed in between. The engine of orthodict (rotations/coordinate-ascent.ts) works in sweeps and may flip signs.
 */

import type { Matrix64 } from 'orthodict';
import {
  copy,
  isExhaustive,
  isTaken,
  type Pair,
  type PairRule,
  type PlaneRotation,
  type RotationObjective,
  rotatePlane,
  rotateRows,
  sweepOf,
} from 'orthodict/extend';

/** A smaller rotation changes f by less than rounding does: it counts as no improvement. */
const LEAST_ANGLE = 1e-12;

export interface Visit {
  readonly pair: Pair;
  readonly rotation: PlaneRotation;
  /** Whether the plane was rotated. */
  readonly taken: boolean;
}

/** Visits planes from the objective's state on; ends if no plane improves f, which random pairs never find out. */
export function* visitPlanes(objective: RotationObjective, rule: PairRule, seed: number): Generator<Visit, void> {
  for (let sweep = 0, moved = true; moved || !isExhaustive(rule); sweep++) {
    const order = sweepOf(rule, objective.size, seed, sweep);
    moved = false;
    for (let next = order.next(); !next.done; ) {
      const rotation = rotatePlane(objective, next.value, LEAST_ANGLE);
      const taken = isTaken(rotation, LEAST_ANGLE);
      moved ||= taken;
      yield { pair: next.value, rotation, taken };
      next = order.next(taken);
    }
  }
}

/** Rotates A in the same way as a visit rotated the objective. */
export function followVisit(A: Matrix64, { pair: [i, j], rotation, taken }: Visit): void {
  if (taken) rotateRows(A, i, j, Math.cos(rotation.angle), Math.sin(rotation.angle));
}

/** Algorithm 4 from A until no plane improves f, or after `sweeps` times d(d−1)/2 planes. Returns where it ended. */
export async function algorithm4(
  objective: RotationObjective,
  start: Matrix64,
  seed: number,
  sweeps = 1000,
): Promise<{ readonly A: Matrix64; readonly value: number; readonly visits: number }> {
  await objective.restore(start);
  const A = copy(start);
  const most = sweeps * planesOf(objective.size);
  let visits = 0;
  for (const visit of visitPlanes(objective, 'until-improvement', seed)) {
    followVisit(A, visit);
    if (++visits >= most) break;
  }
  return { A, value: objective.value(), visits };
}

/** d(d−1)/2: the planes of a sweep. */
export const planesOf = (d: number): number => (d * (d - 1)) / 2;

/** ‖∇f‖²_F = 2 Σ_{i<j} g′_ij(0)² at the objective's state: each plane has two entries of the gradient. */
export function squaredGradient(objective: RotationObjective): number {
  let sum = 0;
  for (let i = 0; i < objective.size; i++) {
    for (let j = i + 1; j < objective.size; j++) sum += 2 * objective.best(i, j).slope ** 2;
  }
  return sum;
}
