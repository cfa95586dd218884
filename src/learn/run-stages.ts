/**
 * Runs the stages of stages.ts one after the other: exploring with the method's solver, refining with the zeros of the
 * codes.
 */
import type { Matrix64 } from '../core/matrix.ts';
import type { Run } from '../engine/run.ts';
import {
  type Progress,
  STALL_STEPS,
  stopAfterIterations,
  stopAfterSeconds,
  stopWhenChangeBelow,
  stopWhenObjectiveStalls,
  type Verdict,
} from '../engine/stop.ts';
import { type Certainty, certaintyOf, certaintyWords, isSure } from './certificate/certainty.ts';
import { certifyAtoms, verdictsOnAtoms } from './certificate/certify.ts';
import { exploringPrecision, toleranceOf } from './common-options.ts';
import { coresetSizes, coresets } from './coreset.ts';
import { search, searchBudget } from './likelihood/search.ts';
import type { AnyMethod, LearnSettings } from './methods/method.ts';
import type { Problem } from './problem.ts';
import { isExact } from './refinement/masked-refinement.ts';
import { refinement } from './refinement/refinement.ts';
import { enoughFor, stopAtSamplingError } from './sampling-error.ts';
import {
  type Finished,
  nextStage,
  type Stage,
  scoutingTolerance,
  stopAfterScouting,
  stopWhenCrawling,
} from './stages.ts';

export interface StagedRun {
  readonly problem: Problem;
  readonly method: AnyMethod;
  readonly settings: LearnSettings;
  readonly run: Run;
  /** See `startingAtoms`. */
  readonly draft?: Matrix64 | undefined;
}

/**
 * Refinement thresholds for ICA, whose codes need not be sparse. Skewed densities without zeros have an advantage of up to .04 nats, sparse ones that
 * refining makes exact .14 and more.
 */
const INDEPENDENT = { collapse: STALL_STEPS, hopeful: 0.05 };

/** Iterations and seconds used by the stages so far. */
interface Spent {
  readonly iterations: number;
  readonly seconds: number;
}

export async function* runStages(job: StagedRun): AsyncGenerator<Progress, Finished> {
  const { problem, method, settings, run, draft } = job;
  const coresetOf = coresetsOf(job);
  const before = problem.visited.samples - problem.samples; // the first pass counts
  let last: Finished | undefined;
  for (;;) {
    const spent = { iterations: last?.iterations ?? 0, seconds: run.looped };
    const mayExplore = run.mayGoOn({ maxIterations: spent.iterations, maxSeconds: spent.seconds });
    const isLate = last !== undefined && !run.mayGoOn({ maxSeconds: spent.seconds });
    const stage = isLate ? undefined : nextStage(problem, method, settings, last, mayExplore, draft);
    try {
      if (isLate && !last!.refined) last = { ...last!, ...limitMet(settings, spent), note: 'no time is left for it' };
      if (!stage) {
        if (method.space === 'orthogonal' && !last!.certainty) {
          last = { ...last!, certainty: await certify(problem, last!, settings.precision) };
        }
        if (sawAll(last!)) return last!;
        return { ...last!, ...(!last!.refined && limitMet(settings, spent)), objective: await objectiveOf(job, last!) };
      }
      if (stage.kind === 'search') {
        last = yield* lookFurther(job, stage, last, problem.visited.samples - before);
      } else if (last && stage.kind === 'refine') {
        last = yield* refine({ ...job, problem: await problem.part(stage.rows) }, stage, last);
      } else {
        const seen = stage.coreset ? await coresetOf(stage.rows) : problem;
        last = yield* explore({ ...job, problem: seen }, stage, spent);
      }
    } catch (error) {
      if (!(run.signal?.aborted && last)) throw error; // an abort in a pass before or after the steps
      await run.save();
      last = { ...last, status: 'aborted' };
    }
    if (last.status === 'aborted') return { ...last, reason: 'aborted', note: 'aborted' };
  }
}

/** Returns the limit that ended a run after scouting, if it is neither refined nor continued. */
function limitMet({ maxIterations, maxSeconds }: LearnSettings, spent: Spent): Verdict {
  const limit = spent.iterations >= maxIterations ? `${maxIterations} iterations` : `${maxSeconds} seconds`;
  return { status: 'exhausted', reason: limit };
}

/** Whether the reported objective is that of all samples at the last atoms. */
const sawAll = ({ scouting, coreset }: Finished): boolean => !scouting && !coreset;

/** Returns the problem on a coreset of about `rows` samples. All are drawn when the first is needed. */
function coresetsOf({ problem, method, settings }: StagedRun): (rows: number) => Promise<Problem> {
  let drawn: Problem[] | undefined;
  return async (rows) => {
    const sizes = coresetSizes(problem);
    drawn ??= await coresets(problem, sizes, method.scouting!.norm(settings), exploringPrecision(settings));
    return drawn[sizes.indexOf(rows)];
  };
}

async function* explore(
  { problem, method, settings, run }: StagedRun,
  { kind, rows, partial, scouting, coreset, start }: Stage,
  spent: Spent,
): AsyncGenerator<Progress, Finished> {
  const { objectiveTolerance, maxIterations, maxSeconds } = settings;
  const tolerance = toleranceOf(settings);
  const enough = scouting ? Math.max(scoutingTolerance(problem.size), tolerance) : tolerance;
  const byParts = partial && !coreset;
  const solver = byParts
    ? method.scouting!.solver(problem, rows, settings, start)
    : method.solver!(problem, settings, start);
  const judged = settings.tolerance === 'auto' || coreset;
  const { state, iterations, status, reason } = yield* run.steps(solver, {
    stop: [
      ...(judged ? [stopAtSamplingError(enoughFor(problem))] : []),
      ...(byParts
        ? [method.scouting!.arrived, stopWhenCrawling, stopAfterScouting]
        : [stopWhenChangeBelow(enough), stopWhenObjectiveStalls(objectiveTolerance)]),
      stopAfterIterations(maxIterations, spent.iterations),
      stopAfterSeconds(maxSeconds, spent.seconds),
    ],
    samplesPerStep: byParts ? rows : problem.samples,
  });
  return {
    kind,
    rows,
    atoms: solver.atoms(state, status === 'converged'),
    rotations: solver.rotations?.(state),
    objective: solver.report(state).objective,
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
  { problem, method, settings, run }: StagedRun,
  { kind, rows, scouting, start, from }: Stage,
  before: Finished,
): AsyncGenerator<Progress, Finished> {
  const norm = method.scouting?.norm(settings);
  const { atoms, offset, refined, state, iterations, note, aborted, late, power } = yield* refinement(
    problem,
    run,
    start,
    {
      kind: settings.whiten === 'none' ? 'orthogonal' : 'complete',
      precision: settings.precision,
      scouting,
      from,
      norm,
      maxSeconds: settings.maxSeconds,
      ...(method.independent && INDEPENDENT),
    },
  );
  return {
    ...before,
    ...(scouting && refined && { reason: note }),
    ...(late && limitMet(settings, { iterations: 0, seconds: settings.maxSeconds })),
    ...(aborted && { status: 'aborted' as const }),
    ...(power !== undefined && { objective: problem.reported(power, norm!), scouting: false }),
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

/** Searches for certified atoms by maximum likelihood; `cost`: samples that the run has visited. */
async function* lookFurther(
  job: StagedRun,
  { kind, rows, start }: Stage,
  before: Finished | undefined,
  cost: number,
): AsyncGenerator<Progress, Finished> {
  const { problem, method, settings, run } = job;
  const { times, attempts } = method.search!(problem, settings)!;
  const present = before && { atoms: before.atoms, offset: before.offset };
  const found = yield* search(problem, run, {
    kind: settings.whiten === 'none' ? 'orthogonal' : 'complete',
    precision: settings.precision,
    seed: settings.seed,
    attempts,
    budget: searchBudget(problem, times, cost),
    maxSeconds: settings.maxSeconds,
    maxIterations: settings.maxIterations * (times === Number.POSITIVE_INFINITY ? 1 : Math.max(1, times)),
    present: present && { ...present, verdicts: await verdictsOn(problem, present, settings.precision) },
    refined: before?.refined,
    exact: before?.state && isExact(before.state),
    start: settings.start && start,
  });
  const { atoms, offset, by, status, reproducible } = found;
  const certainty = certaintyOf(verdictsOnAtoms(problem, found), atoms.rows, reproducible);
  const iterations = (before?.iterations ?? 0) + found.iterations;
  const aborted = status === 'aborted' && { status };
  if (before && by === 'present') return { ...before, ...aborted, kind, iterations, certainty };
  return {
    objectiveUnit: problem.objectiveUnit(normOf(method, settings)),
    ...before,
    kind,
    rows,
    atoms,
    offset,
    iterations,
    objective: aborted ? Number.NaN : await objectiveOf(job, found),
    status: isSure(certainty) || before?.status === 'converged' ? 'converged' : 'exhausted',
    ...aborted,
    reason: certaintyWords(certainty),
    refined: by === 'annealing' || reproducible || (before?.refined ?? false),
    note: by === 'annealing' ? 'exact zeros, found by maximum likelihood' : 'maximum likelihood of codes with noise',
    scouting: false,
    certainty,
  };
}

type Ended = Pick<Finished, 'atoms' | 'offset'>;

async function verdictsOn(problem: Problem, { atoms, offset }: Ended, precision: LearnSettings['precision']) {
  return (await certifyAtoms(problem.about(offset), atoms, precision)).verdicts;
}

/** Certifies atoms without a search: only refined ones can have exact zeros. */
async function certify(problem: Problem, end: Finished, precision: LearnSettings['precision']): Promise<Certainty> {
  const verdicts = end.refined ? await verdictsOn(problem, end, precision) : [];
  return certaintyOf(verdictsOnAtoms(problem, { ...end, verdicts }), end.atoms.rows);
}

/** Computes the objective over all samples, if it is unknown: scouting used only a part or stopped early, or a search found other atoms. */
async function objectiveOf({ problem, method, settings }: StagedRun, { atoms, offset }: Ended): Promise<number> {
  const norm = normOf(method, settings);
  const none = new Float64Array(atoms.rows);
  const { powers } = await problem.about(offset).measure(atoms, none, norm, exploringPrecision(settings));
  return problem.reported(
    powers.reduce((sum, power) => sum + power, 0),
    norm,
  );
}

/** Returns q of the objective Σ|x|^q that is reported: the method's own, or 4. */
const normOf = (method: AnyMethod, settings: LearnSettings): number => method.scouting?.norm(settings) ?? 4;
