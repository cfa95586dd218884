/** Writes .npy files (version 1, little-endian, C order): numbers in memory, produced on the fly, or one string. */
import { bytesPerNumber, type FloatArray, type Precision } from '../../../core/matrix.ts';
import { type Bytes, piecesOf } from '../../bytes/bytes.ts';
import type { Chunks } from '../../bytes/sink.ts';
import { latin1Bytes } from '../../bytes/text-bytes.ts';
import { bytesOfEach, byteViews } from './dtype.ts';
import { elementCount, npyHeaderBytes } from './header.ts';

/** Numbers that can be written. */
export type NumberArray = FloatArray | Int8Array | Int16Array | Int32Array | BigInt64Array | Uint8Array | Uint16Array;

/** The content of a .npy file, which may exceed the size of one buffer. */
export interface NpyOutput {
  readonly byteLength: number;
  /** Chunks of the content; can be read once. */
  readonly chunks: Chunks;
}

/** Writes numbers in memory. */
export function npyBytes(shape: readonly number[], data: NumberArray): NpyOutput {
  if (elementCount(shape) !== data.length) {
    throw new RangeError(`npyBytes: shape ${shape.join(' × ')} does not fit ${data.length} numbers.`);
  }
  return withHeader(npyHeaderBytes(descrOf(data), shape), byteViews(data), data.byteLength);
}

/** Writes numbers produced on the fly, row by row. */
export function npyStream(
  shape: readonly number[],
  precision: Precision,
  pieces: AsyncIterable<FloatArray>,
): NpyOutput {
  const length = elementCount(shape) * bytesPerNumber(precision);
  return withHeader(npyHeaderBytes(precision === 'f32' ? '<f4' : '<f8', shape), bytesOfEach(pieces), length);
}

/** Writes numbers stored as bytes. `descr`: their type, as NumPy writes it. */
export const npyStored = (descr: string, shape: readonly number[], bytes: Bytes): NpyOutput =>
  withHeader(npyHeaderBytes(descr, shape), piecesOf(bytes), bytes.byteLength);

/** Writes a 0-d string of single bytes. */
export function npyAscii(text: string): NpyOutput {
  const bytes = latin1Bytes(text);
  return withHeader(npyHeaderBytes(`|S${bytes.length}`, []), [bytes], bytes.length);
}

/** Writes a 0-d string: one array element of UTF-32. */
export function npyText(text: string): NpyOutput {
  const points = Uint32Array.from(text.length > 0 ? text : '\0', (character) => character.codePointAt(0) ?? 0);
  return withHeader(npyHeaderBytes(`<U${points.length}`, []), byteViews(points), points.byteLength);
}

function withHeader(header: Uint8Array, body: Chunks, bodyLength: number): NpyOutput {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield header;
    let written = 0;
    for await (const chunk of body) {
      written += chunk.byteLength;
      yield chunk;
    }
    if (written !== bodyLength) throw new RangeError(`npyStream: expected ${bodyLength} bytes; got ${written}.`);
  }
  return { byteLength: header.byteLength + bodyLength, chunks: chunks() };
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Float32Array: '<f4',
  Float64Array: '<f8',
  Int8Array: '|i1',
  Int16Array: '<i2',
  Int32Array: '<i4',
  BigInt64Array: '<i8',
  Uint8Array: '|u1',
  Uint16Array: '<u2',
};

/** Returns the type as NumPy writes it; a Buffer is bytes. */
const descrOf = (data: NumberArray): string => DESCRIPTIONS[data[Symbol.toStringTag]];
