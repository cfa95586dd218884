/**
 * Rows in WebAssembly memory that threads share: kernels turn planes of them where they are (turn-planes.ts). A header
 * for every row (assembly/planes.ts), then the rows.
 */
import type { Precision } from '../../core/matrix.ts';
import { canShare, sharedZeros, weigh } from '../../core/shared-memory.ts';
import type { PlaneRows } from '../kernels.ts';
import { arrayOn, bytesPer } from './arena.ts';
import { sharedIsSupported } from './supported.ts';
import { type WasmMemory, WebAssembly } from './webassembly.ts';

/** Bytes of a row's header, as in assembly/planes.ts. */
export const HEADER_BYTES = 64;

const WASM_PAGE = 65_536;
/** Bytes of a line of a cache, and of the lines that differ in their places in it. */
const LINE = 64;
const WAY = 4096;
/** Rows begin at least this many bytes apart in a way: otherwise they compete for the same lines. */
const APART = 320;

/**
 * Zeros, at least `cols` wide; columns beyond stay zero. Where threads cannot share WebAssembly memory, an ordinary
 * matrix in shared memory, if there is such.
 */
export function planeRows(rows: number, cols: number, precision: 'f64'): PlaneRows<Float64Array>;
export function planeRows(rows: number, cols: number, precision: Precision): PlaneRows;
export function planeRows(rows: number, cols: number, precision: Precision): PlaneRows {
  const bytes = spreadBytes(cols * bytesPer(precision));
  const memory = sharedMemory(rows * (HEADER_BYTES + bytes));
  if (!memory) return sharedZeros(rows, cols, precision);
  const width = bytes / bytesPer(precision);
  const data = arrayOn(memory.buffer, rows * HEADER_BYTES, rows * width, precision);
  return { rows, cols: width, data, memory };
}

/** Undefined if there is none of this size, or none that another thread could be given. */
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
