/** Phases that explore with the method's solver: on parts of the samples, on a coreset, or on all of them. */
import type { Matrix64 } from '../../core/matrix.ts';
import {
  endingAt,
  type Progress,
  STALL_STEPS,
  type StopRule,
  stopAfterIterations,
  stopAfterSeconds,
  stopWhenChangeBelow,
  stopWhenObjectiveStalls,
  type Verdict,
} from '../../engine/stop.ts';
import { exploringPrecision, toleranceOf } from '../common-options.ts';
import { coresetSizes, coresets } from '../coreset.ts';
import type { EndCode, Phase } from '../pipeline.ts';
import { policy } from '../policy.ts';
import type { Problem } from '../problem.ts';
import { enoughFor, stopAtSamplingError } from '../sampling-error.ts';
import { isWhite } from '../whitening.ts';
import type { Job, PhaseEnd, Spent } from './job.ts';

type Exploring = Phase<'pilot' | 'coreset' | 'ascend'>;

/** Explores from these atoms. `seen`: the problem, on all samples or on a coreset. */
export async function* explore(
  { method, settings, run, ...job }: Job,
  phase: Exploring,
  seen: Problem,
  start: Matrix64,
  spent: Spent,
): AsyncGenerator<Progress, PhaseEnd> {
  const { maxIterations, maxSeconds } = settings;
  const isPilot = phase.kind === 'pilot';
  const solver = isPilot
    ? method.scouting!.solver(seen, phase.rows, settings, start)
    : method.solver!(seen, settings, start);
  const isJudged = settings.tolerance === 'auto' || phase.kind === 'coreset';
  const { state, iterations, ...verdict } = yield* run.steps(solver, {
    stop: [
      ...(isJudged ? [stopAtSamplingError(enoughFor(seen))] : []),
      ...(isPilot
        ? [method.scouting!.arrived, stopWhenCrawling, stopLatePilot]
        : arrivals(phase, job.problem, settings)),
      stopAfterIterations(maxIterations, spent.iterations),
      stopAfterSeconds(maxSeconds, spent.seconds),
    ],
    samplesPerStep: isPilot ? phase.rows : seen.samples,
  });
  const { status, code, reason } = verdict;
  const hasArrived = status === 'converged';
  return {
    code: codeOf(phase, hasArrived, iterations),
    reason,
    found: {
      atoms: solver.atoms(state, hasArrived),
      rotations: solver.rotations?.(state),
      iterations: spent.iterations + iterations,
      status,
      code,
      reason,
      objective: solver.report(state).objective,
      objectiveUnit: solver.objectiveUnit ?? 1,
      isOfAll: phase.kind === 'ascend' && phase.to === 'maximum',
      refined: false,
      note: solver.rotations ? 'a product of rotations is not refined' : 'not asked for',
    },
  };
}

function codeOf(phase: Exploring, hasArrived: boolean, iterations: number): EndCode {
  if (phase.kind === 'pilot') return hasArrived ? 'settled' : 'unsettled';
  const hasRested = phase.kind === 'ascend' && phase.again && iterations <= policy.refine.restedSteps;
  return hasRested ? 'rested' : 'ended';
}

/** Rules that end an ascent where it has arrived. */
function arrivals(phase: Exploring, { size }: Problem, settings: Job['settings']): StopRule[] {
  const tolerance = toleranceOf(settings);
  const toBasin = phase.kind === 'ascend' && phase.to === 'basin';
  return [
    stopWhenChangeBelow(toBasin ? Math.max(basinTolerance(size), tolerance) : tolerance),
    stopWhenObjectiveStalls(settings.objectiveTolerance),
  ];
}

/** Largest root mean square change at which an ascent has reached the basin of a solution. */
export const basinTolerance = (atoms: number): number => policy.ascend.basinMovement / Math.sqrt(atoms);

const TOO_FEW: Verdict = { status: 'exhausted', code: 'crawling', reason: 'too few samples' };

export const stopLatePilot: StopRule = endingAt({ iterations: policy.pilot.steps }, ({ iteration }) =>
  iteration >= policy.pilot.steps ? TOO_FEW : undefined,
);

/** Stops a pilot whose recent steps shorten too little, and ever more slowly. */
export const stopWhenCrawling: StopRule = ({ recentChanges: recent, change }) => {
  if (recent.length <= STALL_STEPS) return undefined;
  const speedsUp = recent[STALL_STEPS - 1] - change > recent[0] - recent[1];
  return change > policy.pilot.shortening * recent[0] && !speedsUp ? TOO_FEW : undefined;
};

/**
 * Returns the problem on the coreset of about `rows` samples: of white data any samples, of other data weighted ones, all of them drawn when
 * the first are needed.
 */
export function coresetsOf({ problem, method, settings }: Job): (rows: number) => Promise<Problem> {
  let drawn: Problem[] | undefined;
  if (isWhite(problem.input.coordinates)) return (rows) => problem.part(rows);
  return async (rows) => {
    const sizes = coresetSizes(problem);
    drawn ??= await coresets(problem, sizes, method.scouting!.norm(settings), exploringPrecision(settings));
    return drawn[sizes.indexOf(rows)];
  };
}
