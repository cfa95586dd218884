/** The kernels available in Node: the portable ones, and the system's BLAS if there is one. */
import { InputError } from '../../core/errors.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import { type BackendChoice, selectKernels } from '../../kernels/select.ts';
import { enableRelaxedSimd } from './enable-relaxed-simd.ts';
import { type Blas, findBlas, openBlas } from './native/blas.ts';
import { createNativeKernels } from './native/kernels.ts';

/** `native` requires a BLAS; `auto` uses one if it is there. */
export type NodeBackendChoice = BackendChoice | 'native';

export const NODE_BACKENDS = ['auto', 'native', 'wasm', 'js'] as const satisfies readonly NodeBackendChoice[];

export interface NodeKernels {
  readonly kernels: Kernels;
  /** The library behind native kernels; other threads open it without searching again. */
  readonly library?: string;
}

let search: Promise<Blas | { readonly missing: string }> | undefined;

export async function selectNodeKernels(choice: NodeBackendChoice): Promise<NodeKernels> {
  enableRelaxedSimd();
  if (choice === 'native' || choice === 'auto') {
    search ??= findBlas();
    const found = await search;
    if (!('missing' in found)) return { kernels: await createNativeKernels(found), library: found.library };
    if (choice === 'native') {
      throw new InputError(`learn: backend must be one that runs here; got native, but ${found.missing}.`);
    }
  }
  return { kernels: await selectKernels(choice) };
}

/** The same kernels in a worker thread. Throws if they cannot be loaded, since others would give different bits. */
export async function kernelsForThread(choice: NodeBackendChoice, library: string | undefined): Promise<Kernels> {
  enableRelaxedSimd();
  if (library === undefined) return selectKernels(choice === 'native' ? 'auto' : choice);
  const found = await openBlas(library, true);
  if ('missing' in found) throw new Error(`a thread could not open ${library}: ${found.missing}.`);
  return createNativeKernels(found);
}
