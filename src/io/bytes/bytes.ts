/**
 * Bytes in two forms. `Bytes` can be read at any position: a file, or part of one. A `ByteReader` only gives the next
 * bytes: a file from its start, or decompressed data. Callers pass the memory to fill, so a large array is read
 * straight into its final place. Formats know bytes only; what differs between Node and a browser comes with the bytes,
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
  /** What reading them may take. */
  readonly budget: ReadBudget;
  readonly platform: BytesPlatform;
  /** Identifies the file as it was opened; a temporary one has none. */
  readonly fingerprint?: Fingerprint;
  /** Fills `target` with the bytes at `position`, as far as there are any; returns the number of bytes read. */
  readAt(target: Uint8Array, position: number): Promise<number>;
  /** Throws an InputError if the file was written to since it was opened. */
  requireUnchanged(): Promise<void>;
  close(): Promise<void>;
}

/** What formats need beyond the bytes, as Node or a browser does it. */
export interface BytesPlatform {
  /** Unpacks gzip data, of one member or several, or deflate data without a header. */
  inflate(packed: AsyncIterable<Uint8Array>, form: 'gzip' | 'raw'): Inflation;
  /** CRC-32 of what had the checksum `crc`, followed by `bytes`. */
  crc32(bytes: Uint8Array, crc: number): number;
  /** Faster ways to unpack pages of Parquet files than those that run everywhere, by the names of the format. */
  readonly decompressors: Readonly<Record<string, (packed: Uint8Array, length: number) => Uint8Array>>;
  /** Keeps data outside of memory, so that it can be read at any position; closing the bytes frees the space. */
  spool(name: string, chunks: Chunks, limits: ReadLimits): Promise<Bytes>;
}

/** Data that is being unpacked. */
export interface Inflation {
  /** The next bytes; undefined at the end. */
  next(): Promise<Uint8Array | undefined>;
  /** At the end: how many bytes were packed. */
  readonly consumed: number;
  close(): void;
}

export interface ByteReader {
  readonly name: string;
  /** Fills `target` with the next bytes; returns fewer than asked for only at the end. */
  read(target: Uint8Array): Promise<number>;
  /** Reads on to the end of data that has a checksum, and verifies it. */
  finish?(): Promise<void>;
  close(): Promise<void>;
}

const PIECE = 1 << 18;

/** The bytes [start, start + byteLength) of `bytes`; closing the section closes `bytes`. */
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

/** Reads the next bytes; throws an InputError if the data ends before `target` is full. */
export async function readFully(reader: ByteReader, target: Uint8Array): Promise<void> {
  const count = await reader.read(target);
  if (count < target.byteLength) throw endsEarly(reader.name);
}

export function endsEarly(name: string): InputError {
  return new InputError(`${name}: the file is truncated.`);
}

/** Reads to the end and keeps nothing. */
export async function drain(read: ByteReader['read']): Promise<void> {
  const piece = new Uint8Array(PIECE);
  while ((await read(piece)) > 0);
}

/** All bytes, in pieces. */
export async function* piecesOf(bytes: Bytes): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < bytes.byteLength; ) {
    const piece = new Uint8Array(Math.min(PIECE, bytes.byteLength - position));
    const count = await bytes.readAt(piece, position);
    if (count < piece.byteLength) throw endsEarly(bytes.name);
    position += count;
    yield piece;
  }
}
