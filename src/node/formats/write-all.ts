/** Writes chunks of any size to an open file, at its current position. */
import type { FileHandle } from 'node:fs/promises';

/** Data to write: in memory or produced on the fly. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Bytes per system call; the limit of a call is 2 GiB. */
const PIECE = 1 << 26;

/** Returns the number of bytes written. */
export async function writeAll(file: FileHandle, chunks: Chunks): Promise<number> {
  let total = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; ) {
      const { bytesWritten } = await file.write(chunk, at, Math.min(PIECE, chunk.byteLength - at), null);
      at += bytesWritten;
    }
    total += chunk.byteLength;
  }
  return total;
}
