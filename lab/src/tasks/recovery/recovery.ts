/** Planted dictionaries: the time that contenders take to reach a recovery error, as library calls or as whole processes. */
import type { Contender, Opened, Watch } from '../../contenders/contender.ts';
import { medianOrNull } from '../../median.ts';
import { failureOf, type Mark, type Round, type Run, runInTurns } from '../turns.ts';
import type { DataSet, Planted } from './data-sets.ts';
import { plantedData, type Reached, reachedBy } from './objective.ts';

export interface RecoveryOptions extends Watch {
  readonly targets: readonly number[];
  readonly rounds: number;
  /** See `Task`; for whole processes. */
  readonly iterations?: Round['iterations'];
}

export interface Result {
  readonly contender: string;
  readonly ours: boolean;
  readonly target: number;
  /** Best and median run; null: the target was not reached. */
  readonly seconds: number | null;
  readonly medianSeconds: number | null;
  /** In the best run, the error when the target was reached, or the smallest error. */
  readonly error: number | null;
  readonly runs: number;
  /** The last snapshot of the run in the middle, at any error. */
  readonly last: Mark | null;
  /** Why there is no time. */
  readonly reason?: string | undefined;
}

export interface Ratio {
  readonly target: number;
  readonly other: string;
  readonly ours: string;
  /** The other's time / ours: for the best runs, and for the medians if these reached the target. */
  readonly best: number;
  readonly median: number | null;
}

/** What a contender had found at which time, in its run in the middle; with targets, one point or more for each. */
export interface Curve {
  readonly contender: string;
  readonly ours: boolean;
  readonly marks: readonly Mark[];
}

export interface Recovery {
  readonly set: DataSet;
  readonly results: readonly Result[];
  readonly ratios: readonly Ratio[];
  readonly curves: readonly Curve[];
}

export async function recover(
  opened: readonly Opened[],
  { set, file, samples, truth }: Planted,
  options: RecoveryOptions,
): Promise<Recovery> {
  const { targets, iterations } = options;
  const round: Round = { data: plantedData(samples, truth), file, seed: set.seed, iterations };
  const runsOf = await runInTurns(
    opened.filter(({ contender }) => !contender.excuse?.(set)),
    () => round,
    { ...options, rounds: Math.min(options.rounds, set.mostRuns), limitSeconds: set.limitSeconds },
  );
  const results = opened.flatMap(({ contender }) =>
    targets.map((target) => summarise(contender, set, target, runsOf(contender, target))),
  );
  const curves = opened.map(({ contender }): Curve => {
    const asked = contender.targeted ? targets : targets.slice(0, 1);
    const marks = asked.flatMap((target) => middle(byTime(runsOf(contender, target), target))?.marks ?? []);
    const { name, ours } = contender;
    return { contender: name, ours, marks: marks.sort((a, b) => a.seconds - b.seconds) };
  });
  return { set, results, ratios: compare(results), curves };
}

function summarise({ name, ours, excuse }: Contender, set: DataSet, target: number, attempts: readonly Run[]): Result {
  const runs = byTime(attempts, target);
  const best: Reached | undefined = runs[0];
  const missed = best && best.seconds === null ? `ended at error ${best.score?.toExponential(1)}` : undefined;
  return {
    contender: name,
    ours,
    target,
    runs: attempts.length,
    seconds: best?.seconds ?? null,
    medianSeconds: medianOrNull(runs.map(({ seconds }) => seconds)),
    error: best?.score ?? null,
    last: middle(runs)?.marks.at(-1) ?? null,
    reason: excuse?.(set) ?? failureOf(attempts) ?? missed,
  };
}

/** The seconds to the target, or to the end of a run that missed it, which comes after all that did not. */
const timeOf = ({ seconds, marks }: Reached & Run): number => seconds ?? MISSED + (marks.at(-1)?.seconds ?? 0);
/** Longer than any run. */
const MISSED = 1e9;

/** The runs that did not fail, fastest first. */
const byTime = (runs: readonly Run[], target: number) =>
  runs
    .filter(({ failure }) => !failure)
    .map(({ marks }) => ({ marks, ...reachedBy(marks, target) }))
    .sort((a, b) => timeOf(a) - timeOf(b));

const middle = <T>(sorted: readonly T[]): T | undefined => sorted[(sorted.length - 1) >> 1];

function compare(results: readonly Result[]): Ratio[] {
  const ratios: Ratio[] = [];
  for (const other of results.filter((result) => !result.ours)) {
    for (const ours of results.filter((result) => result.ours && result.target === other.target)) {
      if (other.seconds === null || ours.seconds === null) continue;
      const best = other.seconds / ours.seconds;
      const median =
        other.medianSeconds === null || ours.medianSeconds === null ? null : other.medianSeconds / ours.medianSeconds;
      ratios.push({ target: other.target, other: other.contender, ours: ours.contender, best, median });
    }
  }
  return ratios;
}
