/**
 * A contender gets arrays and returns arrays, with the time each result took to compute. Only an objective scores them, and
 * no contender scores itself: data set, objective and contender are three things that know nothing of each other.
 */
import type { Matrix64 } from 'orthodict';

/** Matrices by name, such as `samples`, or `atoms` as rows. */
export type Arrays = Readonly<Record<string, Matrix64>>;

/** What a run gets. */
export interface Task {
  readonly given: Arrays;
  /** A file with these arrays in float64: `samples` alone as .npy, others as .npz. */
  readonly file: string;
  /** Seed of random starts. */
  readonly seed: number;
  /** Error to reach, if there is a target: a contender may choose its options accordingly, as its user would. */
  readonly target?: number | undefined;
  /** Iterations of plain MSP that reach the target, found out beforehand; infinite: none do. Whole processes get it. */
  readonly iterations?: number | undefined;
  /** A folder for the files of this run. */
  readonly folder: string;
  /** Aborts the run: time limit or interruption. */
  readonly signal: AbortSignal;
}

/** A result, and the compute time in seconds: without start-up, reading and writing, unless these are what is measured. */
export interface Snapshot {
  readonly found: Arrays;
  readonly seconds: number;
  /** Passes over the samples until then, if the contender counts them. */
  readonly passes?: number | undefined;
}

export interface Missing {
  /** Why it is skipped. */
  readonly missing: string;
}

/** A contender that is ready to run: libraries loaded, threads waiting. */
export interface Session {
  /** Versions and threads, shown with the results. */
  readonly description: string;
  /** Snapshots in order of effort; the last one is the result. */
  run(task: Task): Promise<readonly Snapshot[]>;
  close(): Promise<void>;
}

/** Features and number of samples. */
export interface Size {
  readonly features: number;
  readonly samples: number;
}

export interface Contender {
  readonly name: string;
  /** Whether it is a part of orthodict. */
  readonly ours: boolean;
  /** Whether a target changes what it does; if not, one run serves all targets. */
  readonly targeted?: boolean;
  /** Rounds it takes part in if a run is long; default: all. */
  readonly mostRuns?: number;
  /** Why it is skipped on data that would take too long. */
  excuse?(size: Size): string | undefined;
  open(): Promise<Session | Missing>;
}

/** A contender with its libraries loaded. */
export interface Opened {
  readonly contender: Contender;
  readonly session: Session;
}

/** A contender that ran: versions and threads. */
export interface Described {
  readonly name: string;
  readonly description: string;
}

export const describe = ({ contender, session }: Opened): Described => ({
  name: contender.name,
  description: session.description,
});

/** Something that was left out, and why. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

/** Stops what it is given to, and says what is being done. */
export interface Watch {
  readonly signal?: AbortSignal | undefined;
  readonly say?: ((words: string) => void) | undefined;
}

/** Opens the contenders that are here, and says why the others are not. */
export async function openAll(
  contenders: readonly Contender[],
  { signal, say }: Watch,
): Promise<{ opened: Opened[]; skipped: Skipped[] }> {
  const opened: Opened[] = [];
  const skipped: Skipped[] = [];
  try {
    for (const contender of contenders) {
      signal?.throwIfAborted();
      say?.(`getting ${contender.name} ready`);
      const session = await contender.open();
      if ('missing' in session) skipped.push({ name: contender.name, reason: session.missing });
      else opened.push({ contender, session });
    }
    return { opened, skipped };
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

export async function closeAll(opened: readonly Opened[]): Promise<void> {
  for (const { session } of opened) await session.close();
}
