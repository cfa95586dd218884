/**
 * Runs the stages from one start, or from several random ones of successive seeds. Of the starts that were refined, or
 * of all if none was, the best objective is kept: refined atoms are truer, though the objective has its maximum beside
 * them. The atoms that all starts agree on are counted. The others depend on the start: a run that has converged has
 * found a maximum of the objective, which need not be the only one.
 */
import { inputError } from '../core/errors.ts';
import { rowRange } from '../core/matrix.ts';
import type { Dictionary } from '../dictionaries/dictionary.ts';
import { extendProgress } from '../engine/iterate.ts';
import type { Progress, Status } from '../engine/stop.ts';
import type { Agreement } from '../metrics/agreement.ts';
import type { Job } from './phases/job.ts';
import { type RunEnd, runPhases } from './run-phases.ts';

/** Report on one of several starts. */
export interface StartReport {
  readonly seed: number;
  readonly status: Status;
  readonly iterations: number;
  readonly objective: number;
  /** Whether its atoms were refined with the zeros of the codes. */
  readonly refined: boolean;
  /** Whether its atoms are the result. */
  readonly kept: boolean;
}

/** The best end, and its comparison with the others. */
export interface BestStart {
  readonly end: RunEnd;
  readonly dictionary: Dictionary;
  readonly starts?: readonly StartReport[];
  readonly agreement?: Agreement;
}

export async function* runStarts(
  job: Job,
  dictionaryOf: (end: RunEnd) => Dictionary,
): AsyncGenerator<Progress, BestStart> {
  const { starts, seed } = job.settings;
  if (starts === 1) {
    const end = yield* runPhases(job);
    return { end, dictionary: dictionaryOf(end) };
  }
  if (!Number.isSafeInteger(seed + starts)) throw inputError('learn', 'seed', 'smaller with several starts', seed);
  const { agreement } = await import('../metrics/agreement.ts');
  const ends = yield* runAll(job);
  const best = ends.reduce((a, b) => (isBetter(b, a) ? b : a));
  const dictionary = dictionaryOf(best);
  // directions without energy complete the basis, the same ones after every start: they come last and do not count
  const learned = (end: RunEnd) =>
    rowRange(end === best ? dictionary.atoms : dictionaryOf(end).atoms, 0, end.atoms.rows);
  const others = ends.filter((end) => end !== best).map(learned);
  const isAborted = ends.length < starts || ends.some(({ status }) => status === 'aborted');
  return {
    end: isAborted ? { ...best, status: 'aborted', reason: 'aborted' } : best,
    dictionary,
    starts: ends.map((end, k) => {
      const { status, iterations, objective, refined } = end;
      return { seed: seed + k, status, iterations, objective, refined, kept: end === best };
    }),
    agreement: agreement(learned(best), others),
  };
}

function isBetter(a: RunEnd, b: RunEnd): boolean {
  const [certifiedA, certifiedB] = [a, b].map(({ certainty }) => certainty?.certified ?? 0);
  if (certifiedA !== certifiedB) return certifiedA > certifiedB;
  if (a.refined !== b.refined) return a.refined;
  return a.objective > b.objective || Number.isNaN(b.objective);
}

/** Runs all starts and returns their ends, fewer if the run was aborted. Each may use its share of the seconds. */
async function* runAll({ draft, ...job }: Job): AsyncGenerator<Progress, RunEnd[]> {
  const { run, settings } = job;
  const { starts, seed, maxSeconds } = settings;
  const ends: RunEnd[] = [];
  for (let k = 0; k < starts && ends.at(-1)?.status !== 'aborted'; k++) {
    const own = { ...settings, seed: seed + k, maxSeconds: (maxSeconds * (k + 1)) / starts };
    try {
      if (k > 0) run.begin(`start ${k + 1} of ${starts}`);
      const steps = runPhases({ ...job, settings: own, ...(k === 0 && { draft }) });
      ends.push(yield* extendProgress(steps, () => ({ start: { number: k + 1, of: starts } })));
    } catch (error) {
      if (!(run.signal?.aborted && k > 0)) throw error;
      await run.save();
      return ends;
    }
  }
  return ends;
}
