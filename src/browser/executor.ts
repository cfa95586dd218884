/** Executor for a page or a dedicated worker: on web workers, all cores by default. */
import type { Executor } from '../engine/executor.ts';
import { inlineExecutor } from '../engine/executor.ts';
import { workersExecutor } from '../engine/workers/executor.ts';
import { startEach, threadsWithin } from '../engine/workers/pool.ts';
import { type BackendChoice, compiledKernels, selectKernels } from '../kernels/select.ts';
import { startWorker } from './start-worker.ts';
import { FOR_PASSES, type WebWorker } from './web-worker.ts';

/** Threads and kernels of a computation in a browser. */
export interface BrowserExecutorOptions {
  /** Number of threads that compute, at most four per core; default: all cores. */
  readonly threads?: number | undefined;
  /** Default `auto`: WebAssembly, or JavaScript where there is none. */
  readonly backend?: BackendChoice | undefined;
  /**
   * Creates one worker; default: from the package's file, or from its text where a bundler has left the file out. Its
   * module must import `orthodict/browser/worker`, after the modules of your own passes.
   */
  readonly createWorker?: (() => WebWorker) | undefined;
}

/**
 * Creates an executor on web workers, to share between computations; close it at the end. It runs in a page and in a dedicated
 * worker alike. The calling thread computes too, as long as that keeps the page responsive. Workers are started, with its
 * kernels, when there is work for them, or by `warm()`. If they cannot be started, `console.warn` reports it and the
 * calling thread computes alone.
 *
 * In a page that is cross-origin isolated, threads share memory: put samples there with `shareMatrix`, once. Elsewhere
 * they are sent to the workers with every pass.
 *
 * @example
 * ```ts
 * import { createBrowserExecutor, learn, shareMatrix } from 'orthodict/browser';
 *
 * const executor = await createBrowserExecutor({ threads: 4 });
 * const { dictionary } = await learn(shareMatrix(samples), { seed: 1 }, { executor });
 * await executor.close();
 * ```
 */
export async function createBrowserExecutor(options: BrowserExecutorOptions = {}): Promise<Executor> {
  const cores = coresHere();
  const { threads: wanted = cores, backend = 'auto', createWorker } = options;
  const threads = threadsWithin('createBrowserExecutor', wanted, cores);
  if ((globalThis as { [FOR_PASSES]?: boolean })[FOR_PASSES])
    throw new Error('the module of a pass computes when it is loaded; put the pass into a module of its own.');
  const kernels = await selectKernels(backend);
  if (threads === 1) return inlineExecutor(kernels);
  const setup = { kernels: await compiledKernels(kernels.name as Exclude<typeof kernels.name, 'native'>) };
  const start = startEach((signal) => startWorker(setup, createWorker, signal));
  return workersExecutor(threads, start, kernels);
}

const coresHere = (): number =>
  (globalThis as { navigator?: { hardwareConcurrency?: number } }).navigator?.hardwareConcurrency ?? 1;
