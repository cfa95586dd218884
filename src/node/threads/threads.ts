/** Executors for Node: all cores by default, the calling thread if one is enough. */

import { availableParallelism } from 'node:os';
import { isMainThread, workerData as threadData, Worker } from 'node:worker_threads';
import { requireObject } from '../../core/require-matrix.ts';
import type { Executor } from '../../engine/executor.ts';
import { inlineExecutor } from '../../engine/executor.ts';
import { workersExecutor } from '../../engine/workers/executor.ts';
import { startEach, threadsWithin } from '../../engine/workers/pool.ts';
import type { Reply, WorkerPort } from '../../engine/workers/protocol.ts';
import { hasRoomFor } from './address-space.ts';
import type { NodeExecutorOptions } from './executor-options.ts';
import { selectNodeKernels, type ThreadKernels } from './kernels.ts';
import { CLOSE, READY } from './thread-messages.ts';

/**
 * Creates an executor on all cores, to share between computations; close it at the end. The calling thread is one of those that
 * compute. The others are started, with its kernels, when there is work for them, or by `warm()`. If they cannot be
 * started, `console.warn` reports it and the calling thread computes alone.
 *
 * @example
 * ```js
 * import { createNodeExecutor, learn } from 'orthodict/node';
 *
 * const executor = await createNodeExecutor({ threads: 2, backend: 'wasm' });
 * const first = await learn('data.npz', { seed: 1 }, { executor });
 * const second = await learn('data.npz', { seed: 2 }, { executor });
 * console.log(first.threads, second.threads); // 2 2
 * await executor.close();
 * ```
 */
export const createNodeExecutor = (options: NodeExecutorOptions = {}): Promise<Executor> =>
  nodeExecutorFor('createNodeExecutor', options);

/** Creates an executor for the function or command `who`, whose name is in the errors about options. */
export async function nodeExecutorFor(who: string, options: NodeExecutorOptions): Promise<Executor> {
  requireObject(who, 'options', options, 'an object');
  const cores = availableParallelism();
  const { threads: wanted = cores, backend = 'auto' } = options;
  const threads = threadsWithin(who, wanted, cores);
  const { kernels, library } = await selectNodeKernels(backend);
  if (threads === 1) return inlineExecutor(kernels);
  if (isOurThread)
    throw new Error('the module of a pass computes when it is loaded; put the pass into a module of its own.');
  const start = startEach(() => startThread({ name: kernels.name, library }));
  return workersExecutor(threads, start, kernels);
}

/** Whether this code runs in a thread that was started here, to compute passes. */
const isOurThread = !isMainThread && (threadData as { forPasses?: boolean } | null)?.forPasses === true;

/** Starts a thread; resolves when it is ready. */
async function startThread(kernels: ThreadKernels): Promise<WorkerPort> {
  const isWasm = kernels.name !== 'js';
  if (!hasRoomFor(starting + 1, isWasm)) throw new Error('the address space of this process is limited');
  starting++;
  try {
    return await readyThread(kernels);
  } finally {
    starting--;
  }
}

/** Number of threads being started, which may not have reserved their address space yet. */
let starting = 0;

async function readyThread(kernels: ThreadKernels): Promise<WorkerPort> {
  const fromText = process.execArgv.some((flag) => flag.startsWith('--input-type')); // workers reject this flag
  const worker = new Worker(new URL('./thread-worker.js', import.meta.url), {
    workerData: { kernels, forPasses: true },
    ...(fromText && { execArgv: [] }),
  });
  const ended = new Promise<Error>((resolve) => {
    worker.once('error', resolve);
    worker.once('exit', (code) => resolve(new Error(`executor: a thread ended by itself, with code ${code}.`)));
  });
  const ready = new Promise<void>((resolve) => {
    worker.once('message', (message) => message === READY && resolve());
  });
  const failure = await Promise.race([ready, ended]);
  if (failure) throw failure;
  return threadPort(worker, ended);
}

/** Wraps a worker. `ended`: resolves with the reason if the thread ends by itself. */
function threadPort(worker: Worker, ended: Promise<Error>): WorkerPort {
  let held = 0; // work keeps the process alive, idle threads do not
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onReply: (listener) => {
      worker.on('message', (reply: Reply) => listener(reply));
      if (held === 0) worker.unref(); // a listener alone would keep the process alive
    },
    onFailure: (listener) => void ended.then(listener),
    hold: () => {
      if (held++ === 0) worker.ref();
    },
    release: () => {
      if (--held === 0) worker.unref();
    },
    // the thread ends by itself: terminating it while it loads a native library would crash the process
    terminate: async () => {
      held = Number.POSITIVE_INFINITY; // a late reply must not let the process end before the thread
      worker.ref();
      worker.postMessage(CLOSE);
      await ended;
    },
  };
}
