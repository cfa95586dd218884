/** What a run saves to go on later as if it had never stopped. Where it is saved is the store's affair. */
import { InputError } from '../core/errors.ts';
import type { Finished } from '../learn/stages.ts';
import type { Position } from './iterate.ts';
import type { SolverState } from './solver.ts';

export interface Checkpoint {
  readonly identity: Identity;
  /** Samples visited so far. */
  readonly effort: number;
  /** How the last finished stage ended. */
  readonly finished?: Finished | undefined;
  /** Where the stage after it stands. Absent: at its beginning. */
  readonly position?: Position<SolverState> | undefined;
}

/** A checkpoint serves only the data, options and kernels it was made with. */
export interface Identity {
  readonly data: string;
  readonly backend: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface CheckpointStore {
  load(): Promise<Checkpoint | undefined>;
  /** Must leave the previous checkpoint intact until the new one is complete. */
  save(checkpoint: Checkpoint): Promise<void>;
  /** Least time between two saves, in seconds. */
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
      throw new InputError(`${who}: the checkpoint must be of the same options; got another ${name} (${words}).`);
    }
  }
  // last, because kernels and centering show in the sums by which data is known
  if (saved.data !== current.data) {
    throw new InputError(`${who}: the checkpoint must be of the same data; got one of other samples.`);
  }
}
