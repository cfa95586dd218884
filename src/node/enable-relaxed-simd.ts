/** Node 20 has relaxed SIMD behind a flag of V8 that can be set at run time; later versions have it on. */
import { setFlagsFromString } from 'node:v8';

/** To be called before kernels are selected, in every thread's process once. It may have no effect: validation decides. */
export function enableRelaxedSimd(): void {
  setFlagsFromString('--experimental-wasm-relaxed-simd');
}
