/** Every implementation of the kernels by its name, for suites that run over all of them. */
import type { KernelName, Kernels } from '#src/kernels/kernels.ts';
import { selectKernels, supportedKernels } from '#src/kernels/select.ts';
import { createWasmKernels } from '#src/kernels/wasm.ts';
import { enableRelaxedSimd } from '#src/node/threads/enable-relaxed-simd.ts';
import { type Blas, findBlas } from '#src/node/threads/native/blas.ts';
import { createNativeKernels } from '#src/node/threads/native/kernels.ts';

enableRelaxedSimd();

export const kernelNames: readonly KernelName[] = ['js', 'wasm', 'wasm-relaxed', 'native'];

const supported = supportedKernels();
/** The system's BLAS, or why there is none. */
export const blas = await findBlas();
/** Why a machine does not have an implementation. */
export const whyNot: Partial<Record<KernelName, string>> = Object.fromEntries([
  ...kernelNames
    .filter((name) => name !== 'native' && !supported.includes(name))
    .map((name) => [name, 'not validated']),
  ...('missing' in blas ? [['native', blas.missing]] : []),
]);

for (const name of kernelNames) {
  if (whyNot[name]) console.warn(`kernels ${name}: skipped on ${process.version}, ${whyNot[name]}.`);
}

/** `sampleBytes`: how many bytes of samples are copied in at a time. */
export async function createKernels(name: KernelName, sampleBytes?: number): Promise<Kernels> {
  if (name === 'js') return selectKernels('js');
  if (name === 'native') return createNativeKernels(blas as Blas, sampleBytes);
  return createWasmKernels(name === 'wasm' ? 'baseline' : 'relaxed', sampleBytes);
}
