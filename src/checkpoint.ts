/** What a run saves to go on later as if it had never stopped. Where it is saved is the store's affair. */
import { InputError } from './errors.ts';
import type { Matrix64 } from './matrix.ts';
import type { Position } from './solvers/iterate.ts';
import type { SolverState } from './solvers/solver.ts';
import type { Status } from './solvers/stop.ts';

export interface Checkpoint {
  readonly identity: Identity;
  /** Passes over the data so far. */
  readonly passes: number;
  /** How exploring ended, once it has. */
  readonly explored?: Explored | undefined;
  /** Where the current stage stands: refining if `explored` is there, exploring otherwise. Absent: at its beginning. */
  readonly position?: Position<SolverState> | undefined;
}

export interface Explored {
  readonly atoms: Matrix64;
  /** Where the atoms are a product of rotations. */
  readonly rotations?: Matrix64 | undefined;
  readonly iterations: number;
  readonly objective: number;
  readonly status: Status;
  readonly reason: string;
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

export function requireSameIdentity(saved: Identity, current: Identity): void {
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
      throw new InputError(`learn: the checkpoint must be of the same options; got another ${name} (${words}).`);
    }
  }
  // last, because kernels and centering show in the sums by which data is known
  if (saved.data !== current.data) {
    throw new InputError('learn: the checkpoint must be of the same data; got one of other samples.');
  }
}
