/** Runs several trials at once, one per thread. Threads start with their first trial and end when the run stops. */
import { Worker } from 'node:worker_threads';
import type { Measured, Point } from './experiment.ts';
import type { Lanes } from './run.ts';

export interface TrialRequest {
  readonly name: string;
  readonly point: Point;
  readonly seed: number;
}

export interface TrialThreads extends Lanes {
  close(): Promise<void>;
}

/** Only for experiments in the registry: a thread looks them up by name. */
export function trialThreads(count: number): TrialThreads {
  const idle: Worker[] = [];
  const all = new Set<Worker>();
  const start = (): Worker => {
    const worker = new Worker(new URL('./trial-worker.js', import.meta.url));
    worker.on('error', () => {}); // reported to the current trial; after an abort there is none
    all.add(worker);
    return worker;
  };
  return {
    count,
    async measure({ name }, point, seed, signal) {
      const worker = idle.pop() ?? start();
      const measured = await answer(worker, { name, point, seed }, signal);
      idle.push(worker);
      return measured;
    },
    async close() {
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

/** An abort rejects at once, without waiting for the answer. */
function answer(worker: Worker, request: TrialRequest, signal: AbortSignal): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      worker.off('message', onMessage);
      worker.off('error', onError);
      signal.removeEventListener('abort', onAbort);
      end();
    };
    const onMessage = (measured: Measured) => settle(() => resolve(measured));
    const onError = (error: unknown) => settle(() => reject(error));
    const onAbort = () => settle(() => reject(signal.reason));
    worker.on('message', onMessage);
    worker.on('error', onError);
    signal.addEventListener('abort', onAbort);
    worker.postMessage(request);
  });
}
