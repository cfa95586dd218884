/** Every kernel implementation that runs here. */
import type { Kernels } from '#src/kernels/kernels.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { supportedKernels } from '#src/kernels/select.ts';
import { createWasmKernels } from '#src/kernels/wasm.ts';
import { enableRelaxedSimd } from '#src/node/threads/enable-relaxed-simd.ts';

enableRelaxedSimd();

export const allKernels: readonly Kernels[] = await Promise.all(
  supportedKernels().map((name) =>
    name === 'js' ? referenceKernels : createWasmKernels(name === 'wasm' ? 'baseline' : 'relaxed'),
  ),
);

/** The fastest of them. */
export const fastKernels = allKernels[0];
