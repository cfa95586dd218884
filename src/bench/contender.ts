/**
 * A contender: something that learns a dictionary. It gets samples and a target, and returns dictionaries with the time each
 * took to compute; what these are worth is for the objective to say.
 */
import type { Matrix64 } from '../core/matrix.ts';
import type { Data, DataSet } from './data-sets.ts';

/** What a contender is given; `samples` and `file` hold the same numbers. */
export interface Task extends Pick<Data, 'file' | 'samples' | 'set'> {
  /** Recovery error to reach; a contender may choose its options by it, as its user would. */
  readonly target: number;
  /** A folder for its own files. */
  readonly folder: string;
  /** Ends the run: the time limit or an interruption. */
  readonly signal: AbortSignal;
}

/** Atoms as rows, and the seconds of computing that led to them: without start-up, reading, and writing. */
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
  /** Versions and threads, for the reader of the results. */
  readonly description: string;
  /** In order of time. */
  run(task: Task): Promise<readonly Snapshot[]>;
  close(): Promise<void>;
}

export interface Contender {
  readonly name: string;
  readonly ours: boolean;
  /** Whether the target changes what it does; otherwise one run serves all targets. */
  readonly targeted: boolean;
  /** Rounds it takes part in, where a run is long; default: all. */
  readonly mostRepeats?: number;
  /** Data on which it is not worth waiting for. */
  excuse?(set: DataSet): string | undefined;
  open(): Promise<Session | Missing>;
}
