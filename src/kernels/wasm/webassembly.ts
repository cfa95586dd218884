/** Types for the part of WebAssembly used here: TypeScript has them only in its DOM library. */

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** A compiled module, used only to create instances. */
export type WasmModule = object;

interface WebAssemblyInterface {
  validate(bytes: Uint8Array): boolean;
  compile(bytes: Uint8Array): Promise<WasmModule>;
  instantiate(module: WasmModule, imports: object): Promise<{ readonly exports: unknown }>;
}

/** Undefined if the machine has no WebAssembly. */
export const WebAssembly = (globalThis as { WebAssembly?: WebAssemblyInterface }).WebAssembly;
