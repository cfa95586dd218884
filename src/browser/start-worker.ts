/**
 * Starts a web worker from the file that Vite and webpack put beside the page, or from that of the package. Other bundlers may
 * leave that file out; then the same code is loaded as text and started from memory.
 */
import type { WorkerPort } from '../engine/workers/protocol.ts';
import type { FromWorker, Setup, WebWorker } from './web-worker.ts';

declare const Worker: new (url: URL | string, options: { readonly type: 'module' }) => WebWorker;

export type CreateWorker = () => WebWorker;

// bundlers look for this form
const fromFile: CreateWorker = () => new Worker(new URL('./page-worker.js', import.meta.url), { type: 'module' });

/** Creates workers from text, by an object URL of this page; loaded when first needed. */
let text: Promise<CreateWorker> | undefined;

async function loadText(): Promise<CreateWorker> {
  const { default: code } = await import('./generated/page-worker-text.ts');
  const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  return () => new Worker(url, { type: 'module' });
}

/**
 * Starts a worker; resolves when it is ready to compute. `create`: replaces the package's file and text. The signal ends the
 * wait for a worker that does not respond.
 */
export async function startWorker(
  setup: Setup,
  create: CreateWorker | undefined,
  signal: AbortSignal,
): Promise<WorkerPort> {
  if (create) return ready(create, setup, signal);
  if (!text) {
    try {
      return await ready(fromFile, setup, signal);
    } catch (error) {
      if (error instanceof Refusal || signal.aborted) throw error;
      text ??= loadText();
    }
  }
  return ready(await text, setup, signal);
}

/** A worker that runs but could not load its kernels: starting it in another way would not help. */
class Refusal extends Error {}

async function ready(create: CreateWorker, setup: Setup, signal: AbortSignal): Promise<WorkerPort> {
  signal.throwIfAborted();
  const worker = create();
  const failed = failureOf(worker);
  const listener = new AbortController();
  const answered = new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { signal: listener.signal });
    worker.addEventListener('message', ({ data }: { data: FromWorker }) => {
      if ('ready' in data) resolve();
      else if ('unready' in data) reject(new Refusal(data.unready));
    });
    void failed.then(reject);
  });
  try {
    worker.postMessage(setup, []);
    await answered;
  } catch (error) {
    worker.terminate();
    throw error;
  } finally {
    listener.abort();
  }
  return portOf(worker, failed);
}

/** Resolves to the reason why the worker ended, or could not be loaded; browsers do not report why a file could not. */
function failureOf(worker: WebWorker): Promise<Error> {
  return new Promise((resolve) => {
    worker.addEventListener('error', (event: { message?: string; preventDefault?(): void }) => {
      event.preventDefault?.(); // it is reported below, not a second time on the console
      resolve(new Error(`executor: a web worker failed: ${event.message || 'it cannot be loaded'}.`));
    });
    worker.addEventListener('messageerror', () =>
      resolve(new Error('executor: a message of a web worker cannot be read.')),
    );
  });
}

function portOf(worker: WebWorker, failed: Promise<Error>): WorkerPort {
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onReply: (listener) => {
      worker.addEventListener('message', ({ data }: { data: FromWorker }) => {
        if ('job' in data) listener(data);
      });
    },
    onFailure: (listener) => void failed.then(listener),
    hold: () => {}, // a page does not exit when idle
    release: () => {},
    terminate: async () => worker.terminate(),
  };
}
