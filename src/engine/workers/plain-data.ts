/**
 * Plain data (numbers, strings, typed arrays, lists and objects of these) written into memory, so that parameters and sums
 * get from thread to thread without a message, and from machine to machine. Everything takes whole words of 8 bytes:
 *
 *     number       kind, value                        object       kind, count, then each: length of the key, key, value
 *     string       kind, length, UTF-16 codes         list         kind, count, then each
 *     typed array  kind, type, length, its bytes      reference    kind, type, length, buffer's number, byte offset
 *     WebAssembly memory that is shared: kind, its number
 *
 * A typed array whose memory is shared already is written as a reference: both sides work on the same numbers. What is
 * read is otherwise a copy, as of a message. Data of which a message would make something else is not plain: instances of
 * classes, functions, and objects or numbers that appear twice.
 *
 * A short pass spends its time here, hence loops instead of expressions. What is read may come from outside: it is checked.
 */
import { type WasmMemory, WebAssembly } from '../../kernels/wasm/webassembly.ts';

const TYPES = [
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
] as const;
/** Of any of these types, in ordinary or shared memory. */
type TypedArray = Pick<Float64Array, 'length' | 'buffer' | 'byteOffset' | 'byteLength' | 'set' | 'slice'>;

const KIND = { constant: 0, number: 1, string: 2, typedArray: 3, reference: 4, list: 5, object: 6, memory: 7 } as const;
const CONSTANTS: readonly unknown[] = [undefined, null, false, true];
const WORD = 8;
const NOT_PLAIN = Number.POSITIVE_INFINITY;
/** Longer strings are not taken for plain data, nor values of more objects: these are compared with each other. */
const MOST = { string: 4096, objects: 512 };

/** What both sides can have at once. */
export type SharedMemory = SharedArrayBuffer | WasmMemory;
export const sizeOf = (memory: SharedMemory): number =>
  'byteLength' in memory ? memory.byteLength : memory.buffer.byteLength;

/** The number by which both sides know shared memory; undefined: it cannot be written. */
export type NumberOf = (memory: SharedMemory) => number | undefined;
export type MemoryOf = (number: number) => SharedMemory;

const typeOf = (array: TypedArray): number => TYPES.indexOf(array.constructor as never);
const wordsOf = (bytes: number): number => Math.ceil(bytes / WORD);
const wordsOfText = (length: number): number => Math.ceil(length / 4);
const sharedBuffer = ({ buffer }: TypedArray): SharedArrayBuffer | undefined =>
  buffer instanceof ArrayBuffer ? undefined : buffer;

const isSharedMemory = (value: object): value is WasmMemory =>
  WebAssembly !== undefined && value instanceof WebAssembly.Memory && !(value.buffer instanceof ArrayBuffer);

/** Bytes that a value takes; infinite if it is not plain data. */
export function flatBytes(value: unknown, numberOf: NumberOf): number {
  return WORD * words(value, numberOf, []);
}

/** `seen`: the objects so far, among them typed arrays. */
function words(value: unknown, numberOf: NumberOf, seen: object[]): number {
  if (typeof value === 'number') return 2;
  if (typeof value === 'string') return value.length > MOST.string ? NOT_PLAIN : 2 + wordsOfText(value.length);
  if (typeof value !== 'object' || value === null) return CONSTANTS.includes(value) ? 2 : NOT_PLAIN;
  if (ArrayBuffer.isView(value)) return wordsOfArray(value as TypedArray, numberOf, seen);
  if (seen.length >= MOST.objects || seen.includes(value)) return NOT_PLAIN;
  seen.push(value);
  let sum = 2;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) sum += words(value[i], numberOf, seen);
    return sum;
  }
  if (isSharedMemory(value)) return numberOf(value) === undefined ? NOT_PLAIN : 2;
  if (Object.getPrototypeOf(value) !== Object.prototype) return NOT_PLAIN;
  for (const key of Object.keys(value)) {
    sum += 1 + wordsOfText(key.length) + words(value[key as keyof typeof value], numberOf, seen);
  }
  return sum;
}

function wordsOfArray(array: TypedArray, numberOf: NumberOf, seen: object[]): number {
  if (typeOf(array) < 0) return NOT_PLAIN;
  const buffer = sharedBuffer(array);
  if (buffer) return numberOf(buffer) === undefined ? NOT_PLAIN : 5;
  if (seen.length >= MOST.objects) return NOT_PLAIN;
  for (const other of seen) if (ArrayBuffer.isView(other) && overlap(array, other)) return NOT_PLAIN;
  seen.push(array);
  return 3 + wordsOf(array.byteLength);
}

function overlap(a: ArrayBufferView, b: ArrayBufferView): boolean {
  if (a.buffer !== b.buffer) return false;
  return a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength;
}

/** Deeper data is not plain. */
const DEEPEST = 32;
const damaged = (): Error => new Error('executor: the data of a pass is damaged.');

/** Memory as plain data. */
export class FlatMemory {
  readonly #memory: ArrayBufferLike;
  readonly #words: Float64Array;
  readonly #codes: Uint16Array;
  /** The word that is written or read next. */
  #next = 0;

  constructor(memory: ArrayBufferLike) {
    this.#memory = memory;
    this.#words = new Float64Array(memory);
    this.#codes = new Uint16Array(memory);
  }

  /** Writes plain data from byte `at` on, a multiple of 8, where there must be {@link flatBytes} of room. */
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
    else if (ArrayBuffer.isView(value)) this.#putArray(value as TypedArray, numberOf);
    else if (Array.isArray(value)) {
      this.#putWords(KIND.list, value.length);
      for (let i = 0; i < value.length; i++) this.#put(value[i], numberOf);
    } else if (isSharedMemory(value)) this.#putWords(KIND.memory, numberOf(value)!);
    else {
      const keys = Object.keys(value);
      this.#putWords(KIND.object, keys.length);
      for (const key of keys) {
        this.#words[this.#next++] = key.length;
        this.#putText(key);
        this.#put(value[key as keyof typeof value], numberOf);
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

  #putArray(array: TypedArray, numberOf: NumberOf): void {
    const buffer = sharedBuffer(array);
    this.#putWords(buffer ? KIND.reference : KIND.typedArray, typeOf(array));
    this.#words[this.#next++] = array.length;
    if (buffer) this.#putWords(numberOf(buffer)!, array.byteOffset);
    else {
      arrayAt(typeOf(array), this.#memory, this.#next * WORD, array.length).set(array as Float64Array);
      this.#next += wordsOf(array.byteLength);
    }
  }

  #get(memoryOf: MemoryOf, depth: number): unknown {
    const kind = this.#word();
    const number = this.#word();
    if (kind === KIND.number) return number;
    if (kind === KIND.constant && number in CONSTANTS) return CONSTANTS[number];
    if (kind === KIND.string) return this.#getText(number);
    if (kind === KIND.typedArray) return this.#getCopy(number);
    if (kind === KIND.reference) return this.#getReference(number, memoryOf);
    if (kind === KIND.memory) return memoryOf(number);
    if ((kind !== KIND.list && kind !== KIND.object) || depth > DEEPEST) throw damaged();
    this.#requireRoom(number, 1); // an item takes a word or more
    if (kind === KIND.list) {
      const list: unknown[] = [];
      for (let i = 0; i < number; i++) list.push(this.#get(memoryOf, depth + 1));
      return list;
    }
    const object: Record<string, unknown> = {};
    for (let i = 0; i < number; i++) {
      const key = this.#getText(this.#word());
      setOwn(object, key, this.#get(memoryOf, depth + 1));
    }
    return object;
  }

  #word(): number {
    if (this.#next >= this.#words.length) throw damaged();
    return this.#words[this.#next++];
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

  #getCopy(type: number): TypedArray {
    const length = this.#word();
    if (!(type in TYPES)) throw damaged();
    this.#requireRoom(length, TYPES[type].BYTES_PER_ELEMENT / WORD);
    const array = arrayAt(type, this.#memory, this.#next * WORD, length);
    this.#next += wordsOf(array.byteLength);
    return array.slice();
  }

  #getReference(type: number, memoryOf: MemoryOf): TypedArray {
    const length = this.#words[this.#next++];
    const buffer = memoryOf(this.#words[this.#next++]) as SharedArrayBuffer;
    return arrayAt(type, buffer, this.#words[this.#next++], length);
  }
}

const arrayAt = (type: number, memory: ArrayBufferLike, at: number, length: number): TypedArray =>
  new (TYPES[type] as unknown as typeof Float64Array)(memory, at, length);

/** An assignment to `__proto__` would be something else. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
  else object[key] = value;
}
