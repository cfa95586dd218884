/** What an executor in Node can be told; apart from the code that makes one. */
import type { BackendChoice } from '../../kernels/select.ts';

/** Kernels to use: `native` requires a BLAS; `auto` uses one if it is there. */
export type NodeBackendChoice = BackendChoice | 'native';

export const NODE_BACKENDS = ['auto', 'native', 'wasm', 'js'] as const satisfies readonly NodeBackendChoice[];

/** Threads and kernels of a computation in Node. */
export interface NodeExecutorOptions {
  /** Number of threads that compute, at most four per core; default: all cores. */
  readonly threads?: number | undefined;
  /** Default `auto`: the system's BLAS if there is one, else WebAssembly, else JavaScript. */
  readonly backend?: NodeBackendChoice | undefined;
}
