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
import { exploringPrecision, toleranceOf } from './common-options.ts';
import { coresetSizes, coresets } from './coreset.ts';
import type { AnyMethod } from './methods/method.ts';
import { enoughFor, stopAtSamplingError } from './methods/sampling-error.ts';
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
  const samplesOf = samplesOfStages(job);
  let last: Finished | undefined;
  for (;;) {
    const spent = { iterations: last?.iterations ?? 0, seconds: run.looped };
    const mayExplore = spent.iterations < settings.maxIterations && spent.seconds < settings.maxSeconds;
    const stage = nextStage(problem, method, settings, last, mayExplore);
    try {
      if (!stage) return sawAll(last!) ? last! : { ...last!, objective: await objectiveOf(job, last!) };
      const part = { ...job, problem: await samplesOf(stage) };
      last = yield* last && stage.kind === 'refine' ? refine(part, stage, last) : explore(part, stage, spent);
    } catch (error) {
      if (!(run.signal?.aborted && last)) throw error; // an abort in a pass before or after the steps
      await run.save();
      last = { ...last, status: 'aborted' };
    }
    if (last.status === 'aborted') return { ...last, reason: 'aborted', note: 'aborted' };
  }
}

/** Whether the reported objective is that of all samples at the last atoms. */
const sawAll = ({ scouting, coreset }: Finished): boolean => !scouting && !coreset;

/** The problem on the samples that a stage visits. Coresets are drawn once, when the first is needed. */
function samplesOfStages({ problem, method, settings }: Job): (stage: Stage) => Promise<Problem> {
  let drawn: Problem[] | undefined;
  return async ({ kind, rows, partial, coreset }) => {
    if (!coreset) {
      if (partial && kind === 'explore') problem.effort.samples += rows; // its moments
      return problem.part(rows);
    }
    const sizes = coresetSizes(problem);
    drawn ??= await coresets(problem, sizes, method.scouting!.norm(settings as never), exploringPrecision(settings));
    return drawn[sizes.indexOf(rows)];
  };
}

async function* explore(
  { problem, method, settings, run }: Job,
  { kind, rows, partial, scouting, coreset, start }: Stage,
  spent: { readonly iterations: number; readonly seconds: number },
): AsyncGenerator<Progress, Finished> {
  const { objectiveTolerance, maxIterations, maxSeconds } = settings;
  const tolerance = toleranceOf(settings);
  const solver = method.solver!(problem, settings as never, start);
  const { state, iterations, status, reason } = yield* run.steps(solver, {
    stop: [
      ...(settings.tolerance === 'auto' || coreset ? [stopAtSamplingError(enoughFor(problem))] : []),
      stopWhenChangeBelow(scouting ? Math.max(scoutingTolerance(problem.size), tolerance) : tolerance),
      stopWhenObjectiveStalls(objectiveTolerance),
      ...(partial && !coreset ? [stopWhenCrawling] : []),
      stopAfterIterations(maxIterations - spent.iterations),
      stopAfterSeconds(maxSeconds, spent.seconds),
    ],
    samplesPerStep: problem.samples,
  });
  return {
    kind,
    rows,
    atoms: solver.atoms(state, status === 'converged'),
    rotations: solver.rotations?.(state),
    objective: solver.report(state).objective / problem.input.share,
    objectiveUnit: solver.objectiveUnit ?? 1,
    iterations: spent.iterations + iterations,
    status,
    reason,
    refined: false,
    note: solver.rotations ? 'a product of rotations is not refined' : 'not asked for',
    scouting,
    coreset,
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
