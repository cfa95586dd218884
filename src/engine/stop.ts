/**
 * Stopping rules. Each looks at the progress and the state of a loop, and returns why the loop ends and whether it
 * converged, or undefined if it continues.
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
  /** The gain that is left, in units of the squared standard error of the samples, where the solver knows it. */
  readonly left?: number | undefined;
  /** Seconds that the loop has taken, including those before a resume. */
  readonly seconds: number;
  /** Seconds of the run that count towards a limit, including those of earlier loops and before a resume. */
  readonly spent?: number | undefined;
  /** Samples that the passes of the run have visited so far, including those before a resume. */
  readonly visited?: number | undefined;
  /** Which of several starts this is, from 1. */
  readonly start?: { readonly number: number; readonly of: number } | undefined;
  readonly samplesPerSecond: number;
  /** Where the loop ends. */
  readonly ends?: Ends | undefined;
  /**
   * The atoms after this step, unit rows in the coordinates of the data, in the solver's own order; absent where a step has
   * no atoms. They are computed on each call. Keep the atoms rather than the progress, which holds the state of the step in
   * memory. Leave this function out of what you send to another thread: messages carry no functions.
   */
  readonly atoms?: (() => Matrix64) | undefined;
}

/** The objective stalls if it gains too little over this many steps together. */
export const STALL_STEPS = 3;

/** How a loop ends, and why. */
export interface Verdict {
  readonly status: Status;
  /** Which rule ended the loop, for decisions: short, and the same whatever the numbers are. */
  readonly code: string;
  /** The same as text for the user. */
  readonly reason: string;
}

/** The thresholds at which a loop ends, whichever comes first, for forecasts. */
export interface Ends {
  /** Largest change of the atoms at which the loop ends. */
  readonly change?: number | undefined;
  /** Largest relative gain of the objective over `STALL_STEPS` steps at which it ends. */
  readonly gain?: number | undefined;
  /** Largest gain left at which it ends, in units of the squared standard error of the samples. */
  readonly left?: number | undefined;
  /** Iterations after which the loop ends. */
  readonly iterations?: number | undefined;
}

/** Decides after every step whether a loop ends; undefined: it continues. */
export interface StopRule<S = unknown> {
  (progress: Progress, state: S): Verdict | undefined;
  /** The thresholds of this rule, if it has any. */
  readonly ends?: Ends | undefined;
}

/** A rule with its thresholds. */
export const endingAt = <S>(ends: Ends, rule: StopRule<S>): StopRule<S> => Object.assign(rule, { ends });

/** The thresholds of several rules together: of each kind the one that is reached first. */
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

/** Converged if the atoms moved by at most `tolerance` in the last step. */
export function stopWhenChangeBelow(tolerance: number): StopRule {
  return endingAt({ change: tolerance }, ({ change }) =>
    change <= tolerance
      ? { status: 'converged', code: 'change', reason: `change ${change.toExponential(1)} ≤ ${tolerance}` }
      : undefined,
  );
}

/** Converged if the objective gained at most `tolerance`, relatively, over the last `STALL_STEPS` steps together. */
export function stopWhenObjectiveStalls(tolerance: number): StopRule {
  return endingAt({ gain: tolerance }, ({ recentObjectives: recent }) => {
    if (recent.length <= STALL_STEPS) return undefined;
    const gain = Math.max(...recent) - recent[0];
    return gain <= tolerance * Math.abs(recent[0])
      ? { status: 'converged', code: 'gain', reason: `objective gained at most ${tolerance} in ${STALL_STEPS} steps` }
      : undefined;
  });
}

/** Ends a loop after a number of steps. `earlier`: steps taken before this loop began that count. */
export function stopAfterIterations(limit: number, earlier = 0): StopRule {
  demand(typeof limit === 'number', 'stopAfterIterations', 'limit', 'a number', limit);
  return endingAt({ iterations: limit - earlier }, ({ iteration }) =>
    earlier + iteration >= limit
      ? { status: 'exhausted', code: 'iterations', reason: `${limit} iterations` }
      : undefined,
  );
}

/** Ends a loop after some seconds. `earlier`: seconds used before this loop began that count. */
export function stopAfterSeconds(limit: number, earlier = 0): StopRule {
  return ({ seconds }) =>
    earlier + seconds >= limit ? { status: 'exhausted', code: 'seconds', reason: `${limit} seconds` } : undefined;
}
