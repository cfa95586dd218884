/** Web workers for tests in Node: threads that look like a dedicated worker. */
import { Worker as Thread } from 'node:worker_threads';
import type { WebWorker } from '#src/browser/web-worker.ts';

const SHIM = new URL('./web-worker.mjs', import.meta.url);
/** The package's own worker. */
export const PAGE_WORKER = new URL('../../dist/browser/page-worker.js', import.meta.url).href;

export interface FakeWorker extends WebWorker {
  readonly sent: unknown[];
  readonly ended: Promise<unknown>;
}

/** A worker on this module; `without`: a global that it lacks. */
export function fakeWorker(module: string = PAGE_WORKER, without?: 'WebAssembly'): FakeWorker {
  const thread = new Thread(SHIM, { workerData: { module, without } });
  const sent: unknown[] = [];
  return {
    sent,
    ended: new Promise((resolve) => thread.once('exit', resolve)),
    postMessage: (message, transfer) => {
      sent.push(message);
      thread.postMessage(message, transfer);
    },
    addEventListener: (type, listener) => {
      if (type === 'message') thread.on('message', (data) => listener({ data }));
      if (type === 'error') thread.on('error', ({ message }) => listener({ message }));
    },
    terminate: () => void thread.terminate(),
  };
}
