/** What the page and the session's worker say to each other. */

/** To the worker. */
export type ToSession =
  | { readonly kind: 'start'; readonly id: number; readonly job: string; readonly request: unknown }
  | { readonly kind: 'pause' | 'resume' | 'step' | 'cancel'; readonly id: number };

/** From the worker, about a job. */
export type FromSession =
  | { readonly kind: 'event'; readonly id: number; readonly event: unknown }
  | { readonly kind: 'done'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string; readonly reason: Failure }
  | { readonly kind: 'warning'; readonly message: string };

/** Why a job has no result: the user cancelled it, the input is not good, or the program is at fault. */
export type Failure = 'cancelled' | 'input' | 'fault';
