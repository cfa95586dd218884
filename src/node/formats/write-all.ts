/** Writing chunks of any size to an open file, at its current position. */
import type { FileHandle } from 'node:fs/promises';

/** What may be written: whole in memory or produced on the way. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** One system call writes at most this much; 2 GiB is the limit of a call. */
const PIECE = 1 << 26;

/** Gives the number of bytes written. */
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
