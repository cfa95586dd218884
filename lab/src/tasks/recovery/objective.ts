/** The objective where the dictionary is known: the time a contender takes to reach a given recovery error. */
import { type Matrix, recoveryError } from 'orthodict';
import type { Snapshot } from '../../contenders/contender.ts';

/** A scored snapshot. */
export interface Mark {
  readonly seconds: number;
  /** |1 − g|; 1 if the atoms are not finite. */
  readonly error: number;
}

export interface Score {
  /** Seconds until the error was at most the target; null if never. */
  readonly seconds: number | null;
  /** The error at that time, or the smallest if the target was missed; null without a snapshot. */
  readonly error: number | null;
}

/** Scores snapshots one by one and yields to the event loop in between. */
export async function markSnapshots(
  snapshots: readonly Snapshot[],
  truth: Matrix,
  signal?: AbortSignal,
): Promise<Mark[]> {
  const marks: Mark[] = [];
  for (const { seconds, atoms } of snapshots) {
    signal?.throwIfAborted();
    const finite = atoms.data.every(Number.isFinite);
    marks.push({ seconds, error: finite ? recoveryError(atoms, truth) : 1 });
    await new Promise((resolve) => setImmediate(resolve));
  }
  return marks;
}

/** Scores the first mark that reaches the target. */
export function scoreMarks(marks: readonly Mark[], target: number): Score {
  const reached = marks.find(({ error }) => error <= target);
  if (reached) return reached;
  return { seconds: null, error: marks.length > 0 ? Math.min(...marks.map(({ error }) => error)) : null };
}
