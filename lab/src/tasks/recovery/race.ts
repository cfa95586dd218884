/** Runs contenders on one data set, in turns so that machine load affects all alike, and compares their times. */
import { attempt } from '../../contenders/attempt.ts';
import type { Entrant, Session } from '../../contenders/contender.ts';
import { medianOrNull } from '../median.ts';
import type { Data, DataSet } from './data-sets.ts';
import { type Mark, markSnapshots, type Score, scoreMarks } from './objective.ts';
import type { RecoveryContender, RecoveryTask } from './recovery-task.ts';

export interface RaceOptions {
  readonly targets: readonly number[];
  readonly repeats: number;
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((words: string) => void) | undefined;
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
  readonly peer: string;
  readonly ours: string;
  /** Peer's time / ours: for the best runs, and for the medians if these reached the target. */
  readonly best: number;
  readonly median: number | null;
}

/** What a contender had found at which time, in its run in the middle; with targets, one point or more for each. */
export interface Curve {
  readonly contender: string;
  readonly ours: boolean;
  readonly marks: readonly Mark[];
}

export interface Race {
  readonly set: DataSet;
  readonly results: readonly Result[];
  readonly ratios: readonly Ratio[];
  readonly curves: readonly Curve[];
}

export type RecoveryEntrant = Entrant<RecoveryTask, RecoveryContender>;

interface Attempt {
  readonly marks: readonly Mark[];
  readonly failure?: string;
}

/** Every contender runs once per round and target; one that failed is not run again. */
export async function race(entrants: readonly RecoveryEntrant[], data: Data, options: RaceOptions): Promise<Race> {
  const { targets, signal } = options;
  const attempts = new Map<string, Attempt[]>();
  const repeats = Math.min(options.repeats, data.set.mostRepeats);
  for (let round = 0; round < repeats; round++) {
    for (const { contender, session } of entrants) {
      if (round >= (contender.mostRepeats ?? repeats)) continue;
      signal?.throwIfAborted();
      for (const target of contender.targeted ? targets : targets.slice(-1)) {
        const key = keyOf(contender, target);
        const earlier = attempts.get(key) ?? [];
        if (contender.excuse?.(data.set) || earlier.some(({ failure }) => failure)) continue;
        options.say?.(`round ${round + 1} of ${repeats}: ${contender.name}`);
        attempts.set(key, [...earlier, await runAndMark(session, data, target, signal)]);
      }
    }
  }
  const attemptsOf = (contender: RecoveryContender, target: number) => attempts.get(keyOf(contender, target)) ?? [];
  const results = entrants.flatMap(({ contender }) =>
    targets.map((target) => summarise(contender, data.set, target, attemptsOf(contender, target))),
  );
  const curves = entrants.map(({ contender }) => curveOf(contender, targets, attemptsOf));
  return { set: data.set, results, ratios: compare(results), curves };
}

const keyOf = ({ name, targeted }: RecoveryContender, target: number): string =>
  targeted ? `${name} ${target}` : name;

async function runAndMark(
  session: Session<RecoveryTask>,
  { set, file, samples, truth }: Data,
  target: number,
  signal?: AbortSignal,
): Promise<Attempt> {
  const done = await attempt(session, { file, samples, seed: set.seed, target }, set.limitSeconds, signal);
  return 'failure' in done ? { marks: [], ...done } : { marks: await markSnapshots(done.snapshots, truth, signal) };
}

function summarise(
  { name, ours, excuse }: RecoveryContender,
  set: DataSet,
  target: number,
  attempts: readonly Attempt[],
): Result {
  const about = { contender: name, ours, target, runs: attempts.length };
  const reason = excuse?.(set) ?? attempts.find(({ failure }) => failure)?.failure;
  const runs = byTime(attempts, target);
  const best: Score | undefined = runs[0];
  const missed = best && best.seconds === null ? `ended at error ${best.error?.toExponential(1)}` : undefined;
  return {
    ...about,
    seconds: best?.seconds ?? null,
    medianSeconds: medianOrNull(runs.map(({ seconds }) => seconds)),
    error: best?.error ?? null,
    last: middle(runs)?.marks.at(-1) ?? null,
    reason: reason ?? missed,
  };
}

/** The seconds to the target, or to the end of a run that missed it, which comes after all that did not. */
const timeOf = ({ seconds, marks }: Score & { readonly marks: readonly Mark[] }): number =>
  seconds ?? MISSED + (marks.at(-1)?.seconds ?? 0);
/** Longer than any run. */
const MISSED = 1e9;

/** The runs that did not fail, fastest first. */
const byTime = (attempts: readonly Attempt[], target: number) =>
  attempts
    .filter(({ failure }) => !failure)
    .map(({ marks }) => ({ marks, ...scoreMarks(marks, target) }))
    .sort((a, b) => timeOf(a) - timeOf(b));

const middle = <T>(sorted: readonly T[]): T | undefined => sorted[(sorted.length - 1) >> 1];

function curveOf(
  contender: RecoveryContender,
  targets: readonly number[],
  attemptsOf: (contender: RecoveryContender, target: number) => readonly Attempt[],
): Curve {
  const asked = contender.targeted ? targets : targets.slice(0, 1);
  const marks = asked.flatMap((target) => middle(byTime(attemptsOf(contender, target), target))?.marks ?? []);
  const { name, ours } = contender;
  return { contender: name, ours, marks: marks.sort((a, b) => a.seconds - b.seconds) };
}

function compare(results: readonly Result[]): Ratio[] {
  const ratios: Ratio[] = [];
  for (const peer of results.filter((result) => !result.ours)) {
    for (const ours of results.filter((result) => result.ours && result.target === peer.target)) {
      if (peer.seconds === null || ours.seconds === null) continue;
      const best = peer.seconds / ours.seconds;
      const median =
        peer.medianSeconds === null || ours.medianSeconds === null ? null : peer.medianSeconds / ours.medianSeconds;
      ratios.push({ target: peer.target, peer: peer.contender, ours: ours.contender, best, median });
    }
  }
  return ratios;
}
