/** Instances of the compiled modules, and their typed exports. */
import type { Precision } from '../../core/matrix.ts';
import type { KernelExports } from '../generated/exports.ts';
import { Arena } from './arena.ts';
import type { CompiledKernels } from './compile.ts';
import { type WasmMemory, type WasmModule, WebAssembly } from './webassembly.ts';

/** An instance of the module with its memory. One call at a time. */
export interface Machine {
  readonly exports: WasmExports;
  readonly arithmetic: Readonly<Record<Precision, Arithmetic>>;
  /** The functions that work on this memory, which threads share. */
  readonly on: (memory: WasmMemory) => SharedExports;
  readonly arena: Arena;
  /** Most bytes of samples in memory at a time. The sums are bit-identical for any value. */
  readonly sampleBytes: number;
}

/** The functions of assembly/, where they are described. Pointers, strides and sizes are in bytes unless noted. */
export type WasmExports = KernelExports & { readonly memory: WasmMemory };

/** The functions that compute in one precision; those that read samples end with the precision of these. */
export type Arithmetic = {
  readonly [K in keyof KernelExports as K extends `${infer Name}_f64` ? Name : never]: KernelExports[K];
};

/** The module whose memory is given to it: see assembly/shared.ts. */
export type SharedExports = Pick<KernelExports, 'rotatePlanes_f32' | 'rotatePlanes_f64'>;

/** Addresses of the arrays of sparse codes, which pursuit and lasso share; see assembly/pursuit.ts. */
export type SparsePlace = Parameters<KernelExports['lasso']> extends [...infer Place, lambda: number] ? Place : never;

/** Bytes of samples copied into an instance's memory at a time. */
export const SAMPLE_BYTES = 256 * 1024;

/** The instances of this thread, with the usual {@link SAMPLE_BYTES}. Each reserves gigabytes of addresses, so one is enough. */
const instances = new WeakMap<WasmModule, Promise<Machine>>();

/** Creates an instance; fails if there is no memory for it. */
export function createMachine(compiled: CompiledKernels, sampleBytes = SAMPLE_BYTES): Promise<Machine> {
  const { main } = compiled;
  if (sampleBytes !== SAMPLE_BYTES) return instantiate(compiled, sampleBytes);
  const machine = instances.get(main) ?? instantiate(compiled, sampleBytes);
  instances.set(main, machine);
  machine.catch(() => instances.delete(main)); // there may be memory later
  return machine;
}

async function instantiate({ main, shared }: CompiledKernels, sampleBytes: number): Promise<Machine> {
  if (!WebAssembly) throw new Error('there is no WebAssembly.');
  const exports = (await WebAssembly.instantiate(main, {})).exports as WasmExports;
  const onMemory = new WeakMap<WasmMemory, SharedExports>();
  const on = (memory: WasmMemory): SharedExports => {
    const known = onMemory.get(memory);
    if (known) return known;
    const made = new WebAssembly!.Instance(shared!, { env: { memory } }).exports as SharedExports;
    onMemory.set(memory, made);
    return made;
  };
  const arithmetic = { f32: arithmeticIn(exports, 'f32'), f64: arithmeticIn(exports, 'f64') };
  return { exports, arithmetic, on, arena: new Arena(exports.memory, exports.arenaStart()), sampleBytes };
}

/** The functions that compute in a precision, by their names without it. */
const arithmeticIn = (exports: WasmExports, precision: Precision): Arithmetic =>
  Object.fromEntries(
    Object.entries(exports).flatMap(([name, value]) =>
      name.endsWith(`_${precision}`) ? [[name.slice(0, -`_${precision}`.length), value]] : [],
    ),
  ) as Arithmetic;

/** Multiplies numbers in the memory of the machine by a factor. */
export function scaleNumbers(
  { exports }: Machine,
  at: number,
  count: number,
  precision: Precision,
  factor: number,
): void {
  if (factor !== 1) exports[`condition_${precision}_${precision}`](at, 1, count, 0, factor, at, 0);
}
