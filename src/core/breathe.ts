/** Pauses in long computations, so that the event loop can handle aborts, progress and other work. */

const EVERY_MILLISECONDS = 40;

/**
 * Call the returned function often. It usually returns undefined at once, and about every 40 ms a promise to await. It
 * throws the signal's reason if the run was aborted.
 */
export function breather(signal?: AbortSignal): () => Promise<void> | undefined {
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

/** A timer takes a millisecond or more; runtimes on servers have something faster. */
const later: (callback: () => void) => unknown = typeof setImmediate === 'function' ? setImmediate : setTimeout;
