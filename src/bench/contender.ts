/**
 * A contender learns a dictionary. It gets samples and a target error, and returns dictionaries with the time each took
 * to compute; only the objective scores them.
 */
import type { Matrix64 } from '../core/matrix.ts';
import type { Data, DataSet } from './data-sets.ts';

/** Input of a contender; `samples` and `file` hold the same numbers. */
export interface Task extends Pick<Data, 'file' | 'samples' | 'set'> {
  /** Recovery error to reach; a contender may choose its options accordingly, as its user would. */
  readonly target: number;
  /** A folder for its own files. */
  readonly folder: string;
  /** Aborts the run: time limit or interruption. */
  readonly signal: AbortSignal;
}

/** Atoms as rows, and the compute time in seconds: without start-up, reading and writing. */
export interface Snapshot {
  readonly seconds: number;
  readonly atoms: Matrix64;
}

export interface Missing {
  /** Why it is skipped. */
  readonly missing: string;
}

/** A contender that is ready to run: libraries loaded, threads waiting. */
export interface Session {
  /** Versions and threads, shown with the results. */
  readonly description: string;
  /** Snapshots in order of time. */
  run(task: Task): Promise<readonly Snapshot[]>;
  close(): Promise<void>;
}

export interface Contender {
  readonly name: string;
  readonly ours: boolean;
  /** Whether the target changes what it does; if not, one run serves all targets. */
  readonly targeted: boolean;
  /** Rounds it takes part in if a run is long; default: all. */
  readonly mostRepeats?: number;
  /** Why it is skipped on a data set that would take too long. */
  excuse?(set: DataSet): string | undefined;
  open(): Promise<Session | Missing>;
}
