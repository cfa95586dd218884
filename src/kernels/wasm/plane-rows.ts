/**
 * Rows in WebAssembly memory that threads share: kernels turn planes of them where they are (turn-planes.ts). A header
 * for every row (assembly/planes.ts), then the rows.
 */
import { canShare, sharedZeros } from '../../core/share.ts';
import type { PlaneRows } from '../kernels.ts';
import { sharedIsSupported } from './module.ts';
import { type WasmMemory, WebAssembly } from './webassembly.ts';

/** Bytes of a row's header, as in assembly/planes.ts. */
export const HEADER_BYTES = 64;

const WASM_PAGE = 65_536;
/** Numbers in a line and in a page of memory. */
const LINE = 8;
const PAGE = 512;
/** Rows begin at least this many numbers apart within a page: otherwise they compete for the same lines of a cache. */
const APART = 40;

/**
 * Zeros, at least `cols` wide; columns beyond stay zero. Where threads cannot share WebAssembly memory, an ordinary
 * matrix in shared memory, if there is such.
 */
export function planeRows(rows: number, cols: number): PlaneRows {
  const width = spreadWidth(cols);
  const memory = sharedMemory(rows * (HEADER_BYTES + width * Float64Array.BYTES_PER_ELEMENT));
  if (!memory) return sharedZeros(rows, cols);
  const data = new Float64Array(memory.buffer, rows * HEADER_BYTES, rows * width);
  return { rows, cols: width, data, memory };
}

/** Undefined if there is none of this size, or none that another thread could be given. */
function sharedMemory(bytes: number): WasmMemory | undefined {
  if (!canShare || !sharedIsSupported()) return undefined;
  const pages = Math.max(1, Math.ceil(bytes / WASM_PAGE));
  try {
    return structuredClone(new WebAssembly!.Memory({ initial: pages, maximum: pages, shared: true }));
  } catch {
    return undefined;
  }
}

/** How many numbers apart rows of this width begin. */
export function spreadWidth(cols: number): number {
  const width = Math.ceil(cols / LINE) * LINE;
  const inPage = width % PAGE;
  if (width < PAGE - APART || (inPage >= APART && inPage <= PAGE - APART)) return width;
  return width + APART + (inPage >= APART ? PAGE - inPage : -inPage);
}
