/** The one loop that drives every solver: steps, progress, stopping, abort, checkpoints. */
import type { Solver, SolverState } from './solver.ts';
import { type Progress, STALL_STEPS, type StopRule, type Verdict } from './stop.ts';

/** Everything a loop needs to continue as if it had never stopped. */
export interface Position<S> {
  readonly state: S;
  readonly iteration: number;
  readonly recentObjectives: readonly number[];
  readonly recentChanges: readonly number[];
}

/** When a loop stops, where it starts, and what is called after every step. */
export interface IterateOptions<S> {
  readonly stop: readonly StopRule<S>[];
  readonly signal?: AbortSignal | undefined;
  /** Samples that a step visits, for the rate in the progress. */
  readonly samplesPerStep: number;
  /** Continues from here instead of `init`. */
  readonly resume?: Position<S> | undefined;
  /** Called after every step, before the progress is yielded; what it saves can be passed as `resume`. */
  readonly onStep?: ((position: Position<S>) => Promise<void>) | undefined;
}

/** The last state of a loop, and why it ended. */
export interface Outcome<S> extends Verdict {
  readonly state: S;
  readonly iterations: number;
}

/**
 * Yields after every step; returns the last state and why it ended. Throws if aborted before the first state exists.
 */
export async function* iterate<S extends SolverState>(
  solver: Solver<S>,
  options: IterateOptions<S>,
): AsyncGenerator<Progress, Outcome<S>> {
  const { stop, signal, samplesPerStep, resume, onStep } = options;
  const started = performance.now();
  let position = resume ?? { state: await solver.init(), iteration: 0, recentObjectives: [], recentChanges: [] };
  // a resumed loop may already have ended
  let progress = resume && progressAt(solver, resume, { started, stepStarted: started, samplesPerStep });
  for (;;) {
    const { state, iteration } = position;
    const verdict = progress && judge(stop, progress, state);
    if (verdict) return { state, iterations: iteration, ...verdict };
    const stepStarted = performance.now();
    try {
      signal?.throwIfAborted();
      position = advance(position, solver, await solver.step(state));
    } catch (error) {
      if (!signal?.aborted) throw error;
      return { state, iterations: iteration, status: 'aborted', reason: 'aborted' };
    }
    await onStep?.(position);
    progress = progressAt(solver, position, { started, stepStarted, samplesPerStep });
    yield progress;
  }
}

/** The verdict of the first rule that has one. */
function judge<S>(rules: readonly StopRule<S>[], progress: Progress, state: S): Verdict | undefined {
  for (const rule of rules) {
    const verdict = rule(progress, state);
    if (verdict) return verdict;
  }
  return undefined;
}

function advance<S extends SolverState>(before: Position<S>, solver: Solver<S>, state: S): Position<S> {
  const { objective, merit = objective, change } = solver.report(state);
  return {
    state,
    iteration: before.iteration + 1,
    recentObjectives: [...before.recentObjectives, merit].slice(-STALL_STEPS - 1),
    recentChanges: [...before.recentChanges, change].slice(-STALL_STEPS - 1),
  };
}

function progressAt<S extends SolverState>(
  solver: Solver<S>,
  { state, iteration, recentObjectives, recentChanges }: Position<S>,
  clock: { readonly started: number; readonly stepStarted: number; readonly samplesPerStep: number },
): Progress {
  const now = performance.now();
  const { objective, change, left } = solver.report(state);
  return {
    solver: solver.name,
    iteration,
    objective,
    change,
    recentObjectives,
    recentChanges,
    left,
    seconds: (now - clock.started) / 1000,
    samplesPerSecond: (clock.samplesPerStep * 1000) / (now - clock.stepStarted),
  };
}
