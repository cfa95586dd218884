/** The one loop that drives every solver: steps, progress, stopping, abort, checkpoints. */
import { requireObject } from '../core/require-matrix.ts';
import type { Solver, SolverState } from './solver.ts';
import { endsOf, type Progress, STALL_STEPS, type StopRule, type Verdict } from './stop.ts';

/** Everything that a loop needs to continue as if it had never stopped. */
export interface Position<S> {
  readonly state: S;
  readonly iteration: number;
  readonly recentObjectives: readonly number[];
  readonly recentChanges: readonly number[];
  /** Seconds that the loop has taken so far. */
  readonly seconds: number;
}

/** When a loop stops, where it starts, and what is called after every step. */
export interface IterateOptions<S> {
  /** The rules that end it; the first that applies says why. */
  readonly stop: readonly StopRule<S>[];
  /** Ends the loop after the current step, with status `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Number of samples that a step visits, for the rate in the progress. */
  readonly samplesPerStep: number;
  /** Where to continue, instead of at `init`. */
  readonly resume?: Position<S> | undefined;
  /** Called after every step, before the progress is yielded; the position can be passed as `resume` later. */
  readonly onStep?: ((position: Position<S>) => Promise<void>) | undefined;
}

/** The last state of a loop, and why it ended. */
export interface Outcome<S> extends Verdict {
  readonly state: S;
  readonly iterations: number;
}

/**
 * Yields after every step; returns the last state and why the loop ended. Throws if aborted before the first state exists.
 */
export async function* iterate<S extends SolverState>(
  solver: Solver<S>,
  options: IterateOptions<S>,
): AsyncGenerator<Progress, Outcome<S>> {
  requireObject('iterate', 'solver', solver, 'a solver with init, step and report', ['init', 'step', 'report']);
  requireObject('iterate', 'options', options, 'an object with stop and samplesPerStep', ['stop']);
  const { stop, signal, samplesPerStep, resume, onStep } = options;
  const started = performance.now() - 1000 * (resume?.seconds ?? 0);
  const ends = endsOf(stop as readonly StopRule<never>[]);
  let position = resume ?? (await begin(solver));
  let progress = resume && progressAt(solver, resume); // a resumed loop may already have ended
  for (;;) {
    const { state, iteration } = position;
    const verdict = progress && judge(stop, progress, state);
    if (verdict) return { state, iterations: iteration, ...verdict };
    const stepStarted = performance.now();
    try {
      signal?.throwIfAborted();
      const next = await solver.step(state);
      position = advance(position, solver, next, (performance.now() - started) / 1000);
    } catch (error) {
      if (!signal?.aborted) throw error;
      return { state, iterations: iteration, status: 'aborted', code: 'aborted', reason: 'aborted' };
    }
    const samplesPerSecond = (samplesPerStep * 1000) / (performance.now() - stepStarted);
    await onStep?.(position);
    progress = { ...progressAt(solver, position, samplesPerSecond), ends };
    yield progress;
  }
}

/** Adds fields to every progress report. */
export async function* extendProgress<T>(
  steps: AsyncGenerator<Progress, T>,
  more: (progress: Progress) => Partial<Progress>,
): AsyncGenerator<Progress, T> {
  for (;;) {
    const { done, value } = await steps.next();
    if (done) return value;
    yield { ...value, ...more(value) };
  }
}

/** Why a loop ends at a position; undefined if it continues. */
export const verdictAt = <S extends SolverState>(
  solver: Solver<S>,
  position: Position<S>,
  rules: readonly StopRule<S>[],
): Verdict | undefined => judge(rules, progressAt(solver, position), position.state);

async function begin<S extends SolverState>(solver: Solver<S>): Promise<Position<S>> {
  return { state: await solver.init(), iteration: 0, recentObjectives: [], recentChanges: [], seconds: 0 };
}

/** The verdict of the first rule that has one. */
function judge<S>(rules: readonly StopRule<S>[], progress: Progress, state: S): Verdict | undefined {
  for (const rule of rules) {
    const verdict = rule(progress, state);
    if (verdict) return verdict;
  }
  return undefined;
}

function advance<S extends SolverState>(
  before: Position<S>,
  solver: Solver<S>,
  state: S,
  seconds: number,
): Position<S> {
  const { objective, merit = objective, change } = solver.report(state);
  return {
    state,
    iteration: before.iteration + 1,
    recentObjectives: [...before.recentObjectives, merit].slice(-STALL_STEPS - 1),
    recentChanges: [...before.recentChanges, change].slice(-STALL_STEPS - 1),
    seconds,
  };
}

function progressAt<S extends SolverState>(
  solver: Solver<S>,
  { state, iteration, recentObjectives, recentChanges, seconds }: Position<S>,
  samplesPerSecond = Number.NaN,
): Progress {
  const { objective, change, left } = solver.report(state);
  return {
    solver: solver.name,
    iteration,
    objective,
    change,
    recentObjectives,
    recentChanges,
    left,
    seconds,
    samplesPerSecond,
    ...(solver.atoms && { atoms: () => solver.atoms!(state, false) }),
  };
}
