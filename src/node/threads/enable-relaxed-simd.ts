/** Node 20 has relaxed SIMD behind a flag of V8 that can be set at run time; later versions have it enabled. */
import { setFlagsFromString } from 'node:v8';
import { isSupported } from '../../kernels/wasm/supported.ts';

/** Enables relaxed SIMD if possible. Call it before kernels are selected; they are chosen by what validates. */
export function enableRelaxedSimd(): void {
  // V8 warns on stderr about unknown flags, so the flag is set only where it is needed.
  if (isSupported('relaxed') || !isSupported('baseline')) return;
  try {
    setFlagsFromString('--experimental-wasm-relaxed-simd');
  } catch {
    // the node:v8 of another runtime has no flags
  }
}
