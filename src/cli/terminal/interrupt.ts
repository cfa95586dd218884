/**
 * Ctrl-C (SIGINT), a termination request (SIGTERM) and a closed terminal (SIGHUP), for every command: exit code 130, no
 * unfinished files. A computation that can save its state is asked to stop; a second signal ends the process, and so does
 * the first one where nothing was asked to stop.
 */

export class Interrupted extends Error {}

export const INTERRUPTED = 130;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The computation that can be asked to stop. */
let asked: AbortController | undefined;

function onSignal(): void {
  if (asked && !asked.signal.aborted) {
    asked.abort(new Interrupted('orthodict: interrupted.'));
    return;
  }
  if (!asked) console.error('orthodict: interrupted.');
  process.exit(INTERRUPTED); // files that are being written are removed on exit
}

const listen = () => {
  for (const signal of SIGNALS) process.on(signal, onSignal);
};
const ignore = () => {
  for (const signal of SIGNALS) process.off(signal, onSignal);
};

/** Runs a whole command. */
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
  asked = controller;
  try {
    return await work(controller.signal);
  } finally {
    asked = undefined;
  }
}

/** Runs work that never lets a signal be handled: meanwhile signals end the process, as they do by default. */
export function synchronously<T>(work: () => T): T {
  ignore();
  try {
    return work();
  } finally {
    listen();
  }
}
