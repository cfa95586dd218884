/** Writes chunks of any size to an open file, at its current position. */
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Chunks, Sink } from '../../io/bytes/sink.ts';
import { systemCode } from './file-errors.ts';

/** Bytes per system call; the limit of a call is 2 GiB. */
const PIECE = 1 << 26;

/** Milliseconds to wait for the reader of a full pipe. */
const FULL_MS = 5;

/** Writes all chunks; returns the number of bytes written. */
export async function writeAll(file: FileHandle, chunks: Chunks): Promise<number> {
  let total = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; ) {
      at += await writePiece(file, chunk, at);
    }
    total += chunk.byteLength;
  }
  return total;
}

/** Writes part of a chunk; returns its bytes, 0 if a pipe is full. */
async function writePiece(file: FileHandle, chunk: Uint8Array, at: number): Promise<number> {
  try {
    return (await file.write(chunk, at, Math.min(PIECE, chunk.byteLength - at), null)).bytesWritten;
  } catch (error) {
    if (systemCode(error) !== 'EAGAIN') throw error;
    await new Promise((resolve) => setTimeout(resolve, FULL_MS));
    return 0;
  }
}

/** Makes a sink of an open file, written from its start. */
export const fileSink = (file: FileHandle): Sink => ({
  write: (chunks) => writeAll(file, chunks),
  rewrite: async (bytes, position) => void (await file.write(bytes, 0, bytes.length, position)),
  crc32,
});
