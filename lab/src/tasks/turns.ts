/** Runs contenders in turns, so that the load of the machine affects all alike, and scores what they find. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Arrays, Contender, Opened, Session, Task, Watch } from '../contenders/contender.ts';

/** A data set with its objective: what a contender gets, and how what it finds is scored; smaller is better. */
export interface Data {
  readonly given: Arrays;
  score(found: Arrays): number | Promise<number>;
}

/** What the runs of a round have in common. */
export interface Round extends Pick<Task, 'file' | 'seed'> {
  readonly data: Data;
  /** See `Task`. */
  readonly iterations?: ((target: number) => number) | undefined;
}

/** A scored snapshot. */
export interface Mark {
  readonly seconds: number;
  readonly passes: number | null;
  readonly score: number;
}

/** A failure is a result. */
export interface Run {
  readonly marks: readonly Mark[];
  readonly failure?: string;
}

export interface TurnOptions extends Watch {
  readonly rounds: number;
  /** A longer run is aborted. */
  readonly limitSeconds: number;
  /** Scores to reach. */
  readonly targets?: readonly (number | undefined)[];
}

/** The runs of a contender in all rounds, with that target if it takes account of targets. */
export type RunsOf = (contender: Contender, target?: number) => readonly Run[];

/** Every contender runs once per round and target; one that failed is not run again. */
export async function runInTurns(
  opened: readonly Opened[],
  begin: (round: number) => Round | Promise<Round>,
  { rounds, limitSeconds, targets = [undefined], signal, say }: TurnOptions,
): Promise<RunsOf> {
  const runs = new Map<string, Run[]>();
  for (let k = 0; k < rounds; k++) {
    const round = await begin(k);
    for (const { contender, session } of opened) {
      if (k >= (contender.mostRuns ?? rounds)) continue;
      for (const target of contender.targeted ? targets : targets.slice(-1)) {
        const key = keyOf(contender, target);
        const earlier = runs.get(key) ?? [];
        if (earlier.some(({ failure }) => failure)) continue;
        signal?.throwIfAborted();
        say?.(`round ${k + 1} of ${rounds}: ${contender.name}`);
        runs.set(key, [...earlier, await runOnce(session, round, target, limitSeconds, signal)]);
      }
    }
  }
  return (contender, target) => runs.get(keyOf(contender, target)) ?? [];
}

const keyOf = ({ name, targeted }: Contender, target: number | undefined): string =>
  targeted ? `${name} ${target}` : name;

/** One run, within a time limit and in a folder of its own. An interruption is not a result. */
export async function runOnce(
  session: Session,
  { data, file, seed, iterations }: Round,
  target: number | undefined,
  limitSeconds: number,
  signal?: AbortSignal,
): Promise<Run> {
  const limit = AbortSignal.timeout(limitSeconds * 1000);
  const folder = await mkdtemp(join(file, '..', 'run-'));
  const task: Task = {
    given: data.given,
    file,
    seed,
    target,
    iterations: target === undefined ? undefined : iterations?.(target),
    folder,
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  };
  try {
    const marks: Mark[] = [];
    for (const { seconds, passes = null, found } of await session.run(task)) {
      signal?.throwIfAborted();
      marks.push({ seconds, passes, score: await data.score(found) });
      await new Promise((resolve) => setImmediate(resolve)); // lets signals through
    }
    return { marks };
  } catch (error) {
    signal?.throwIfAborted();
    const words = error instanceof Error ? error.message : String(error);
    return { marks: [], failure: limit.aborted ? `did not finish within ${limitSeconds} s` : words };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const failureOf = (runs: readonly Run[]): string | undefined => runs.find(({ failure }) => failure)?.failure;
