/**
 * Bytes in two forms. `Bytes` can be read at any position: a file, or part of one. A `ByteReader` only gives the next
 * bytes: a file from its start, or decompressed data. Callers pass the memory to fill, so a large array is read
 * straight into its final place. Formats use bytes only; functions that differ between Node and a browser come with the bytes,
 * as their `platform`.
 */
import { InputError } from '../../core/errors.ts';
import type { ReadBudget, ReadLimits } from './budget.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { Chunks } from './sink.ts';

export interface Bytes {
  /** The file as the user named it, for messages. */
  readonly name: string;
  readonly byteLength: number;
  /** Budget for reading them. */
  readonly budget: ReadBudget;
  readonly platform: BytesPlatform;
  /** Identifies the file as it was opened; temporary files have none. */
  readonly fingerprint?: Fingerprint;
  /** Fills `target` with the bytes at `position`, as far as there are any; returns the number of bytes read. */
  readAt(target: Uint8Array, position: number): Promise<number>;
  /** Throws an InputError if the file was written to since it was opened. */
  requireUnchanged(): Promise<void>;
  close(): Promise<void>;
}

/** Functions that formats need beyond the bytes, in the version of Node or of a browser. */
export interface BytesPlatform {
  /** Unpacks gzip data, of one member or several, or deflate data without a header. */
  inflate(packed: AsyncIterable<Uint8Array>, form: 'gzip' | 'raw'): Inflation;
  /** Continues the CRC-32 `crc` with `bytes`. */
  crc32(bytes: Uint8Array, crc: number): number;
  /** Functions that unpack pages of Parquet files faster than the portable ones, by the names of the format. */
  readonly decompressors: Readonly<Record<string, (packed: Uint8Array, length: number) => Uint8Array>>;
  /** Keeps data outside of memory, so that it can be read at any position; closing the bytes frees the space. */
  spool(name: string, chunks: Chunks, limits: ReadLimits): Promise<Bytes>;
}

/** Data being decompressed. */
export interface Inflation {
  /** Returns the next bytes; undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** Number of compressed bytes, at the end. */
  readonly consumed: number;
  close(): void;
}

export interface ByteReader {
  readonly name: string;
  /** Fills `target` with the next bytes; returns fewer than asked for only at the end. */
  read(target: Uint8Array): Promise<number>;
  /** Reads the rest of data that has a checksum, and verifies it. */
  finish?(): Promise<void>;
  close(): Promise<void>;
}

const PIECE = 1 << 18;

/** Returns the bytes [start, start + byteLength) of `bytes`; closing the section closes `bytes`. */
export function section(bytes: Bytes, name: string, start: number, byteLength: number): Bytes {
  return {
    ...bytes,
    name,
    byteLength,
    readAt: (target, position) => {
      const length = Math.max(0, Math.min(target.byteLength, byteLength - position));
      return bytes.readAt(length < target.byteLength ? target.subarray(0, length) : target, start + position);
    },
  };
}

/** Reads in order from `position`; closing the reader leaves `bytes` open. */
export function sequentialReader(bytes: Bytes, position = 0): ByteReader {
  let next = position;
  return {
    name: bytes.name,
    read: async (target) => {
      const count = await bytes.readAt(target, next);
      next += count;
      return count;
    },
    close: async () => {},
  };
}

/** Reads the bytes [start, start + length); throws an InputError if there are fewer. */
export async function readBytes(bytes: Bytes, start: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const part = new Uint8Array(length);
  if ((await bytes.readAt(part, start)) < length) throw endsEarly(bytes.name);
  return part;
}

/** Reads such bytes as a view. */
export const readView = async (bytes: Bytes, start: number, length: number): Promise<DataView<ArrayBuffer>> =>
  new DataView((await readBytes(bytes, start, length)).buffer);

/** Reads the next bytes; throws an InputError if the data ends before `target` is full. */
export async function readFully(reader: ByteReader, target: Uint8Array): Promise<void> {
  const count = await reader.read(target);
  if (count < target.byteLength) throw endsEarly(reader.name);
}

/** Reads that many bytes and discards them. */
export async function skip(reader: ByteReader, length: number): Promise<void> {
  for (let left = length; left > 0; left -= PIECE) await readFully(reader, new Uint8Array(Math.min(PIECE, left)));
}

export function endsEarly(name: string): InputError {
  return new InputError(`${name}: the file is truncated.`);
}

/** Reads to the end and discards everything. */
export async function drain(read: ByteReader['read']): Promise<void> {
  const piece = new Uint8Array(PIECE);
  while ((await read(piece)) > 0);
}

export async function* piecesOf(bytes: Bytes): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < bytes.byteLength; ) {
    const piece = await readBytes(bytes, position, Math.min(PIECE, bytes.byteLength - position));
    position += piece.length;
    yield piece;
  }
}
