/**
 * Plain data (numbers, strings, typed arrays, lists and objects of these) written into memory, so that parameters and sums
 * get from thread to thread without a message, and from machine to machine. Everything takes whole words of 8 bytes:
 *
 *     number       kind, value                        object       kind, count, then each: length of the key, key, value
 *     string       kind, length, UTF-16 codes         list         kind, count, then each
 *     typed array  kind, type, length, its bytes      reference    kind, type, length, buffer's number, byte offset
 *     constant     kind, index in a list              memory       kind, its number (shared WebAssembly memory)
 *
 * A typed array in shared memory is written as a reference: both sides work on the same numbers. Everything else is read as
 * a copy, as it would arrive by message. Data that a message would change is not plain: instances of classes, functions, and
 * objects or typed arrays that appear twice.
 *
 * A short pass spends its time here, hence loops instead of expressions. What is read may come from outside, so it is checked.
 */
import { type WasmMemory, WebAssembly } from '../../kernels/wasm/webassembly.ts';

interface TypedArrayConstructor {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): ArrayBufferView & { slice(): ArrayBufferView };
}

const TYPES: readonly TypedArrayConstructor[] = [
  Float64Array,
  Float32Array,
  Int32Array,
  Uint32Array,
  Int16Array,
  Uint16Array,
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  BigInt64Array,
  BigUint64Array,
];
const CONSTRUCTORS: readonly unknown[] = TYPES;

const KIND = { constant: 0, number: 1, string: 2, typedArray: 3, reference: 4, list: 5, object: 6, memory: 7 } as const;
const CONSTANTS: readonly unknown[] = [undefined, null, false, true];
const WORD = 8;
const NOT_PLAIN = Number.POSITIVE_INFINITY;
/** Values beyond these limits are not plain: characters of a string, objects in all (each is compared with the others), depth. */
const MOST = { string: 4096, objects: 512, depth: 32 };

/** What both sides can have at once. */
export type SharedMemory = SharedArrayBuffer | WasmMemory;
export const sizeOf = (memory: SharedMemory): number =>
  'byteLength' in memory ? memory.byteLength : memory.buffer.byteLength;

/** The number by which both sides know shared memory; undefined: it cannot be written. */
export type NumberOf = (memory: SharedMemory) => number | undefined;
export type MemoryOf = (number: number) => SharedMemory;

/** For data that must not refer to shared memory. */
export const noReference: NumberOf = () => undefined;

const typeOf = (array: ArrayBufferView): number => CONSTRUCTORS.indexOf(array.constructor);
const wordsOfBytes = (bytes: number): number => Math.ceil(bytes / WORD);
const wordsOfText = (length: number): number => Math.ceil(length / 4);
const sharedBuffer = ({ buffer }: ArrayBufferView): SharedArrayBuffer | undefined =>
  buffer instanceof ArrayBuffer ? undefined : buffer;

const isSharedMemory = (value: object): value is WasmMemory =>
  WebAssembly !== undefined && value instanceof WebAssembly.Memory && !(value.buffer instanceof ArrayBuffer);

const isPlainObject = (value: object): value is Readonly<Record<string, unknown>> =>
  Object.getPrototypeOf(value) === Object.prototype;

/** Bytes that a value takes; infinite if it is not plain data. */
export function plainDataBytes(value: unknown, numberOf: NumberOf): number {
  return WORD * words(value, numberOf, []);
}

/** `seen`: the objects so far, including typed arrays. */
function words(value: unknown, numberOf: NumberOf, seen: object[]): number {
  if (typeof value === 'number') return 2;
  if (typeof value === 'string') return value.length > MOST.string ? NOT_PLAIN : 2 + wordsOfText(value.length);
  if (typeof value !== 'object' || value === null) return CONSTANTS.includes(value) ? 2 : NOT_PLAIN;
  if (ArrayBuffer.isView(value)) return wordsOfArray(value, numberOf, seen);
  if (seen.length >= MOST.objects || seen.includes(value)) return NOT_PLAIN;
  seen.push(value);
  return wordsOfObject(value, numberOf, seen);
}

function wordsOfObject(value: object, numberOf: NumberOf, seen: object[]): number {
  let sum = 2;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) sum += words(value[i], numberOf, seen);
    return sum;
  }
  if (isSharedMemory(value)) return numberOf(value) === undefined ? NOT_PLAIN : sum;
  if (!isPlainObject(value)) return NOT_PLAIN;
  for (const key of Object.keys(value)) sum += 1 + wordsOfText(key.length) + words(value[key], numberOf, seen);
  return sum;
}

function wordsOfArray(array: ArrayBufferView, numberOf: NumberOf, seen: object[]): number {
  if (typeOf(array) < 0) return NOT_PLAIN;
  const buffer = sharedBuffer(array);
  if (buffer) return numberOf(buffer) === undefined ? NOT_PLAIN : 5;
  if (seen.length >= MOST.objects) return NOT_PLAIN;
  for (const other of seen) if (ArrayBuffer.isView(other) && overlap(array, other)) return NOT_PLAIN;
  seen.push(array);
  return 3 + wordsOfBytes(array.byteLength);
}

function overlap(a: ArrayBufferView, b: ArrayBufferView): boolean {
  if (a.buffer !== b.buffer) return false;
  return a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength;
}

const damaged = (): Error => new Error('executor: the data of a pass is damaged.');

/** Memory that holds plain data. */
export class PlainDataMemory {
  readonly #memory: ArrayBufferLike;
  readonly #words: Float64Array;
  readonly #codes: Uint16Array;
  readonly #bytes: Uint8Array;
  /** The word that is written or read next. */
  #next = 0;

  constructor(memory: ArrayBufferLike) {
    this.#memory = memory;
    this.#words = new Float64Array(memory);
    this.#codes = new Uint16Array(memory);
    this.#bytes = new Uint8Array(memory);
  }

  /** Writes plain data from byte `at` on, a multiple of 8, where there must be room for {@link plainDataBytes}. */
  write(value: unknown, at: number, numberOf: NumberOf): void {
    this.#next = at / WORD;
    this.#put(value, numberOf);
  }

  /** Reads what was written from byte `at` on. */
  read(at: number, memoryOf: MemoryOf): unknown {
    this.#next = at / WORD;
    return this.#get(memoryOf, 0);
  }

  #put(value: unknown, numberOf: NumberOf): void {
    if (typeof value === 'number') this.#putWords(KIND.number, value);
    else if (typeof value === 'string') {
      this.#putWords(KIND.string, value.length);
      this.#putText(value);
    } else if (typeof value !== 'object' || value === null) this.#putWords(KIND.constant, CONSTANTS.indexOf(value));
    else if (ArrayBuffer.isView(value)) this.#putArray(value, numberOf);
    else this.#putObject(value, numberOf);
  }

  #putObject(value: object, numberOf: NumberOf): void {
    if (Array.isArray(value)) {
      this.#putWords(KIND.list, value.length);
      for (let i = 0; i < value.length; i++) this.#put(value[i], numberOf);
    } else if (isSharedMemory(value)) this.#putWords(KIND.memory, numberOf(value)!);
    else if (isPlainObject(value)) {
      const keys = Object.keys(value);
      this.#putWords(KIND.object, keys.length);
      for (const key of keys) {
        this.#words[this.#next++] = key.length;
        this.#putText(key);
        this.#put(value[key], numberOf);
      }
    }
  }

  #putWords(first: number, second: number): void {
    this.#words[this.#next++] = first;
    this.#words[this.#next++] = second;
  }

  #putText(text: string): void {
    for (let i = 0, at = 4 * this.#next; i < text.length; i++) this.#codes[at + i] = text.charCodeAt(i);
    this.#next += wordsOfText(text.length);
  }

  #putArray(array: ArrayBufferView, numberOf: NumberOf): void {
    const { buffer, byteOffset, byteLength } = array;
    const shared = sharedBuffer(array);
    const type = typeOf(array);
    this.#putWords(shared ? KIND.reference : KIND.typedArray, type);
    this.#words[this.#next++] = byteLength / TYPES[type].BYTES_PER_ELEMENT;
    if (shared) this.#putWords(numberOf(shared)!, byteOffset);
    else {
      this.#bytes.set(new Uint8Array(buffer, byteOffset, byteLength), this.#next * WORD);
      this.#next += wordsOfBytes(byteLength);
    }
  }

  #get(memoryOf: MemoryOf, depth: number): unknown {
    const kind = this.#word();
    const second = this.#word();
    switch (kind) {
      case KIND.number:
        return second;
      case KIND.constant:
        if (second in CONSTANTS) return CONSTANTS[second];
        break;
      case KIND.string:
        return this.#getText(second);
      case KIND.typedArray:
        return this.#getCopy(second);
      case KIND.reference:
        return this.#getReference(second, memoryOf);
      case KIND.memory:
        return memoryOf(second);
      case KIND.list:
        return this.#getList(second, memoryOf, depth + 1);
      case KIND.object:
        return this.#getObject(second, memoryOf, depth + 1);
    }
    throw damaged();
  }

  #getList(count: number, memoryOf: MemoryOf, depth: number): unknown[] {
    this.#requireItems(count, depth);
    const list: unknown[] = [];
    for (let i = 0; i < count; i++) list.push(this.#get(memoryOf, depth));
    return list;
  }

  #getObject(count: number, memoryOf: MemoryOf, depth: number): Record<string, unknown> {
    this.#requireItems(count, depth);
    const object: Record<string, unknown> = {};
    for (let i = 0; i < count; i++) {
      const key = this.#getText(this.#word());
      setOwn(object, key, this.#get(memoryOf, depth));
    }
    return object;
  }

  #word(): number {
    if (this.#next >= this.#words.length) throw damaged();
    return this.#words[this.#next++];
  }

  /** Throws if the items of a list or object cannot all be there: each takes a word or more. */
  #requireItems(count: number, depth: number): void {
    if (depth > MOST.depth + 1) throw damaged();
    this.#requireRoom(count, 1);
  }

  /** Throws unless `count` items of `words` words each are left. */
  #requireRoom(count: number, words: number): void {
    const left = this.#words.length - this.#next;
    if (!(Number.isInteger(count) && count >= 0 && count * words <= left)) throw damaged();
  }

  #getText(length: number): string {
    this.#requireRoom(length, 1 / 4);
    let text = '';
    for (let i = 0, at = 4 * this.#next; i < length; i++) text += String.fromCharCode(this.#codes[at + i]);
    this.#next += wordsOfText(length);
    return text;
  }

  #getCopy(type: number): ArrayBufferView {
    const length = this.#word();
    if (!(type in TYPES)) throw damaged();
    this.#requireRoom(length, TYPES[type].BYTES_PER_ELEMENT / WORD);
    const array = new TYPES[type](this.#memory, this.#next * WORD, length);
    this.#next += wordsOfBytes(array.byteLength);
    return array.slice();
  }

  #getReference(type: number, memoryOf: MemoryOf): ArrayBufferView {
    const length = this.#word();
    const buffer = memoryOf(this.#word());
    if (!(type in TYPES && 'byteLength' in buffer)) throw damaged();
    return new TYPES[type](buffer, this.#word(), length);
  }
}

/** Sets a property, also one called `__proto__`, which an assignment would not. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
  else object[key] = value;
}
