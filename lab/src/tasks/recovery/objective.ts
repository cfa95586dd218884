/** The objective where the dictionary is known: the time a contender takes to reach a given recovery error. */
import { type Matrix64, recoveryError } from 'orthodict';
import type { Arrays } from '../../contenders/contender.ts';
import type { Data, Mark } from '../turns.ts';

/** Recovery errors reached by ℓ4 maximisation alone, and by exact recovery. */
export const COARSE = 5e-3;
export const EXACT = 1e-10;
export const TARGETS = [COARSE, EXACT] as const;

/** Samples of a known dictionary; the score is |1 − g|, or 1 if the atoms are not finite. */
export const plantedData = (samples: Matrix64, truth: Matrix64): Data => ({
  given: { samples },
  score: ({ atoms }: Arrays) => (atoms.data.every(Number.isFinite) ? recoveryError(atoms, truth) : 1),
});

export interface Reached {
  /** Seconds until the score was at most the target; null if never. */
  readonly seconds: number | null;
  /** The score at that time, or the smallest if the target was missed; null without a snapshot. */
  readonly score: number | null;
}

/** The first mark that reaches the target. */
export function reachedBy(marks: readonly Mark[], target: number): Reached {
  const reached = marks.find(({ score }) => score <= target);
  if (reached) return reached;
  return { seconds: null, score: marks.length > 0 ? Math.min(...marks.map(({ score }) => score)) : null };
}
