/** Types of web workers, as far as used here, so that neither this code nor its users need the DOM library; and of their messages. */
import type { Reply, ToWorker } from '../engine/workers/protocol.ts';
import type { CompiledKernels } from '../kernels/wasm/compile.ts';

/** A dedicated worker, such as `new Worker(…)` gives. */
export interface WebWorker {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  // biome-ignore lint/suspicious/noExplicitAny: events of the DOM library, which is not known here
  addEventListener(type: 'message' | 'messageerror' | 'error', listener: (event: any) => void): void;
  terminate(): void;
}

/** The first message to a worker: its kernels; undefined for those in JavaScript. */
export interface Setup {
  readonly kernels: CompiledKernels | undefined;
}

/** Message from a worker: first that it has its kernels or why not, then replies. */
export type FromWorker = { readonly ready: true } | { readonly unready: string } | Reply;

export type ToWebWorker = Setup | ToWorker;

/** Property of the global object that is true in a worker that computes passes. */
export const FOR_PASSES = Symbol.for('orthodict: a worker that computes passes');
