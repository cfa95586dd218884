/**
 * Stopping rules. Each looks at the progress and the state of a run, and returns undefined, or why the run ends and
 * whether it converged.
 */

import { demand } from '../core/errors.ts';
import type { Matrix64 } from '../core/matrix.ts';

/** How a run ended. */
export type Status = 'converged' | 'exhausted' | 'aborted';

/** Where a run stands after a step. */
export interface Progress {
  /** Name of the current solver or stage. */
  readonly solver: string;
  /** 0 when a stage begins; objective and change are NaN then. */
  readonly iteration: number;
  readonly objective: number;
  /** The last few objectives, oldest first, the current one last, in units that suit the solver. */
  readonly recentObjectives: readonly number[];
  readonly change: number;
  /** The last few changes, oldest first, the current one last. */
  readonly recentChanges: readonly number[];
  /** What is left to gain against what the samples can tell, where the solver knows it. */
  readonly left?: number | undefined;
  /** Seconds that the loop has taken, those before a resume included. */
  readonly seconds: number;
  /** Seconds of the run that count towards a limit: those of earlier loops, and before a resume, included. */
  readonly spent?: number | undefined;
  /** Samples that the passes of the run have visited so far, those before a resume included. */
  readonly visited?: number | undefined;
  /** Which of several starts this is, from 1. */
  readonly start?: { readonly number: number; readonly of: number } | undefined;
  readonly samplesPerSecond: number;
  /** Where the loop ends. */
  readonly ends?: Ends | undefined;
  /**
   * The atoms after this step, unit rows in the coordinates of the data, in the solver's own order; only where a step has
   * atoms. They are computed when asked for. Keep what it returns, not the progress, which keeps the state of the step. A
   * message carries no function: leave it out of what you send to another thread.
   */
  readonly atoms?: (() => Matrix64) | undefined;
}

export const STALL_STEPS = 3;

/** That a loop ends, and why. */
export interface Verdict {
  readonly status: Status;
  readonly reason: string;
}

/** Where a loop ends, whichever comes first: what a forecast needs to know of its rules. */
export interface Ends {
  /** At a change no larger. */
  readonly change?: number | undefined;
  /** At a relative gain of the objective over `STALL_STEPS` steps no larger. */
  readonly gain?: number | undefined;
  /** Where no more is left to gain, against what the samples can tell. */
  readonly left?: number | undefined;
  /** Iterations after which the loop ends. */
  readonly iterations?: number | undefined;
}

/** Says after every step whether a loop ends; undefined: it goes on. */
export interface StopRule<S = unknown> {
  (progress: Progress, state: S): Verdict | undefined;
  /** Where it ends the loop, if that is known beforehand. */
  readonly ends?: Ends | undefined;
}

/** A rule that says where it ends the loop. */
export const endingAt = <S>(ends: Ends, rule: StopRule<S>): StopRule<S> => Object.assign(rule, { ends });

/** Where the first of several rules ends a loop. */
export function endsOf(rules: readonly StopRule<never>[]): Ends {
  const known = rules.flatMap(({ ends }) => ends ?? []);
  const pick = (name: keyof Ends, choose: (...values: number[]) => number) => {
    const values = known.flatMap((ends) => ends[name] ?? []);
    return values.length > 0 ? { [name]: choose(...values) } : {};
  };
  return {
    ...pick('change', Math.max),
    ...pick('gain', Math.max),
    ...pick('left', Math.max),
    ...pick('iterations', Math.min),
  };
}

/** The atoms moved by no more than `tolerance` in the last step. */
export function stopWhenChangeBelow(tolerance: number): StopRule {
  return endingAt({ change: tolerance }, ({ change }) =>
    change <= tolerance
      ? { status: 'converged', reason: `change ${change.toExponential(1)} ≤ ${tolerance}` }
      : undefined,
  );
}

/** The relative gain of the objective over the last `STALL_STEPS` steps together is at most `tolerance`. */
export function stopWhenObjectiveStalls(tolerance: number): StopRule {
  return endingAt({ gain: tolerance }, ({ recentObjectives: recent }) => {
    if (recent.length <= STALL_STEPS) return undefined;
    const gain = Math.max(...recent) - recent[0];
    return gain <= tolerance * Math.abs(recent[0])
      ? { status: 'converged', reason: `objective gained at most ${tolerance} in ${STALL_STEPS} steps` }
      : undefined;
  });
}

/** `earlier`: steps of the limit taken before this loop began. */
export function stopAfterIterations(limit: number, earlier = 0): StopRule {
  demand(typeof limit === 'number', 'stopAfterIterations', 'limit', 'a number', limit);
  return endingAt({ iterations: limit - earlier }, ({ iteration }) =>
    earlier + iteration >= limit ? { status: 'exhausted', reason: `${limit} iterations` } : undefined,
  );
}

/** `earlier`: seconds of the limit used before this loop began. */
export function stopAfterSeconds(limit: number, earlier = 0): StopRule {
  return ({ seconds }) =>
    earlier + seconds >= limit ? { status: 'exhausted', reason: `${limit} seconds` } : undefined;
}
