/**
 * Bytes in two forms. `Bytes` can be read at any position: a file, or part of one. A `ByteReader` only gives the next
 * bytes: a file from its start, or decompressed data. Callers pass the memory to fill, so a large array is read
 * straight into its final place.
 */
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflateRaw } from 'node:zlib';
import { InputError } from '../../core/errors.ts';
import { ReadBudget, readLimits } from './budget.ts';
import { readFailure } from './file-errors.ts';
import type { Fingerprint } from './fingerprint.ts';

export interface Bytes {
  /** The file as the user named it, for messages. */
  readonly name: string;
  readonly byteLength: number;
  /** What reading them may take. */
  readonly budget: ReadBudget;
  /** Of the file as it was opened; a temporary one has none. */
  readonly fingerprint?: Fingerprint;
  /** Fills `target` with the bytes at `position`, as far as there are any; returns the number of bytes read. */
  readAt(target: Uint8Array, position: number): Promise<number>;
  /** Throws an InputError if the file was written to since it was opened. */
  requireUnchanged(): Promise<void>;
  close(): Promise<void>;
}

export interface ByteReader {
  readonly name: string;
  /** Fills `target` with the next bytes; returns fewer than asked for only at the end. */
  read(target: Uint8Array): Promise<number>;
  /** Reads on to the end of data that has a checksum, and verifies it. */
  finish?(): Promise<void>;
  close(): Promise<void>;
}

/** Bytes per system call: enough for disk speed, far below the 2 GiB limit of a call. */
const PIECE = 1 << 23;
const INFLATE_PIECE = 1 << 18;

/** Bytes of an open file; closing them closes the file. */
export function fileBytes(name: string, file: FileHandle, byteLength: number, limits = readLimits()): Bytes {
  const readAt = async (target: Uint8Array, position: number): Promise<number> => {
    let done = 0;
    while (done < target.byteLength) {
      const length = Math.min(PIECE, target.byteLength - done);
      const { bytesRead } = await file.read(target, done, length, position + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return done;
  };
  return {
    name,
    byteLength,
    budget: new ReadBudget(name, byteLength, limits),
    readAt: (target, position) =>
      readAt(target, position).catch((error) => {
        throw readFailure(name, error);
      }),
    requireUnchanged: async () => {},
    close: () => file.close(),
  };
}

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

export function gunzipReader(bytes: Bytes): ByteReader {
  return inflatingReader(bytes, createGunzip({ chunkSize: INFLATE_PIECE }));
}

/** Raw deflate data without a header, as in zip archives. */
export function inflateReader(bytes: Bytes): ByteReader {
  return inflatingReader(bytes, createInflateRaw({ chunkSize: INFLATE_PIECE }));
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
  const piece = new Uint8Array(INFLATE_PIECE);
  while ((await read(piece)) > 0);
}

/** All bytes, in pieces. */
export async function* piecesOf(bytes: Bytes): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < bytes.byteLength; ) {
    const piece = new Uint8Array(Math.min(INFLATE_PIECE, bytes.byteLength - position));
    const count = await bytes.readAt(piece, position);
    if (count < piece.byteLength) throw endsEarly(bytes.name);
    position += count;
    yield piece;
  }
}

function inflatingReader(bytes: Bytes, inflate: ReturnType<typeof createGunzip>): ByteReader {
  // An input failure destroys `inflate` with the same error, so it surfaces where the output is read.
  pipeline(Readable.from(piecesOf(bytes)), inflate).catch(() => {});
  const output = inflate.iterator()[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let rest: Uint8Array = new Uint8Array(0);
  let unpacked = 0;
  const fill = async (target: Uint8Array): Promise<number> => {
    let done = 0;
    while (done < target.byteLength) {
      if (rest.byteLength === 0) {
        const { value, done: ended } = await output.next();
        if (ended) {
          await requirePadding(bytes, inflate.bytesWritten);
          break;
        }
        rest = value;
        unpacked += rest.byteLength;
        bytes.budget.unpack(unpacked, bytes.byteLength);
      }
      const taken = rest.subarray(0, target.byteLength - done);
      target.set(taken, done);
      done += taken.byteLength;
      rest = rest.subarray(taken.byteLength);
    }
    return done;
  };
  const read = (target: Uint8Array) =>
    fill(target).catch((error) => {
      throw inflateFailure(bytes.name, error);
    });
  return {
    name: bytes.name,
    read,
    finish: () => drain(read),
    close: async () => {
      inflate.destroy();
    },
  };
}

/** Zeros may follow the compressed data; anything else is a part that was damaged, and not unpacked. */
async function requirePadding(bytes: Bytes, position: number): Promise<void> {
  const piece = new Uint8Array(INFLATE_PIECE);
  for (let at = position; at < bytes.byteLength; at += piece.length) {
    const count = await bytes.readAt(piece, at);
    if (piece.subarray(0, count).some((byte) => byte !== 0)) {
      throw new InputError(`${bytes.name}: the compressed data is damaged (it ends before the file does).`);
    }
  }
}

function inflateFailure(name: string, error: unknown): unknown {
  if (error instanceof InputError || !(error instanceof Error)) return error;
  if (error.message === 'unexpected end of file') return endsEarly(name);
  return new InputError(`${name}: the compressed data is damaged (${error.message}).`);
}
