/** Where bytes are written to, in order: a file, or memory that becomes one. */

/** Data to write: in memory or produced on the fly. */
export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

export interface Sink {
  /** Appends all chunks; returns their bytes. */
  write(chunks: Chunks): Promise<number>;
  /** Replaces what was written at `position` in one chunk of this length. */
  rewrite(bytes: Uint8Array, position: number): Promise<void>;
  /** CRC-32 of what had the checksum `crc`, followed by `bytes`. */
  crc32(bytes: Uint8Array, crc: number): number;
}
