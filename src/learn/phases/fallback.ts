/** Searches by maximum likelihood for atoms that are not certified, or for all atoms. */
import type { Matrix64 } from '../../core/matrix.ts';
import type { Progress } from '../../engine/stop.ts';
import { certaintyOf, certaintyWords, isSure } from '../certificate/certainty.ts';
import { verdictsOnAtoms } from '../certificate/certify.ts';
import { exploringPrecision } from '../common-options.ts';
import { search, searchBudget } from '../likelihood/search.ts';
import { isExact } from '../refinement/masked-refinement.ts';
import { type Found, type Job, normOf, type PhaseEnd } from './job.ts';

/** `start`: where the run began; `cost`: samples that exploring and refining have visited. */
export async function* fallback(
  job: Job,
  start: Matrix64,
  before: Found | undefined,
  cost: number,
): AsyncGenerator<Progress, PhaseEnd> {
  const { problem, method, settings, run } = job;
  const { times, attempts } = method.search!(problem, settings)!;
  const { atoms, offset, by, status, reproducible, iterations, verdicts } = yield* search(problem, run, {
    kind: settings.whiten === 'none' ? 'orthogonal' : 'complete',
    precision: settings.precision,
    seed: settings.seed,
    attempts,
    budget: searchBudget(problem, times, cost),
    maxSeconds: settings.maxSeconds,
    maxIterations: settings.maxIterations * (times === Number.POSITIVE_INFINITY ? 1 : Math.max(1, times)),
    present: before && { atoms: before.atoms, offset: before.offset, verdicts: before.verdicts! },
    refined: before?.refined,
    exact: before?.state && isExact(before.state),
    start: settings.start && start,
  });
  const certainty = certaintyOf(verdictsOnAtoms(problem, { atoms, verdicts }), atoms.rows, reproducible);
  const aborted = status === 'aborted' && { status };
  const common = { iterations: (before?.iterations ?? 0) + iterations, certainty };
  const reason = certaintyWords(certainty);
  const end = (found: Found): PhaseEnd => ({ code: 'ended', reason, found });
  if (before && by === 'present') return end({ ...before, ...aborted, ...common });
  return end({
    objectiveUnit: problem.objectiveUnit(normOf(job)),
    ...before,
    ...common,
    atoms,
    offset,
    objective: aborted ? Number.NaN : await objectiveOf(job, { atoms, offset }),
    isOfAll: true,
    status: isSure(certainty) || before?.status === 'converged' ? 'converged' : 'exhausted',
    code: by,
    ...aborted,
    reason,
    refined: by === 'annealing' || reproducible || (before?.refined ?? false),
    note: by === 'annealing' ? 'exact zeros, found by maximum likelihood' : 'maximum likelihood of codes with noise',
  });
}

/** Computes the objective over all samples. */
export async function objectiveOf(job: Job, { atoms, offset }: Pick<Found, 'atoms' | 'offset'>): Promise<number> {
  const { problem, settings } = job;
  const norm = normOf(job);
  const none = new Float64Array(atoms.rows);
  const { powers } = await problem.about(offset).measure(atoms, none, norm, exploringPrecision(settings));
  return problem.reported(
    powers.reduce((sum, power) => sum + power, 0),
    norm,
  );
}
