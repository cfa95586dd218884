/** Every kernel implementation that runs here. */
import type { Kernels } from '#src/kernels/kernels.ts';
import { portableKernels, supportedKernels } from '#src/kernels/select.ts';
import { enableRelaxedSimd } from '#src/node/threads/kernels.ts';

enableRelaxedSimd();

export const allKernels: readonly Kernels[] = await Promise.all(
  supportedKernels().map((name) => portableKernels(name as 'js')),
);

/** The fastest of them. */
export const fastKernels = allKernels[0];
