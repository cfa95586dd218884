/**
 * Rows in WebAssembly memory that threads share: kernels rotate them in place (rotate-planes.ts). The memory holds a header
 * for every row (assembly/planes.ts), then the rows.
 */
import { bytesPerNumber, numbersIn, type Precision } from '../../core/matrix.ts';
import { canShare, sharedZeros, weigh } from '../../core/shared-memory.ts';
import type { PlaneRows } from '../kernels.ts';
import { sharedIsSupported } from './supported.ts';
import { type WasmMemory, WebAssembly } from './webassembly.ts';

/** Bytes of a row's header, as in assembly/planes.ts. */
export const HEADER_BYTES = 64;

const WASM_PAGE = 65_536;
/** Bytes of a line of a cache, and of the lines that differ in their places in it. */
const LINE = 64;
const WAY = 4096;
/** Least distance in bytes between the starts of rows within a way of the cache: closer rows compete for the same lines. */
const APART = 320;

/**
 * Rows of zeros, at least `cols` wide; columns beyond stay zero. If threads cannot share WebAssembly memory, they are an ordinary
 * matrix, in shared memory if the platform has it.
 */
export function planeRows(rows: number, cols: number, precision: 'f64'): PlaneRows<Float64Array>;
export function planeRows(rows: number, cols: number, precision: Precision): PlaneRows;
export function planeRows(rows: number, cols: number, precision: Precision): PlaneRows {
  const bytes = spreadBytes(cols * bytesPerNumber(precision));
  const memory = sharedMemory(rows * (HEADER_BYTES + bytes));
  if (!memory) return sharedZeros(rows, cols, precision);
  const width = bytes / bytesPerNumber(precision);
  const data = numbersIn(memory.buffer, precision, rows * HEADER_BYTES, rows * width);
  return { rows, cols: width, data, memory };
}

/** Shared WebAssembly memory; undefined if there is none of this size, or none that can be sent to another thread. */
function sharedMemory(bytes: number): WasmMemory | undefined {
  if (!canShare || !sharedIsSupported()) return undefined;
  const pages = Math.max(1, Math.ceil(bytes / WASM_PAGE));
  try {
    const memory = structuredClone(new WebAssembly!.Memory({ initial: pages, maximum: pages, shared: true }));
    return weigh(memory, bytes);
  } catch {
    return undefined;
  }
}

/** How many bytes apart rows of this length begin. */
export function spreadBytes(length: number): number {
  const bytes = Math.ceil(length / LINE) * LINE;
  const inWay = bytes % WAY;
  if (bytes < WAY - APART || (inWay >= APART && inWay <= WAY - APART)) return bytes;
  return bytes + APART + (inWay >= APART ? WAY - inWay : -inWay);
}
