/** Runs contenders on one data set, in turns so that machine load affects all alike, and compares their times. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Contender, Session } from './contender.ts';
import type { Data, DataSet } from './data-sets.ts';
import { type Mark, markSnapshots, type Score, scoreMarks } from './objective.ts';

/** A contender with its libraries loaded. */
export interface Entrant {
  readonly contender: Contender;
  readonly session: Session;
}

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
  /** The last snapshot of the best run, at any error. */
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

export interface Race {
  readonly set: DataSet;
  readonly results: readonly Result[];
  readonly ratios: readonly Ratio[];
}

interface Attempt {
  readonly marks: readonly Mark[];
  readonly failure?: string;
}

/** Every contender runs once per round and target; one that failed is not run again. */
export async function race(entrants: readonly Entrant[], data: Data, options: RaceOptions): Promise<Race> {
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
        attempts.set(key, [...earlier, await attempt(session, data, target, signal)]);
      }
    }
  }
  const results = entrants.flatMap(({ contender }) =>
    targets.map((target) => summarise(contender, data.set, target, attempts.get(keyOf(contender, target)) ?? [])),
  );
  return { set: data.set, results, ratios: compare(results) };
}

const keyOf = ({ name, targeted }: Contender, target: number): string => (targeted ? `${name} ${target}` : name);

/** One run within the data set's time limit; a failure is a result, an interruption is not. */
async function attempt(session: Session, data: Data, target: number, signal?: AbortSignal): Promise<Attempt> {
  const { set, file, samples, truth } = data;
  const limit = AbortSignal.timeout(set.limitSeconds * 1000);
  const folder = await mkdtemp(join(file, '..', 'run-'));
  try {
    const either = signal ? AbortSignal.any([signal, limit]) : limit;
    const snapshots = await session.run({ set, file, samples, target, folder, signal: either });
    return { marks: await markSnapshots(snapshots, truth, signal) };
  } catch (error) {
    signal?.throwIfAborted();
    const words = error instanceof Error ? error.message : String(error);
    return { marks: [], failure: limit.aborted ? `did not finish within ${set.limitSeconds} s` : words };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function summarise(
  { name, ours, excuse }: Contender,
  set: DataSet,
  target: number,
  attempts: readonly Attempt[],
): Result {
  const about = { contender: name, ours, target, runs: attempts.length };
  const reason = excuse?.(set) ?? attempts.find(({ failure }) => failure)?.failure;
  const runs = attempts
    .filter(({ failure }) => !failure)
    .map(({ marks }) => ({ marks, ...scoreMarks(marks, target) }))
    .sort((a, b) => (a.seconds ?? Infinity) - (b.seconds ?? Infinity));
  const best: (Score & { marks: readonly Mark[] }) | undefined = runs[0];
  const missed = best && best.seconds === null ? `ended at error ${best.error?.toExponential(1)}` : undefined;
  return {
    ...about,
    seconds: best?.seconds ?? null,
    medianSeconds: runs.length > 0 ? runs[runs.length >> 1].seconds : null,
    error: best?.error ?? null,
    last: best?.marks.at(-1) ?? null,
    reason: reason ?? missed,
  };
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
