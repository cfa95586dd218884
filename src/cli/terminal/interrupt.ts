/**
 * Handles Ctrl-C (SIGINT), a termination request (SIGTERM) and a closed terminal (SIGHUP) for every command: exit code 130,
 * no unfinished files. The first signal asks a running computation to stop, so that it can save its state; a second one
 * ends the process. If no computation is running, the first signal ends it.
 */

export class Interrupted extends Error {}

export const INTERRUPTED = 130;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Stops the running computation, if there is one. */
let running: AbortController | undefined;

function onSignal(): void {
  if (running && !running.signal.aborted) {
    running.abort(new Interrupted('orthodict: interrupted.'));
    return;
  }
  if (!running) console.error('orthodict: interrupted.');
  process.exit(INTERRUPTED); // files that are being written are removed on exit
}

const listen = () => {
  for (const signal of SIGNALS) process.on(signal, onSignal);
};
const ignore = () => {
  for (const signal of SIGNALS) process.off(signal, onSignal);
};

/** Runs a whole command with these signal handlers. */
export async function withSignals<T>(command: () => Promise<T>): Promise<T> {
  listen();
  try {
    return await command();
  } finally {
    ignore();
  }
}

/** Runs `work` with a signal that is aborted when the process is asked to end. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  running = controller;
  try {
    return await work(controller.signal);
  } finally {
    running = undefined;
  }
}

/** Runs work that blocks the event loop. Meanwhile signals end the process, as they do by default. */
export function synchronously<T>(work: () => T): T {
  ignore();
  try {
    return work();
  } finally {
    listen();
  }
}
