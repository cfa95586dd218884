/** Pauses in long computations, so that the event loop can handle aborts, progress and other work. */

/** Milliseconds between pauses. A page feels slow from 50 ms on: this leaves time for the present step. */
const EVERY_MILLISECONDS = 8;

/** Called often in long computations: returns a promise to await now and then, and throws if the run was aborted. */
export type Pause = () => Promise<void> | undefined;

/**
 * Call the returned function often. It usually returns undefined at once, and about every 8 ms a promise to await. It
 * throws the signal's reason if the run was aborted.
 */
export function breather(signal?: AbortSignal): Pause {
  let last = performance.now();
  return () => {
    if (performance.now() - last < EVERY_MILLISECONDS) return undefined;
    return nextTurn().then(() => {
      last = performance.now();
      signal?.throwIfAborted();
    });
  };
}

/** Resolves when the event loop has handled what was waiting. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void later(resolve));

type Later = (callback: () => void) => unknown;

/** Waits by a message: browsers delay timers by 4 ms or more, but not messages. */
const byMessage: Later = (callback) => {
  const { port1, port2 } = new MessageChannel();
  const onMessage = () => {
    port1.close();
    callback();
  };
  Object.assign(port1, { onmessage: onMessage }); // the types of Node do not know it
  port2.postMessage(null);
};

/** The fastest way to wait: server runtimes have `setImmediate`. */
const later: Later =
  typeof setImmediate === 'function' ? setImmediate : typeof MessageChannel === 'function' ? byMessage : setTimeout;

/** A computation in small steps, to pause in between. */
export type Steps<T> = Generator<undefined, T>;

/** Takes all steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Awaits `pause` after every step, which may throw to end the computation. */
export async function withPauses<T>(steps: Steps<T>, pause: () => Promise<void> | undefined): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    const promise = pause();
    if (promise) await promise;
  }
}
