/** Selects the kernels for this machine. The code for WebAssembly is loaded here, so that a page can appear without it. */
import { InputError, inputError } from '../core/errors.ts';
import { quoted } from '../core/printable.ts';
import { reasonOf, warnOnce } from '../core/warn.ts';
import type { KernelName, Kernels } from './kernels.ts';
import { referenceKernels } from './reference.ts';
import { type CompiledKernels, compileKernels } from './wasm/compile.ts';
import { isSupported, WASM_NAMES, type WasmVariant } from './wasm/supported.ts';

/** `auto` takes the fastest available; `wasm` requires WebAssembly; `js` is the reference implementation. */
export type BackendChoice = 'auto' | 'wasm' | 'js';

const CHOICES: readonly BackendChoice[] = ['auto', 'wasm', 'js'];
/** The variants of WebAssembly, fastest first. */
const VARIANTS: readonly WasmVariant[] = ['relaxed', 'baseline'];

/**
 * The kernels for a choice of backend. If WebAssembly is not available (missing, no SIMD, forbidden, no memory), `auto`
 * takes `js` and warns once with `console.warn`; `wasm` is an `InputError`.
 *
 * @example
 * ```js
 * import { learn } from 'orthodict';
 * import { inlineExecutor, selectKernels } from 'orthodict/extend';
 *
 * const executor = inlineExecutor(await selectKernels('js'));
 * const samples = { rows: 4, cols: 2, data: Float64Array.of(1, 2, 2, -1, -3, 1, 1, 3) };
 * console.log((await learn(samples, {}, { executor })).backend); // js
 * ```
 */
export async function selectKernels(choice: BackendChoice): Promise<Kernels> {
  if (!CHOICES.includes(choice)) throw inputError('selectKernels', 'backend', 'auto, wasm or js', quoted(`${choice}`));
  if (choice === 'js') return referenceKernels;
  const found = await fastestWasm();
  if (!('missing' in found)) return found;
  if (choice === 'wasm') {
    const must = 'backend must be one that runs here, such as js';
    throw new InputError(`selectKernels: ${must}; got wasm, but ${found.missing}.`, 'selectKernels');
  }
  warnOnce(`WebAssembly cannot be used (${found.missing}): computing with the slower js kernels.`);
  return referenceKernels;
}

/** Kernels by exact name: another thread must compute the same bits as the one that selected them. */
export async function portableKernels(name: Exclude<KernelName, 'native'>): Promise<Kernels> {
  const compiled = await compiledKernels(name);
  return compiled ? kernelsOf(compiled) : referenceKernels;
}

/** The compiled module of the kernels with this name, for another thread; `js` has none. */
export async function compiledKernels(name: Exclude<KernelName, 'native'>): Promise<CompiledKernels | undefined> {
  const variant = VARIANTS.find((each) => WASM_NAMES[each] === name);
  return variant && compileKernels(variant);
}

async function kernelsOf(compiled: CompiledKernels | Promise<CompiledKernels>): Promise<Kernels> {
  const [{ createWasmKernels }, modules] = await Promise.all([import('./wasm.ts'), compiled]);
  return createWasmKernels(modules);
}

async function fastestWasm(): Promise<Kernels | { readonly missing: string }> {
  const variant = VARIANTS.find(isSupported);
  if (!variant) return { missing: 'there is no WebAssembly with SIMD' };
  try {
    return await kernelsOf(compileKernels(variant));
  } catch (error) {
    return { missing: reasonOf(error) };
  }
}

/** Names of the kernels that this machine accepts, fastest first. */
export function supportedKernels(): KernelName[] {
  return [...VARIANTS.filter(isSupported).map((variant) => WASM_NAMES[variant]), referenceKernels.name];
}
