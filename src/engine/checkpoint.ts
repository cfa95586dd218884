/**
 * What a run saves so that it can continue later as if it had never stopped: how each finished loop ended, and where
 * the current one stands. A resumed run starts from the beginning, takes the outcomes of finished loops from here, and
 * continues inside the loop that was cut off.
 */
import { InputError } from '../core/errors.ts';
import type { Outcome, Position } from './iterate.ts';
import type { SolverState } from './solver.ts';

/** The state of a run: which data and options, how each finished loop ended, where the current one stands. */
export interface Checkpoint {
  readonly identity: Identity;
  readonly finished: readonly FinishedLoop[];
  /** State of the loop after the finished ones; absent if it has not begun. */
  readonly current?: CurrentLoop | undefined;
}

/** Where a run stood when it saved. */
interface Clocks {
  /** Name of the solver of the loop. */
  readonly solver: string;
  /** Samples visited by the whole run when the loop ended. */
  readonly effort: number;
  /** Seconds that the run has spent in loops. */
  readonly looped: number;
}

/** How a loop ended. */
export interface FinishedLoop extends Outcome<SolverState>, Clocks {}

/** Where a loop stood when it was saved. */
export interface CurrentLoop extends Position<SolverState>, Clocks {}

/** A checkpoint fits only the function, data, options and kernels it was made with. */
export interface Identity {
  /** Hash of the data. */
  readonly data: string;
  readonly backend: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Where a run saves its state; `fileCheckpoint` of `orthodict/node` is one. */
export interface CheckpointStore {
  load(): Promise<Checkpoint | undefined>;
  /** Must leave the previous checkpoint intact until the new one is complete. */
  save(checkpoint: Checkpoint): Promise<void>;
  /** Least time between two saves inside a loop, in seconds. The end of a loop is always saved. */
  readonly interval: number;
}

export function requireSameIdentity(who: string, saved: Identity, current: Identity): void {
  const names = new Set([...Object.keys(saved.options), ...Object.keys(current.options)]);
  const pairs: [string, unknown, unknown][] = [...names].map((name) => [
    name,
    saved.options[name],
    current.options[name],
  ]);
  pairs.push(['backend', saved.backend, current.backend]);
  for (const [name, there, here] of pairs) {
    if (JSON.stringify(there) !== JSON.stringify(here)) {
      const words = `${JSON.stringify(there) ?? 'not set'} there, ${JSON.stringify(here) ?? 'not set'} here`;
      throw new InputError(`${who}: the checkpoint must be of the same options; got another ${name} (${words}).`, who);
    }
  }
  // checked last, because the hash is made of sums that kernels and centering change
  if (saved.data !== current.data) {
    throw new InputError(`${who}: the checkpoint must be of the same data; got one of other samples.`, who);
  }
}
