/** Selects the kernels available in Node: the portable ones, and the system's BLAS if there is one. */
import { setFlagsFromString } from 'node:v8';
import { InputError } from '../../core/errors.ts';
import { reasonOf } from '../../core/warn.ts';
import type { KernelName, Kernels } from '../../kernels/kernels.ts';
import { portableKernels, selectKernels } from '../../kernels/select.ts';
import { isSupported } from '../../kernels/wasm/supported.ts';
import { hasRoomForNative } from './address-space.ts';
import type { NodeBackendChoice } from './executor-options.ts';
import { type Blas, findBlas, openBlas } from './native/blas.ts';

/** Kernels, and the library that they call, if any. */
export interface NodeKernels {
  readonly kernels: Kernels;
  /** Library of native kernels, which other threads open without searching again. */
  readonly library?: string;
}

const LIMITED = 'the address space of this process is limited';

let search: Promise<Blas | { readonly missing: string }> | undefined;

/** Selects the fastest kernels of this machine, or those of the given backend: a CBLAS, WebAssembly or JavaScript. */
export async function selectNodeKernels(choice: NodeBackendChoice): Promise<NodeKernels> {
  enableRelaxedSimd();
  if (choice === 'native' || choice === 'auto') {
    search ??= hasRoomForNative() ? findBlas() : Promise.resolve({ missing: LIMITED });
    const native = await overBlas(await search);
    if (!('missing' in native)) return native;
    if (choice === 'native') {
      throw new InputError(`learn: backend must be one that runs here; got native, but ${native.missing}.`);
    }
  }
  return { kernels: await selectKernels(choice) };
}

/** Makes native kernels, which need WebAssembly as well as the library, for the arithmetic between the products. */
async function overBlas(
  found: Blas | { readonly missing: string },
): Promise<NodeKernels | { readonly missing: string }> {
  if ('missing' in found) return found;
  try {
    return { kernels: await nativeKernels(found), library: found.library };
  } catch (error) {
    return { missing: `WebAssembly cannot be used (${reasonOf(error)})` };
  }
}

/** Names from which a thread loads the same kernels, for the same bits, as the thread that started it. */
export interface ThreadKernels {
  readonly name: KernelName;
  readonly library: string | undefined;
}

/** Loads the caller's kernels in a worker thread. Throws if that fails, because others would give different bits. */
export async function kernelsForThread({ name, library }: ThreadKernels): Promise<Kernels> {
  enableRelaxedSimd();
  if (name !== 'native') return portableKernels(name);
  const found = await openBlas(library!, true);
  if ('missing' in found) throw new Error(`${library} cannot be opened: ${found.missing}.`);
  return nativeKernels(found);
}

/** Loads the code of native kernels, which machines without a BLAS do not need. */
const nativeKernels = async (blas: Blas): Promise<Kernels> =>
  (await import('./native/kernels.ts')).createNativeKernels(blas);

/**
 * Enables relaxed SIMD if possible: Node 20 has it behind a flag of V8 that can be set at run time. Call it before kernels are
 * selected; they are chosen by what validates.
 */
export function enableRelaxedSimd(): void {
  // V8 warns on stderr about unknown flags, so the flag is set only where it is needed.
  if (isSupported('relaxed') || !isSupported('baseline')) return;
  try {
    setFlagsFromString('--experimental-wasm-relaxed-simd');
  } catch {
    // the node:v8 of another runtime has no flags
  }
}
