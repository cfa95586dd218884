/** The part of the WebAssembly interface used here, typed: the compiler's library for it comes only with a browser's. */

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** A compiled module; nothing is done with it but instantiating it. */
export type WasmModule = object;

interface WebAssemblyInterface {
  validate(bytes: Uint8Array): boolean;
  compile(bytes: Uint8Array): Promise<WasmModule>;
  instantiate(module: WasmModule, imports: object): Promise<{ readonly exports: unknown }>;
}

/** Undefined where the machine has none. */
export const WebAssembly = (globalThis as { WebAssembly?: WebAssemblyInterface }).WebAssembly;
