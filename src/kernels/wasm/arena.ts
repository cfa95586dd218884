/** A bump allocator over one instance's memory: everything taken lasts for one call. */
import { bytesPerNumber, type FloatArray, numbersIn, type Precision } from '../../core/matrix.ts';
import type { WasmMemory } from './webassembly.ts';

const PAGE = 65_536;
const LIMIT = 65_536 * PAGE;
const ALIGNMENT = 64;

export class Arena {
  readonly #memory: WasmMemory;
  readonly #start: number;
  #top: number;

  constructor(memory: WasmMemory, start: number) {
    this.#memory = memory;
    this.#start = align(start);
    this.#top = this.#start;
  }

  /** Frees everything, at the start of a call. */
  reset(): void {
    this.#top = this.#start;
  }

  /** Reserves `bytes` bytes, aligned but not cleared. Invalidates earlier views. */
  take(bytes: number): number {
    const at = this.#top;
    const top = align(at + bytes);
    if (top > LIMIT) {
      throw new RangeError(`wasm kernels: one call must fit in ${LIMIT} bytes of memory; it needs at least ${top}.`);
    }
    const missing = top - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    this.#top = top;
    return at;
  }

  /** Reserves memory like {@link take}, filled with zeros. */
  takeZeros(bytes: number): number {
    const at = this.take(bytes);
    new Uint8Array(this.#memory.buffer, at, bytes).fill(0);
    return at;
  }

  /** Copies the numbers into newly reserved memory, in the given precision. */
  put(numbers: FloatArray, precision: Precision): number {
    const at = this.take(numbers.length * bytesPerNumber(precision));
    this.view(at, numbers.length, precision).set(numbers);
    return at;
  }

  /** A view of the memory, not a copy; invalid after the next {@link take}. */
  view(at: number, length: number, precision: Precision): FloatArray {
    return numbersIn(this.#memory.buffer, precision, at, length);
  }

  /** Integers in the memory, not a copy; invalid after the next {@link take}. */
  integers(at: number, length: number): Uint32Array {
    return new Uint32Array(this.#memory.buffer, at, length);
  }

  /** A copy of float64 numbers from the memory. */
  copy64(at: number, length: number): Float64Array {
    return new Float64Array(this.#memory.buffer, at, length).slice();
  }
}

function align(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT;
}
