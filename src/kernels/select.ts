/** Selects the kernels for this machine. */
import { inputError } from '../core/errors.ts';
import type { KernelName, Kernels } from './kernels.ts';
import { referenceKernels } from './reference.ts';
import { isSupported, type WasmVariant } from './wasm/module.ts';
import { createWasmKernels, WASM_NAMES } from './wasm.ts';

/** `auto` takes the fastest available; `wasm` insists on WebAssembly; `js` is the reference implementation. */
export type BackendChoice = 'auto' | 'wasm' | 'js';

/** Fastest first. */
const VARIANTS: readonly WasmVariant[] = ['relaxed', 'baseline'];

export async function selectKernels(choice: BackendChoice): Promise<Kernels> {
  const variant = choice === 'js' ? undefined : VARIANTS.find(isSupported);
  if (variant) return createWasmKernels(variant);
  if (choice === 'wasm') {
    throw inputError('selectKernels', 'backend', 'one that runs here, such as js', 'wasm without WebAssembly SIMD');
  }
  return referenceKernels;
}

/** Names of the kernels available here, fastest first. */
export function supportedKernels(): KernelName[] {
  return [...VARIANTS.filter(isSupported).map((variant) => WASM_NAMES[variant]), referenceKernels.name];
}
