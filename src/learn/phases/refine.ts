/** Makes atoms exact with the zeros of their codes, on all samples or on a part. */
import type { Progress } from '../../engine/stop.ts';
import type { Phase } from '../pipeline.ts';
import { policy } from '../policy.ts';
import { refinement } from '../refinement/refinement.ts';
import { type Found, type Job, limitMet, type PhaseEnd } from './job.ts';

export async function* refine(
  { problem: all, method, settings, run }: Job,
  { rows, from, continues }: Phase<'refine'>,
  before: Found,
): AsyncGenerator<Progress, PhaseEnd> {
  const norm = method.scouting?.norm(settings);
  const problem = await all.part(rows);
  const fromBasin = from === 'basin';
  const { atoms, offset, refined, state, iterations, note, aborted, late, power } = yield* refinement(
    problem,
    run,
    before.atoms,
    {
      kind: settings.whiten === 'none' ? 'orthogonal' : 'complete',
      precision: settings.precision,
      fromBasin,
      from: continues ? before.state : undefined,
      norm,
      maxSeconds: settings.maxSeconds,
      ...(method.independent && policy.refine.independent),
    },
  );
  const found: Found = {
    ...before,
    ...(fromBasin && refined && { code: 'refined', reason: note }),
    ...(late && limitMet(settings, { iterations: 0 })),
    ...(aborted && { status: 'aborted' as const }),
    ...(power !== undefined && { objective: problem.reported(power, norm!), isOfAll: true }),
    atoms,
    offset,
    iterations: before.iterations + iterations,
    refined,
    note,
    state,
  };
  return { code: refined ? 'refined' : 'rejected', reason: note, found };
}
