/** The context of a job inside the session's worker. */
import type { Executor } from 'orthodict/browser';

export interface JobContext<E> {
  /** Computes on several threads. It waits while the job is paused. */
  readonly executor: Executor;
  /** Aborted when the user cancels. */
  readonly signal: AbortSignal;
  /** Sends an event to the page; buffers listed in `transfer` are moved instead of copied. */
  readonly emit: (event: E, transfer?: Transferable[]) => void;
  /** Waits between steps: resolves at once, or when the user resumes or requests one step. */
  readonly turn: () => Promise<void>;
}

/** A piece of work that the page requests. `request`, events and result are plain data. */
export type Job<Q, E, R> = (request: Q, context: JobContext<E>) => Promise<R>;
