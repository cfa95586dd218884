/** Node 20 has relaxed SIMD behind a flag of V8 that can be set at run time; later versions have it on. */
import { setFlagsFromString } from 'node:v8';
import { isSupported } from '../../kernels/wasm/supported.ts';

/** Call it before kernels are selected. It may have no effect: validation decides afterwards which kernels run. */
export function enableRelaxedSimd(): void {
  // V8 complains on stderr about flags it does not know, so the flag is set only where it is missing.
  if (isSupported('relaxed') || !isSupported('baseline')) return;
  try {
    setFlagsFromString('--experimental-wasm-relaxed-simd');
  } catch {
    // another runtime's node:v8: it has no flags
  }
}
