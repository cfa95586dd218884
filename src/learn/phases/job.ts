/** What a phase of a run gets, and what it leaves to the next one. */
import type { Matrix64 } from '../../core/matrix.ts';
import type { Run } from '../../engine/run.ts';
import type { Verdict } from '../../engine/stop.ts';
import type { Certainty } from '../certificate/certainty.ts';
import type { AtomVerdict } from '../certificate/certificate.ts';
import type { AnyMethod, Ended, LearnSettings } from '../methods/method.ts';
import type { EndCode } from '../pipeline.ts';
import type { Problem } from '../problem.ts';
import type { RefineState } from '../refinement/masked-refinement.ts';

/** A run from one start. */
export interface Job {
  readonly problem: Problem;
  readonly method: AnyMethod;
  readonly settings: LearnSettings;
  readonly run: Run;
  /** See `startingAtoms`. */
  readonly draft?: Matrix64 | undefined;
}

/** What a run has found so far. */
export interface Found extends Ended, Verdict {
  /** Offset to subtract from the samples, if the refinement found a better one than their mean. */
  readonly offset?: Float64Array | undefined;
  /** Iterations of all phases. */
  readonly iterations: number;
  readonly objective: number;
  /** Divisor of the samples for which the objective is reported. */
  readonly objectiveUnit: number;
  /** Whether the objective is that of all samples at these atoms. */
  readonly isOfAll: boolean;
  readonly refined: boolean;
  /** What the refinement did, or why it was skipped. */
  readonly note: string;
  /** Last state of a successful refinement. */
  readonly state?: RefineState | undefined;
  /** Verdicts on the atoms in working coordinates, if checked. */
  readonly verdicts?: readonly AtomVerdict[] | undefined;
  /** Certainty of the atoms of the dictionary, if checked. */
  readonly certainty?: Certainty | undefined;
}

/** End of a phase. */
export interface PhaseEnd {
  readonly code: EndCode;
  /** Why it ended, as text for the user. */
  readonly reason: string;
  readonly found: Found;
}

/** What the phases before this one have used. */
export interface Spent {
  readonly iterations: number;
  readonly seconds: number;
}

/** Returns the verdict of a run that a limit ended before it converged. */
export function limitMet(
  { maxIterations, maxSeconds }: LearnSettings,
  { iterations }: Pick<Spent, 'iterations'>,
): Verdict {
  const byIterations = iterations >= maxIterations;
  const reason = byIterations ? `${maxIterations} iterations` : `${maxSeconds} seconds`;
  return { status: 'exhausted', code: byIterations ? 'iterations' : 'seconds', reason };
}

/** Returns q of the objective Σ|x|^q that is reported: the method's own, or 4. */
export const normOf = ({ method, settings }: Job): number => method.scouting?.norm(settings) ?? 4;
