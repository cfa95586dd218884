/** The one objective: how long a contender took to reach a given recovery error. */
import type { Matrix } from '../core/matrix.ts';
import { recoveryError } from '../metrics/recovery-error.ts';
import type { Snapshot } from './contender.ts';

/** A snapshot as the objective sees it. */
export interface Mark {
  readonly seconds: number;
  /** |1 − g|; 1 where the atoms are not finite numbers. */
  readonly error: number;
}

export interface Score {
  /** Seconds until the error was at most the target; null: never. */
  readonly seconds: number | null;
  /** At that time, or the least if it was never reached; null: no snapshot at all. */
  readonly error: number | null;
}

/** Scores snapshots one by one, giving the event loop a turn between them. */
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

/** The first mark at which the target is reached. */
export function scoreMarks(marks: readonly Mark[], target: number): Score {
  const reached = marks.find(({ error }) => error <= target);
  if (reached) return reached;
  return { seconds: null, error: marks.length > 0 ? Math.min(...marks.map(({ error }) => error)) : null };
}
