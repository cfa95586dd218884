/**
 * Plain data (numbers, strings, typed arrays, lists and objects of these) written into shared memory, so that parameters
 * and sums get from thread to thread without a message. Everything takes whole words of 8 bytes:
 *
 *     number       kind, value                        object       kind, count, then key and value of each
 *     string       kind, length, UTF-16 codes         list         kind, count, then each
 *     typed array  kind, type, length, its bytes      reference    kind, type, length, buffer's number, byte offset
 *
 * A typed array whose memory is shared already is written as a reference: both sides work on the same numbers. What is
 * read is otherwise a copy, as of a message. Data of which a message would make something else is not plain: instances of
 * classes, functions, and objects or numbers that appear twice.
 */

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
/** By the place of its type in TYPES. */
const arrayAt = (type: number, memory: SharedArrayBuffer, at: number, length: number): TypedArray =>
  new (TYPES[type] as unknown as typeof Float64Array)(memory, at, length);

const KIND = { constant: 0, number: 1, string: 2, typedArray: 3, reference: 4, list: 5, object: 6 } as const;
const CONSTANTS: readonly unknown[] = [undefined, null, false, true];
const WORD = 8;
/** More arrays in one buffer are not compared with each other, and longer strings not written. */
const MOST = { neighbours: 64, string: 4096 };

/** The number by which both sides know a shared buffer; undefined: it cannot be written. */
export type NumberOf = (buffer: SharedArrayBuffer) => number | undefined;

const wordsOf = (bytes: number): number => Math.ceil(bytes / WORD);
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const sharedBuffer = ({ buffer }: ArrayBufferView): SharedArrayBuffer | undefined =>
  buffer instanceof ArrayBuffer ? undefined : buffer;

/** Bytes that a value takes; infinite if it is not plain data. */
export function flatBytes(value: unknown, numberOf: NumberOf): number {
  const seen = new Set<object>();
  const arrays = new Map<ArrayBufferLike, ArrayBufferView[]>();
  const wordsOfArray = (array: TypedArray): number => {
    if (!TYPES.includes(array.constructor as never)) return Number.POSITIVE_INFINITY;
    const buffer = sharedBuffer(array);
    if (buffer) return numberOf(buffer) === undefined ? Number.POSITIVE_INFINITY : 5;
    const others = arrays.get(array.buffer) ?? [];
    if (others.length > MOST.neighbours || others.some((other) => overlap(array, other))) {
      return Number.POSITIVE_INFINITY;
    }
    arrays.set(array.buffer, [...others, array]);
    return 3 + wordsOf(array.byteLength);
  };
  const words = (inner: unknown): number => {
    if (typeof inner === 'number' || CONSTANTS.includes(inner)) return 2;
    if (typeof inner === 'string') return inner.length > MOST.string ? Number.POSITIVE_INFINITY : 2 + textWords(inner);
    if (!isObject(inner)) return Number.POSITIVE_INFINITY;
    if (ArrayBuffer.isView(inner)) return wordsOfArray(inner as TypedArray);
    if (seen.has(inner)) return Number.POSITIVE_INFINITY;
    seen.add(inner);
    let sum = 2;
    if (Array.isArray(inner)) for (const each of inner) sum += words(each);
    else if (Object.getPrototypeOf(inner) !== Object.prototype) return Number.POSITIVE_INFINITY;
    else for (const [key, each] of Object.entries(inner)) sum += words(key) + words(each);
    return sum;
  };
  return WORD * words(value);
}

const textWords = (text: string): number => wordsOf(2 * text.length);

/** Whether two arrays of one buffer do. */
function overlap(a: ArrayBufferView, b: ArrayBufferView): boolean {
  return a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength;
}

/** Writes plain data from byte `at` on, a multiple of 8, where there must be {@link flatBytes} of room. */
export function writeFlat(value: unknown, memory: SharedArrayBuffer, at: number, numberOf: NumberOf): void {
  const words = new Float64Array(memory);
  let next = at / WORD;
  const put = (...numbers: number[]): void => {
    for (const number of numbers) words[next++] = number;
  };
  const putText = (text: string): void => {
    put(KIND.string, text.length);
    const codes = new Uint16Array(memory, next * WORD, text.length);
    for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(i);
    next += textWords(text);
  };
  const putArray = (array: TypedArray): void => {
    const type = TYPES.indexOf(array.constructor as never);
    const buffer = sharedBuffer(array);
    if (buffer) {
      put(KIND.reference, type, array.length, numberOf(buffer)!, array.byteOffset);
      return;
    }
    put(KIND.typedArray, type, array.length);
    const room = arrayAt(type, memory, next * WORD, array.length);
    room.set(array as Float64Array);
    next += wordsOf(array.byteLength);
  };
  const write = (inner: unknown): void => {
    if (typeof inner === 'number') put(KIND.number, inner);
    else if (typeof inner === 'string') putText(inner);
    else if (!isObject(inner)) put(KIND.constant, CONSTANTS.indexOf(inner));
    else if (ArrayBuffer.isView(inner)) putArray(inner as TypedArray);
    else if (Array.isArray(inner)) {
      put(KIND.list, inner.length);
      for (const each of inner) write(each);
    } else {
      const entries = Object.entries(inner);
      put(KIND.object, entries.length);
      for (const [key, each] of entries) {
        putText(key);
        write(each);
      }
    }
  };
  write(value);
}

/** Reads what was written from byte `at` on. */
export function readFlat(
  memory: SharedArrayBuffer,
  at: number,
  bufferOf: (number: number) => SharedArrayBuffer,
): unknown {
  const words = new Float64Array(memory);
  let next = at / WORD;
  const text = (): string => {
    const length = words[next++];
    const codes = new Uint16Array(memory, next * WORD, length);
    next += wordsOf(codes.byteLength);
    return String.fromCharCode(...codes);
  };
  const copy = (): TypedArray => {
    const [type, length] = [words[next++], words[next++]];
    const room = arrayAt(type, memory, next * WORD, length);
    next += wordsOf(room.byteLength);
    return room.slice();
  };
  const reference = (): TypedArray => {
    const [type, length, number, offset] = [words[next++], words[next++], words[next++], words[next++]];
    return arrayAt(type, bufferOf(number), offset, length);
  };
  const entry = (): [string, unknown] => {
    next++; // a key is a string
    return [text(), read()];
  };
  const many = <T>(each: () => T): T[] => Array.from({ length: words[next++] }, each);
  const read = (): unknown => {
    const kind = words[next++];
    if (kind === KIND.number) return words[next++];
    if (kind === KIND.string) return text();
    if (kind === KIND.typedArray) return copy();
    if (kind === KIND.reference) return reference();
    if (kind === KIND.list) return many(read);
    if (kind === KIND.object) return Object.fromEntries(many(entry));
    return CONSTANTS[words[next++]];
  };
  return read();
}
