/** Kernels that can be chosen in Node. */
import type { BackendChoice } from '../../kernels/select.ts';

/** Kernels to use: `native` requires a BLAS; `auto` uses one if it is there. */
export type NodeBackendChoice = BackendChoice | 'native';

export const NODE_BACKENDS = ['auto', 'native', 'wasm', 'js'] as const satisfies readonly NodeBackendChoice[];
