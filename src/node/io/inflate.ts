/** Decompresses by Node's zlib. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { brotliDecompressSync, createGunzip, createInflateRaw, gunzipSync } from 'node:zlib';
import type { BytesPlatform } from '../../io/bytes/bytes.ts';

const PIECE = { chunkSize: 1 << 18 };

export const inflate: BytesPlatform['inflate'] = (packed, form) => {
  const stream = form === 'gzip' ? createGunzip(PIECE) : createInflateRaw(PIECE);
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
export const decompressors: BytesPlatform['decompressors'] = {
  GZIP: (packed, length) => gunzipSync(packed, { maxOutputLength: Math.max(1, length) }),
  BROTLI: (packed, length) => brotliDecompressSync(packed, { maxOutputLength: Math.max(1, length) }),
};
