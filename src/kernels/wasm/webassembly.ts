/** Types for the part of WebAssembly used here: TypeScript has them only in its DOM library. */

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** A compiled module, used only to create instances. */
export type WasmModule = object;

interface WasmInstance {
  readonly exports: unknown;
}

interface WebAssemblyInterface {
  validate(bytes: Uint8Array): boolean;
  compile(bytes: Uint8Array): Promise<WasmModule>;
  instantiate(module: WasmModule, imports: object): Promise<WasmInstance>;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: object) => WasmInstance;
  readonly Memory: new (limits: { initial: number; maximum: number; shared: boolean }) => WasmMemory;
}

/** The WebAssembly of this machine; undefined if it has none. */
export const WebAssembly = (globalThis as { WebAssembly?: WebAssemblyInterface }).WebAssembly;
