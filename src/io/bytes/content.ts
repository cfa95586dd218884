/** Content that can be read from its first byte, any number of times: a file, or a decompressed gzip file or member of an archive. */
import { gunzipReader } from '../codecs/zip/inflate.ts';
import { type ByteReader, type Bytes, sequentialReader } from './bytes.ts';

export interface Content extends Pick<Bytes, 'name' | 'byteLength' | 'budget' | 'platform' | 'close'> {
  /** Reads from the first byte. */
  reader(): ByteReader;
  /** Bytes of the content, if it can be read at any position. */
  readonly bytes?: Bytes;
  /** Compressed size in bytes, if it is compressed. */
  readonly packed?: number;
  /** Most bytes that it can unpack to. */
  readonly atMost: number;
  /** Whether its reader verifies a checksum, which reading at any position does not. */
  readonly checksummed?: boolean;
}

/** Highest compression ratio of deflate. */
export const HIGHEST_COMPRESSION = 1032;

/** Makes the content of a file; closing the content closes the file. */
export function contentOf(bytes: Bytes, gzipped = false): Content {
  const { name, byteLength, budget, platform } = bytes;
  const file = { name, byteLength, budget, platform, close: () => bytes.close() };
  return gzipped
    ? { ...file, reader: () => gunzipReader(bytes), packed: byteLength, atMost: byteLength * HIGHEST_COMPRESSION }
    : { ...file, reader: () => sequentialReader(bytes), bytes, atMost: byteLength };
}
