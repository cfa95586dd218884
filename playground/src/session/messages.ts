/** Messages between the page and the session's worker. */

/** Messages to the worker. */
export type ToSession =
  | { readonly kind: 'start'; readonly id: number; readonly job: string; readonly request: unknown }
  | { readonly kind: 'pause' | 'resume' | 'step' | 'cancel'; readonly id: number };

/** Messages from the worker about a job. */
export type FromSession =
  | { readonly kind: 'event'; readonly id: number; readonly event: unknown }
  | { readonly kind: 'done'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string; readonly reason: Failure }
  | { readonly kind: 'warning'; readonly message: string };

/** Why a job has no result: the user cancelled it, the input is bad, or the program has a bug. */
export type Failure = 'cancelled' | 'input' | 'fault';
