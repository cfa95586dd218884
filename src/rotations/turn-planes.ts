/**
 * Turns planes of rows that lie in shared memory (../givens/engine.ts). The "samples" of a chunk are planes (i, j); no two chunks of
 * a run have a row in common, so it does not show which thread turns which. What a chunk contributes are its turns.
 */
import { type Matrix64, stackRows, zeros } from '../core/matrix.ts';
import type { Pass } from '../engine/pass.ts';
import { momentPlanes } from '../models/tensor/moment-objective.ts';
import { l4Planes } from './l4-objective.ts';
import { type Planes, turnPlane } from './planes.ts';

export type PlaneRows =
  | { readonly kind: 'l4'; readonly codes: Parameters<typeof l4Planes>[0] }
  | { readonly kind: 'moments'; readonly terms: Parameters<typeof momentPlanes>[0] };

export interface TurnPlanesParams {
  readonly rows: PlaneRows;
  readonly leastAngle: number;
}

/** Angle, gain and slope of each plane, in rows. */
export const turnPlanesPass: Pass<TurnPlanesParams, Matrix64> = {
  name: 'turn-planes',
  contribute({ samples }, { rows, leastAngle }) {
    const planes = planesOf(rows);
    const turns = zeros(samples.rows, 3);
    for (let k = 0; k < samples.rows; k++) {
      const plane = [samples.data[2 * k] | 0, samples.data[2 * k + 1] | 0] as const; // integers, or all loops are slow
      const { angle, gain, slope } = turnPlane(planes, plane, leastAngle);
      turns.data.set([angle, gain, slope], 3 * k);
    }
    return turns;
  },
  add: stackRows,
};

const planesOf = (rows: PlaneRows): Planes => (rows.kind === 'l4' ? l4Planes(rows.codes) : momentPlanes(rows.terms));
