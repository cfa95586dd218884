/** What a job gets to work with, inside the session's worker. */
import type { Executor } from 'orthodict/browser';

export interface JobContext<E> {
  /** Computes on several threads. It stands still while the job is paused. */
  readonly executor: Executor;
  /** Aborted when the user cancels. */
  readonly signal: AbortSignal;
  /** Tells the page something; buffers listed in `transfer` are handed over instead of copied. */
  readonly emit: (event: E, transfer?: Transferable[]) => void;
  /** Call it between steps: resolves at once, or when the user resumes or asks for one step. */
  readonly turn: () => Promise<void>;
}

/** A piece of work that the page asks for. `request`, events and result are plain data. */
export type Job<Q, E, R> = (request: Q, context: JobContext<E>) => Promise<R>;
