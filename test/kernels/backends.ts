/** Every implementation of the kernels, and why one of them cannot run here. */
import { test } from 'vitest';
import type { KernelName, Kernels } from '#src/kernels/kernels.ts';
import { compiledKernels, selectKernels, supportedKernels } from '#src/kernels/select.ts';
import { createWasmKernels } from '#src/kernels/wasm.ts';
import { enableRelaxedSimd } from '#src/node/threads/kernels.ts';
import { type Blas, findBlas } from '#src/node/threads/native/blas.ts';
import { createNativeKernels } from '#src/node/threads/native/kernels.ts';

enableRelaxedSimd();

export const backendNames: readonly KernelName[] = ['js', 'wasm', 'wasm-relaxed', 'native'];
export const supported = supportedKernels();
export const blas = await findBlas();

export const whyNot: Partial<Record<KernelName, string>> = Object.fromEntries([
  ...backendNames
    .filter((name) => name !== 'native' && !supported.includes(name))
    .map((name) => [name, 'not validated']),
  ...('missing' in blas ? [['native', blas.missing]] : []),
]);
for (const [name, reason] of Object.entries(whyNot)) {
  console.warn(`kernels ${name}: skipped on ${process.version}, ${reason}.`);
}

/** Tests of compiled kernels only: the reference takes its operands as they are, in one piece. */
export const testCompiled = (name: KernelName): ((words: string, run: () => void | Promise<void>) => void) =>
  name === 'js' ? () => {} : test;

export async function createBackend(name: KernelName, sampleBytes?: number): Promise<Kernels> {
  if (name === 'js') return selectKernels('js');
  if (name === 'native') return createNativeKernels(blas as Blas, sampleBytes);
  return createWasmKernels((await compiledKernels(name))!, sampleBytes);
}
