/** Executors for Node: all cores by default, the calling thread where one is enough. */
import { availableParallelism } from 'node:os';
import { isMainThread, workerData as threadData, Worker } from 'node:worker_threads';
import { inputError } from '../../core/errors.ts';
import type { Executor } from '../../engine/executor.ts';
import { inlineExecutor } from '../../engine/inline.ts';
import type { Reply, WorkerPort } from '../../engine/worker-messages.ts';
import { workersExecutor } from '../../engine/workers.ts';
import { type NodeBackendChoice, selectNodeKernels } from './kernels.ts';
import { CLOSE } from './thread-messages.ts';

export interface NodeExecutorOptions {
  /** Number of threads that compute, at most {@link MOST_PER_CORE} per core; default: all cores. */
  readonly threads?: number | undefined;
  readonly backend?: NodeBackendChoice | undefined;
}

/** More threads than this only take memory and time to start; the result is the same. */
const MOST_PER_CORE = 4;

export async function createNodeExecutor(options: NodeExecutorOptions = {}): Promise<Executor> {
  const cores = availableParallelism();
  const { threads: wanted = cores, backend = 'auto' } = options;
  if (!(Number.isInteger(wanted) && wanted >= 1 && wanted <= 1024)) {
    throw inputError('learn', 'threads', 'a whole number from 1 to 1024', wanted);
  }
  const threads = Math.min(wanted, MOST_PER_CORE * cores);
  const { kernels, library } = await selectNodeKernels(backend);
  if (threads === 1) return inlineExecutor(kernels);
  if (isOurThread)
    throw new Error('the module of a pass computes when it is loaded; put the pass into a module of its own.');
  const start = () => Array.from({ length: threads }, () => threadPort({ backend, library }));
  return workersExecutor(threads, start, kernels);
}

/** Whether this code runs in a thread that was started here, to compute passes. */
const isOurThread = !isMainThread && (threadData as { forPasses?: boolean } | null)?.forPasses === true;

function threadPort(workerData: { backend: NodeBackendChoice; library: string | undefined }): WorkerPort {
  const fromText = process.execArgv.some((flag) => flag.startsWith('--input-type')); // workers reject this flag
  const worker = new Worker(new URL('./thread-worker.js', import.meta.url), {
    workerData: { ...workerData, forPasses: true },
    ...(fromText && { execArgv: [] }),
  });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let underWay = 0; // a computation keeps the process alive, an idle pool does not
  return {
    post: (request, transfer) => {
      worker.postMessage(request, transfer);
      if (underWay++ === 0) worker.ref();
    },
    onReply: (listener) => {
      worker.on('message', (reply: Reply) => {
        if (--underWay === 0) worker.unref();
        listener(reply);
      });
      if (underWay === 0) worker.unref(); // a listener alone would keep the process alive
    },
    onFailure: (listener) => {
      worker.on('error', listener);
      worker.on('exit', (code) => listener(new Error(`executor: a thread ended by itself, with code ${code}.`)));
    },
    // the thread ends by itself: terminating it while it loads a native library would crash the process
    terminate: async () => {
      underWay = Number.POSITIVE_INFINITY; // a late reply must not let the process end before the thread
      worker.ref();
      worker.postMessage(CLOSE);
      await exited;
    },
  };
}
