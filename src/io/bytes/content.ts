/** What is read from its first byte, any number of times: a file, or what a gzip file or the member of an archive unpacks to. */
import { gunzipReader } from '../codecs/zip/inflate.ts';
import { type ByteReader, type Bytes, sequentialReader } from './bytes.ts';

export interface Content extends Pick<Bytes, 'name' | 'byteLength' | 'budget' | 'platform' | 'close'> {
  /** Reads from the first byte. */
  reader(): ByteReader;
  /** Present if it can be read at any position. */
  readonly bytes?: Bytes;
  /** Bytes of compressed data, if it is compressed. */
  readonly packed?: number;
  /** The most bytes that it can unpack to. */
  readonly atMost: number;
  /** Whether its reader verifies a checksum, which reading at any position does not. */
  readonly checksummed?: boolean;
}

/** The highest compression ratio of deflate. */
export const HIGHEST_COMPRESSION = 1032;

/** A file; closing the content closes it. */
export function contentOf(bytes: Bytes, gzipped = false): Content {
  const { name, byteLength, budget, platform } = bytes;
  const file = { name, byteLength, budget, platform, close: () => bytes.close() };
  return gzipped
    ? { ...file, reader: () => gunzipReader(bytes), packed: byteLength, atMost: byteLength * HIGHEST_COMPRESSION }
    : { ...file, reader: () => sequentialReader(bytes), bytes, atMost: byteLength };
}
