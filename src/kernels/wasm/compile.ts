/** Compiles the kernels, once per variant. Their text is loaded on demand, so that a page can appear without it. */
import { canShare } from '../../core/shared-memory.ts';
import { sharedIsSupported, type WasmVariant } from './supported.ts';
import { type WasmModule, WebAssembly } from './webassembly.ts';

/** The kernels of a variant, compiled: plain data that a message can carry to another thread. */
export interface CompiledKernels {
  readonly variant: WasmVariant;
  readonly main: WasmModule;
  /** The module on memory that threads share; undefined if there is none. */
  readonly shared: WasmModule | undefined;
}

type Text = Promise<{ readonly default: string }>;

const TEXTS: Readonly<Record<WasmVariant, { main(): Text; shared(): Text }>> = {
  baseline: {
    main: () => import('../generated/baseline.ts'),
    shared: () => import('../generated/shared-baseline.ts'),
  },
  relaxed: {
    main: () => import('../generated/relaxed.ts'),
    shared: () => import('../generated/shared-relaxed.ts'),
  },
};

const compiled = new Map<WasmVariant, Promise<CompiledKernels>>();

/** Compiles a variant; fails if the machine does not support it, or if compiling is forbidden. */
export function compileKernels(variant: WasmVariant): Promise<CompiledKernels> {
  const known = compiled.get(variant) ?? compileBoth(variant);
  compiled.set(variant, known);
  return known;
}

async function compileBoth(variant: WasmVariant): Promise<CompiledKernels> {
  const { main, shared } = TEXTS[variant];
  const wantsShared = canShare && sharedIsSupported();
  const [first, second] = await Promise.all([compile(main()), wantsShared ? compile(shared()) : undefined]);
  return { variant, main: first, shared: second };
}

async function compile(text: Text): Promise<WasmModule> {
  const { default: base64 } = await text;
  if (!WebAssembly) throw new Error('there is no WebAssembly.');
  return WebAssembly.compile(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}
