/**
 * Reads NumPy's number types in bulk: booleans, integers of 1 to 8 bytes, half, single and double floats,
 * in either byte order. Half and single become float32; everything else becomes float64, with 8-byte integers rounded
 * like NumPy's `astype(float)`. The host is assumed to be little-endian, like WebAssembly.
 */
import { InputError } from '../../../core/errors.ts';
import { bytesPerNumber, type FloatArray, newNumbers, numbersIn, type Precision } from '../../../core/matrix.ts';
import { printable } from '../../../core/printable.ts';
import { sharedBuffer } from '../../../core/shared-memory.ts';
import type { ReadBudget } from '../../bytes/budget.ts';
import type { ByteReader } from '../../bytes/bytes.ts';
import { readFully } from '../../bytes/bytes.ts';

export interface DType {
  readonly kind: 'b' | 'i' | 'u' | 'f';
  /** Bytes per number. */
  readonly size: number;
  readonly bigEndian: boolean;
}

const SIZES: Readonly<Record<DType['kind'], readonly number[]>> = {
  b: [1],
  i: [1, 2, 4, 8],
  u: [1, 2, 4, 8],
  f: [2, 4, 8],
};

const OTHER_KINDS: Readonly<Record<string, string>> = {
  O: 'Python objects',
  V: 'records',
  c: 'complex numbers',
  U: 'text',
  S: 'text',
  a: 'text',
  M: 'dates',
  m: 'time differences',
  f: 'extended floats',
};

const SCRATCH_BYTES = 1 << 20;
const VIEW_BYTES = 1 << 23;

/** Parses a `descr` such as `<f4`. */
export function parseDType(name: string, descr: string): DType {
  const [, order, kind, digits] = /^([<>=|]?)([a-zA-Z?])(\d*)/.exec(descr) ?? [];
  const number = kind === '?' ? 'b' : kind;
  const size = digits ? Number(digits) : 1;
  if (isKind(number) && SIZES[number].includes(size) && /^[<>=|]?([biuf]\d|\?)$/.test(descr)) {
    return { kind: number, size, bigEndian: order === '>' };
  }
  const what = descr.startsWith('[') ? 'records' : (OTHER_KINDS[kind ?? ''] ?? 'an unknown type');
  throw new InputError(`${name}: must hold real numbers; got ${what} (dtype ${printable(descr, 80)}).`);
}

const precisionOfDType = ({ kind, size }: DType): Precision => (kind === 'f' && size <= 4 ? 'f32' : 'f64');

/** How a file stores numbers. */
export interface StoredNumbers {
  /** Bytes per number. */
  readonly size: number;
  /** Precision in which they are read. */
  readonly precision: Precision;
  /** Fills `out`, which has this precision, with the next numbers. */
  read(reader: ByteReader, out: FloatArray): Promise<void>;
}

/** Numbers stored as NumPy does. */
export const storedAs = (dtype: DType): StoredNumbers => ({
  size: dtype.size,
  precision: precisionOfDType(dtype),
  read: (reader, out) => readNumbers(reader, dtype, out),
});

/** Allocates `length` numbers, optionally in memory shared between threads. */
export function allocate(precision: Precision, length: number, shared = false): FloatArray {
  return shared
    ? numbersIn(sharedBuffer(length * bytesPerNumber(precision)), precision)
    : newNumbers(precision, length);
}

/** Allocates like `allocate`, within the budget; throws an InputError if memory cannot hold the array. */
export function allocateOrRefuse(file: Budgeted, precision: Precision, shape: readonly number[]): FloatArray {
  const length = shape.reduce((product, size) => product * size, 1);
  const what = `${shape.join(' × ')} numbers`;
  file.budget.hold(length * bytesPerNumber(precision), what);
  try {
    return allocate(precision, length);
  } catch {
    throw new InputError(`${file.name}: ${what} do not fit into memory.`);
  }
}

interface Budgeted {
  readonly name: string;
  readonly budget: ReadBudget;
}

/** Yields the bytes of a typed array in views of bounded size: an array may exceed 4 GiB, a Uint8Array may not. */
export function* byteViews(array: ArrayBufferView): Generator<Uint8Array> {
  const { buffer, byteOffset, byteLength } = array;
  for (let at = 0; at < byteLength; at += VIEW_BYTES) {
    yield new Uint8Array(buffer, byteOffset + at, Math.min(VIEW_BYTES, byteLength - at));
  }
}

export async function* bytesOfEach(pieces: AsyncIterable<FloatArray>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield* byteViews(piece);
}

async function readNumbers(reader: ByteReader, dtype: DType, out: FloatArray): Promise<void> {
  if (dtype.kind === 'f' && dtype.size === out.BYTES_PER_ELEMENT) return readInPlace(reader, dtype, out);
  const capacity = Math.min(out.length, SCRATCH_BYTES / dtype.size);
  const scratch = new Uint8Array(capacity * dtype.size);
  for (let at = 0; at < out.length; at += capacity) {
    const count = Math.min(capacity, out.length - at);
    const piece = scratch.subarray(0, count * dtype.size);
    await readFully(reader, piece);
    swapBytes(piece, dtype);
    convert(piece, dtype, out, at);
  }
}

async function readInPlace(reader: ByteReader, dtype: DType, out: FloatArray): Promise<void> {
  for (const piece of byteViews(out)) {
    await readFully(reader, piece);
    swapBytes(piece, dtype);
  }
}

/** Converts to the host's byte order in place; `bytes` begin on a boundary of `size`. */
export function swapBytes(bytes: Uint8Array, { size, bigEndian }: Pick<DType, 'size' | 'bigEndian'>): void {
  if (!bigEndian || size === 1) return;
  const { buffer, byteOffset, byteLength } = bytes;
  if (size === 2) swapPairs(new Uint16Array(buffer, byteOffset, byteLength / 2));
  else if (size === 4) swapWords(new Int32Array(buffer, byteOffset, byteLength / 4));
  else swapLongs(new Int32Array(buffer, byteOffset, byteLength / 4));
}

function swapPairs(pairs: Uint16Array): void {
  for (let i = 0; i < pairs.length; i++) pairs[i] = (pairs[i] << 8) | (pairs[i] >>> 8);
}

const swapped = (word: number): number =>
  (word << 24) | ((word << 8) & 0xff0000) | ((word >>> 8) & 0xff00) | (word >>> 24);

function swapWords(words: Int32Array): void {
  for (let i = 0; i < words.length; i++) words[i] = swapped(words[i]);
}

/** Swaps 8-byte numbers, two words each. */
function swapLongs(words: Int32Array): void {
  for (let i = 0; i < words.length; i += 2) {
    const first = words[i];
    words[i] = swapped(words[i + 1]);
    words[i + 1] = swapped(first);
  }
}

/** Converts numbers in host byte order to floats, written to `out` from `at` on. */
function convert(bytes: Uint8Array, { kind, size }: DType, out: FloatArray, at: number): void {
  const { buffer, byteLength } = bytes;
  const count = byteLength / size;
  if (kind === 'f') convertHalf(new Uint16Array(buffer, 0, count), out, at);
  else if (size === 8) convertLong(new Int32Array(buffer, 0, 2 * count), kind === 'u', out, at);
  else if (kind === 'b')
    out.set(
      bytes.map((value) => (value === 0 ? 0 : 1)),
      at,
    );
  else if (size === 4) out.set(kind === 'i' ? new Int32Array(buffer, 0, count) : new Uint32Array(buffer, 0, count), at);
  else if (size === 2) out.set(kind === 'i' ? new Int16Array(buffer, 0, count) : new Uint16Array(buffer, 0, count), at);
  else out.set(kind === 'i' ? new Int8Array(buffer, 0, count) : bytes, at);
}

/** Converts 64-bit integers. high · 2³² is exact, so the sum rounds once: the double nearest to the integer. */
export function convertLong(halves: Int32Array, unsigned: boolean, out: FloatArray, at: number): void {
  for (let i = 0; 2 * i < halves.length; i++) {
    const high = halves[2 * i + 1];
    out[at + i] = (unsigned ? high >>> 0 : high) * 2 ** 32 + (halves[2 * i] >>> 0);
  }
}

let halves: Float32Array | undefined;

/** Converts half floats from their bits. */
export function convertHalf(bits: Uint16Array, out: FloatArray, at: number): void {
  halves ??= Float32Array.from({ length: 1 << 16 }, (_, half) => halfToNumber(half));
  for (let i = 0; i < bits.length; i++) out[at + i] = halves[bits[i]];
}

/** Converts IEEE 754 binary16: 1 sign bit, 5 exponent bits, 10 fraction bits. */
function halfToNumber(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = (half & 0x3ff) / 1024;
  if (exponent === 0) return sign * fraction * 2 ** -14;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction) * 2 ** (exponent - 15);
}

function isKind(kind: string | undefined): kind is DType['kind'] {
  return kind !== undefined && Object.hasOwn(SIZES, kind);
}
