/** What WebAssembly on this machine supports, tested with the smallest modules that need each feature. */
import type { KernelName } from '../kernels.ts';
import { WebAssembly } from './webassembly.ts';

/** `baseline` needs SIMD; `relaxed` also needs relaxed SIMD, for its fused multiply-add. */
export type WasmVariant = 'baseline' | 'relaxed';

export const WASM_NAMES: Readonly<Record<WasmVariant, KernelName>> = { baseline: 'wasm', relaxed: 'wasm-relaxed' };

const HEAD = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** A function without parameters that returns a vector. */
const TYPE = [1, 5, 1, 0x60, 0, 1, 0x7b];
const FUNCTION = [3, 2, 1, 0];
/** i8x16.splat(0) */
const ZEROS = [0x41, 0, 0xfd, 0x0f];
/** f64x2.relaxed_madd */
const FUSED = [0xfd, 0x87, 0x02];
/** An import of memory that is shared: env.memory, 1 page. */
const SHARED = [2, 16, 1, 3, 0x65, 0x6e, 0x76, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 3, 1, 1];

const withBody = (...code: number[]): number[] => {
  const body = [0, ...code, 0x0b];
  return [...HEAD, ...TYPE, ...FUNCTION, 10, body.length + 2, 1, body.length, ...body];
};
const NEEDS: Readonly<Record<WasmVariant, readonly number[]>> = {
  baseline: withBody(...ZEROS),
  relaxed: withBody(...ZEROS, ...ZEROS, ...ZEROS, ...FUSED),
};

/** Whether WebAssembly on this machine accepts the variant. */
export const isSupported = (variant: WasmVariant): boolean => accepts(NEEDS[variant]);

/** Whether WebAssembly on this machine has memory that threads share. */
export const sharedIsSupported = (): boolean => accepts([...HEAD, ...SHARED]);

function accepts(module: readonly number[]): boolean {
  try {
    return WebAssembly?.validate(Uint8Array.from(module)) ?? false;
  } catch {
    return false; // available, but forbidden
  }
}
