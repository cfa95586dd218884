/**
 * Runs the stages of stages.ts one after the other: exploring with the method's solver, refining with the zeros of the
 * codes.
 */
import type { Run } from '../engine/run.ts';
import {
  type Progress,
  stopAfterIterations,
  stopAfterSeconds,
  stopWhenChangeBelow,
  stopWhenObjectiveStalls,
} from '../engine/stop.ts';
import type { AnyMethod } from './methods/method.ts';
import type { LearnSettings } from './options.ts';
import type { Problem } from './problem.ts';
import { refinement } from './refinement/refinement.ts';
import { type Finished, nextStage, type Stage, scoutingTolerance, stopWhenCrawling } from './stages.ts';

interface Job {
  readonly problem: Problem;
  readonly method: AnyMethod;
  readonly settings: LearnSettings;
  readonly run: Run;
}

export async function* runStages(job: Job): AsyncGenerator<Progress, Finished> {
  const { problem, method, settings, run } = job;
  let last: Finished | undefined;
  for (;;) {
    const spent = { iterations: last?.iterations ?? 0, seconds: run.looped };
    const mayExplore = spent.iterations < settings.maxIterations && spent.seconds < settings.maxSeconds;
    const stage = nextStage(problem, method, settings, last, mayExplore);
    try {
      if (!stage) return last!.scouting ? { ...last!, objective: await objectiveOf(job, last!) } : last!;
      const part = { ...job, problem: await problem.part(stage.rows) };
      if (stage.partial && stage.kind === 'explore') problem.effort.samples += stage.rows;
      last = yield* last && stage.kind === 'refine' ? refine(part, stage, last) : explore(part, stage, problem, spent);
    } catch (error) {
      if (!(run.signal?.aborted && last)) throw error; // an abort in a pass before or after the steps
      await run.save();
      last = { ...last, status: 'aborted' };
    }
    if (last.status === 'aborted') return { ...last, reason: 'aborted', note: 'aborted' };
  }
}

/** `whole`: the problem on all samples; this stage may see only a part. */
async function* explore(
  { problem, method, settings, run }: Job,
  { kind, rows, partial, scouting, start }: Stage,
  whole: Problem,
  spent: { readonly iterations: number; readonly seconds: number },
): AsyncGenerator<Progress, Finished> {
  const { tolerance, objectiveTolerance, maxIterations, maxSeconds } = settings;
  const solver = method.solver!(problem, settings as never, start);
  const { state, iterations, status, reason } = yield* run.steps(solver, {
    stop: [
      stopWhenChangeBelow(scouting ? Math.max(scoutingTolerance(problem.size), tolerance) : tolerance),
      stopWhenObjectiveStalls(objectiveTolerance),
      ...(partial ? [stopWhenCrawling] : []),
      stopAfterIterations(maxIterations - spent.iterations),
      stopAfterSeconds(maxSeconds, spent.seconds),
    ],
    samplesPerStep: rows,
  });
  return {
    kind,
    rows,
    atoms: solver.atoms(state, status === 'converged'),
    rotations: solver.rotations?.(state),
    objective: (solver.report(state).objective * whole.samples) / rows,
    objectiveUnit: solver.objectiveUnit ?? 1,
    iterations: spent.iterations + iterations,
    status,
    reason,
    refined: false,
    note: solver.rotations ? 'a product of rotations is not refined' : 'not asked for',
    scouting,
  };
}

async function* refine(
  { problem, settings, run }: Job,
  { kind, rows, scouting, start, from }: Stage,
  before: Finished,
): AsyncGenerator<Progress, Finished> {
  const { atoms, offset, refined, state, iterations, note, aborted } = yield* refinement(problem, run, start, {
    kind: settings.whiten === 'none' ? 'orthogonal' : 'complete',
    precision: settings.precision,
    scouting,
    from,
  });
  return {
    ...before,
    ...(scouting && refined && { reason: note }),
    ...(aborted && { status: 'aborted' as const }),
    kind,
    rows,
    atoms,
    offset,
    iterations: before.iterations + iterations,
    refined,
    note,
    state,
  };
}

/** The objective over all samples, if scouting saw only a part or stopped early. */
const objectiveOf = ({ problem, method, settings }: Job, { atoms, offset }: Finished): Promise<number> =>
  method.scouting!.objective(problem.about(offset), atoms, settings as never);
