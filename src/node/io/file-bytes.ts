/**
 * Bytes of open files: those that a user names, and temporary ones for data that cannot be read at random positions: data that does not
 * fit into memory, and standard input. A temporary file is unlinked as soon as it is open, so that the system reclaims the
 * space however the process ends; where an open file cannot be removed, it is removed on close.
 */
import { type FileHandle, open, rm, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, crc32, createGunzip, createInflateRaw, gunzipSync } from 'node:zlib';
import { InputError } from '../../core/errors.ts';
import { ReadBudget, type ReadLimits, readLimits } from '../../io/bytes/budget.ts';
import type { Bytes, BytesPlatform } from '../../io/bytes/bytes.ts';
import type { Chunks } from '../../io/bytes/sink.ts';
import { readFailure, systemCode } from './file-errors.ts';
import { writeAll } from './write-all.ts';

/** Bytes per system call: enough for disk speed, far below the 2 GiB limit of a call. */
const PIECE = 1 << 23;

/** Bytes that zlib unpacks at a time. */
const UNPACKED = { chunkSize: 1 << 18 };

/** Decompresses by Node's zlib. */
const inflate: BytesPlatform['inflate'] = (packed, form) => {
  const stream = form === 'gzip' ? createGunzip(UNPACKED) : createInflateRaw(UNPACKED);
  // A failure of the input destroys `stream` with the same error, so it surfaces where the output is read.
  pipeline(Readable.from(packed), stream).catch(() => {});
  const output = stream.iterator()[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return {
    next: async () => {
      const { value, done } = await output.next();
      return done ? undefined : value;
    },
    get consumed() {
      return stream.bytesWritten;
    },
    close: () => void stream.destroy(),
  };
};

/** Decompressors that write at most `length` bytes. */
const decompressors: BytesPlatform['decompressors'] = {
  GZIP: (packed, length) => gunzipSync(packed, { maxOutputLength: Math.max(1, length) }),
  BROTLI: (packed, length) => brotliDecompressSync(packed, { maxOutputLength: Math.max(1, length) }),
};

export const nodePlatform: BytesPlatform = { inflate, crc32, decompressors, spool };

/** Returns the bytes of an open file; closing them closes the file. */
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
    platform: nodePlatform,
    readAt: (target, position) =>
      readAt(target, position).catch((error) => {
        throw readFailure(name, error);
      }),
    requireUnchanged: async () => {},
    close: () => file.close(),
  };
}

export interface Spool {
  write(chunk: Uint8Array): Promise<void>;
  /** Returns the bytes written; closing them frees the space. */
  finish(): Bytes;
  /** Frees the space of a file that was not finished. */
  discard(): Promise<void>;
}

/** Creates a temporary file. `name`: of its content, for messages. */
export async function openSpool(name: string, limits: ReadLimits = readLimits()): Promise<Spool> {
  const { randomBytes } = await import('node:crypto'); // slow to load, and seldom needed
  const path = join(tmpdir(), `orthodict-${process.pid}-${randomBytes(6).toString('hex')}.raw`);
  const refuse = (error: unknown): never => {
    throw spoolFailure(name, error);
  };
  const file = await open(path, 'wx+', 0o600).catch(refuse);
  const removed = await unlink(path).then(
    () => true,
    () => false,
  );
  const discard = async () => {
    await file.close();
    if (!removed) await rm(path, { force: true });
  };
  let size = 0;
  return {
    async write(chunk) {
      size += await writeAll(file, [chunk]).catch(refuse);
    },
    finish: () => ({ ...fileBytes(name, file, size, limits), close: discard }),
    discard,
  };
}

/** Writes all chunks to a temporary file; closing the result frees the space. */
export async function spool(name: string, chunks: Chunks, limits: ReadLimits = readLimits()): Promise<Bytes> {
  const target = await openSpool(name, limits);
  try {
    for await (const chunk of chunks) await target.write(chunk);
    return target.finish();
  } catch (error) {
    await target.discard();
    throw readFailure(name, error);
  }
}

function spoolFailure(name: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  const why = code === 'ENOSPC' ? 'no space left' : code;
  return new InputError(
    `${name}: cannot be kept in a temporary file in ${tmpdir()} (${why}); set TMPDIR to a larger disk.`,
  );
}
