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

export interface Outcome<S> extends Verdict {
  readonly state: S;
  readonly iterations: number;
}

/** Yields after every step; returns the last state and why it ended. An abort before the first state exists is thrown. */
export async function* iterate<S extends SolverState>(
  solver: Solver<S>,
  options: IterateOptions<S>,
): AsyncGenerator<Progress, Outcome<S>> {
  const { stop, signal, samplesPerStep, resume, onStep } = options;
  const started = performance.now();
  const progressAt = (
    { state, iteration, recentObjectives, recentChanges }: Position<S>,
    stepStarted: number,
  ): Progress => {
    const now = performance.now();
    const { objective, change } = solver.report(state);
    return {
      solver: solver.name,
      iteration,
      objective,
      change,
      recentObjectives,
      recentChanges,
      seconds: (now - started) / 1000,
      samplesPerSecond: (samplesPerStep * 1000) / (now - stepStarted),
    };
  };
  let position = resume ?? { state: await solver.init(), iteration: 0, recentObjectives: [], recentChanges: [] };
  let progress = resume && progressAt(resume, started); // a run may have been killed just before it would have ended
  for (;;) {
    const current = progress;
    const { state: reached } = position;
    const verdict = current && stop.map((rule) => rule(current, reached)).find((found) => found !== undefined);
    if (verdict) return { state: reached, iterations: position.iteration, ...verdict };
    const stepStarted = performance.now();
    const before = position;
    let state: S;
    try {
      signal?.throwIfAborted();
      state = await solver.step(before.state);
    } catch (error) {
      if (!signal?.aborted) throw error;
      return { state: before.state, iterations: before.iteration, status: 'aborted', reason: 'aborted' };
    }
    const { objective, merit = objective, change } = solver.report(state);
    position = {
      state,
      iteration: before.iteration + 1,
      recentObjectives: [...before.recentObjectives, merit].slice(-STALL_STEPS - 1),
      recentChanges: [...before.recentChanges, change].slice(-STALL_STEPS - 1),
    };
    await onStep?.(position);
    progress = progressAt(position, stepStarted);
    yield progress;
  }
}
