/** Destination of bytes written in order: a file, or memory that becomes one. */

/** Data to write: in memory or produced on the fly. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

export interface Sink {
  /** Appends all chunks; returns their number of bytes. */
  write(chunks: Chunks): Promise<number>;
  /** Replaces the bytes at `position`, which were written in one chunk of this length. */
  rewrite(bytes: Uint8Array, position: number): Promise<void>;
  /** Continues the CRC-32 `crc` with `bytes`. */
  crc32(bytes: Uint8Array, crc: number): number;
}
