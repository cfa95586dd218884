/**
 * A contender learns a dictionary. It gets samples and returns dictionaries with the time each took to compute; only an
 * objective scores them, and no contender scores itself.
 */
import type { Matrix64 } from 'orthodict';

/** What every contender gets; `samples` and `file` hold the same numbers, in float64. */
export interface Task {
  readonly samples: Matrix64;
  /** A .npy file. */
  readonly file: string;
  /** Of its random start. */
  readonly seed: number;
  /** A folder for its own files. */
  readonly folder: string;
  /** Aborts the run: time limit or interruption. */
  readonly signal: AbortSignal;
}

/** Atoms as rows; the mean if the contender subtracts it. */
export interface Model {
  readonly atoms: Matrix64;
  readonly mean?: Float64Array | undefined;
}

/** A dictionary, and the compute time in seconds: without start-up, reading and writing. */
export interface Snapshot extends Model {
  readonly seconds: number;
  /** Passes over the samples until then, if the contender counts them. */
  readonly passes?: number | undefined;
}

export interface Missing {
  /** Why it is skipped. */
  readonly missing: string;
}

/** A contender that is ready to run: libraries loaded, threads waiting. */
export interface Session<T extends Task = Task> {
  /** Versions and threads, shown with the results. */
  readonly description: string;
  /** Snapshots in order of effort; the last one is the result. */
  run(task: T): Promise<readonly Snapshot[]>;
  close(): Promise<void>;
}

/** Features and number of samples. */
export interface Size {
  readonly features: number;
  readonly samples: number;
}

export interface Contender<T extends Task = Task> {
  readonly name: string;
  readonly ours: boolean;
  /** Rounds it takes part in if a run is long; default: all. */
  readonly mostRepeats?: number;
  /** Why it is skipped on data that would take too long. */
  excuse?(size: Size): string | undefined;
  open(): Promise<Session<T> | Missing>;
}

/** A contender with its libraries loaded. */
export interface Entrant<T extends Task = Task, C extends Contender<T> = Contender<T>> {
  readonly contender: C;
  readonly session: Session<T>;
}

/** A contender that ran: versions and threads. */
export interface Described {
  readonly name: string;
  readonly description: string;
}

/** Something that was left out, and why. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
}
