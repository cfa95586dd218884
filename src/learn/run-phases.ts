/** Runs the phases of pipeline.ts one after the other, from one start, and records the path. */
import { type Matrix64, zeros } from '../core/matrix.ts';
import type { Progress } from '../engine/stop.ts';
import { coresetSizes } from './coreset.ts';
import { certify } from './phases/certify.ts';
import { coresetsOf, explore } from './phases/explore.ts';
import { fallback, objectiveOf } from './phases/fallback.ts';
import { type Found, type Job, limitMet, type PhaseEnd } from './phases/job.ts';
import { refine } from './phases/refine.ts';
import { firstPhase, nextPhase, type PathStep, type Phase, type Situation } from './pipeline.ts';
import { startingAtoms, startingDirections } from './start.ts';

/** What a run from one start has found, and the phases that it took. */
export interface RunEnd extends Found {
  readonly path: readonly PathStep[];
}

export async function* runPhases(job: Job): AsyncGenerator<Progress, RunEnd> {
  const { problem, run } = job;
  const start = startOf(job);
  const coresetOf = coresetsOf(job);
  const before = problem.visited.samples - problem.samples; // the first pass counts
  const path: PathStep[] = [];
  let cost = 0; // samples that exploring and refining have visited
  let found: Found | undefined;
  let phase = firstPhase(situationOf(job, found));
  const runPhase = async function* (): AsyncGenerator<Progress, PhaseEnd> {
    if (phase.kind === 'certify') return yield* certify(job, found!, situationOf(job, found).hasFallback);
    if (phase.kind === 'fallback') return yield* fallback(job, start, found, cost);
    if (phase.kind === 'refine') return yield* refine(job, phase, found!);
    const seen = phase.kind === 'coreset' ? await coresetOf(phase.rows) : problem;
    const spent = { iterations: found?.iterations ?? 0, seconds: run.looped };
    return yield* explore(job, phase as Phase<'ascend'>, seen, found?.atoms ?? start, spent);
  };
  try {
    while (phase.kind !== 'done') {
      const [visited, seconds, iterations] = [problem.visited.samples, run.seconds, found?.iterations ?? 0];
      const end: PhaseEnd = yield* runPhase();
      found = end.code === 'rested' ? { ...end.found, note: found!.note } : end.found;
      if (found.status === 'aborted') return { ...aborted(found), path };
      path.push({
        phase: phase.kind,
        reason: end.reason,
        iterations: found.iterations - iterations,
        passes: (problem.visited.samples - visited) / problem.samples,
        seconds: run.seconds - seconds,
      });
      if (phase.kind !== 'certify') cost = problem.visited.samples - before;
      const at = situationOf(job, found);
      const next = nextPhase(phase, end.code, at);
      if (!found.refined && nextPhase(phase, end.code, { ...at, isLate: false }).kind !== next.kind) {
        found = { ...found, ...limitMet(job.settings, found), note: 'no time is left for it' };
      }
      phase = next;
    }
    return { ...(await withObjective(job, found!)), path };
  } catch (error) {
    if (!(run.signal?.aborted && found)) throw error; // an abort in a pass before or after the steps
    await run.save();
    return { ...aborted(found), path };
  }
}

const aborted = (found: Found): Found => ({
  ...found,
  status: 'aborted',
  code: 'aborted',
  reason: 'aborted',
  note: 'aborted',
});

/** Adds the objective of all samples where only a part was explored, which a limit has ended if the atoms are not refined. */
async function withObjective(job: Job, found: Found): Promise<Found> {
  if (found.isOfAll) return found;
  return {
    ...found,
    ...(!found.refined && limitMet(job.settings, found)),
    objective: await objectiveOf(job, found),
  };
}

function situationOf({ problem, method, settings, run }: Job, found: Found | undefined): Situation {
  const spent = { maxIterations: found?.iterations ?? 0, maxSeconds: run.looped };
  const refines = settings.refine !== 'none' && !found?.rotations;
  return {
    samples: problem.samples,
    atoms: problem.size,
    coresets: coresetSizes(problem),
    scout: (settings.scout === 'auto' && method.scouting?.wanted(problem, settings)) || 'nothing',
    explores: method.solver !== undefined,
    refines,
    certifies: method.space === 'orthogonal',
    hasFallback: refines && method.search?.(problem, settings) !== undefined,
    mayExplore: run.mayGoOn(spent),
    isLate: !run.mayGoOn({ maxSeconds: spent.maxSeconds }),
  };
}

function startOf({ method, problem, settings, draft }: Job): Matrix64 {
  const { components, start, seed } = settings;
  if (method.space === 'fixed') return zeros(0, problem.input.source.cols);
  if (method.space === 'free') return startingDirections(problem, components, start, seed);
  return startingAtoms(problem, start, seed, draft);
}
