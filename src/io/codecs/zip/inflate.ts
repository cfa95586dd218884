/** Readers of compressed data: gzip files, and the deflated members of zip archives. */
import { InputError } from '../../../core/errors.ts';
import { type ByteReader, type Bytes, drain, endsEarly, piecesOf } from '../../bytes/bytes.ts';

const PIECE = 1 << 18;

export const gunzipReader = (bytes: Bytes): ByteReader => inflatingReader(bytes, 'gzip');

/** Reads raw deflate data without a header, as in zip archives. */
export const inflateReader = (bytes: Bytes): ByteReader => inflatingReader(bytes, 'raw');

function inflatingReader(bytes: Bytes, form: 'gzip' | 'raw'): ByteReader {
  let failure: { readonly reason: unknown } | undefined;
  async function* packed(): AsyncGenerator<Uint8Array> {
    try {
      yield* piecesOf(bytes);
    } catch (reason) {
      failure = { reason };
      throw reason;
    }
  }
  const inflation = bytes.platform.inflate(packed(), form);
  let rest: Uint8Array = new Uint8Array(0);
  let unpacked = 0;
  const fill = async (target: Uint8Array): Promise<number> => {
    let done = 0;
    while (done < target.byteLength) {
      if (rest.byteLength === 0) {
        const next = await inflation.next();
        if (!next) {
          await requirePadding(bytes, inflation.consumed);
          break;
        }
        rest = next;
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
      throw failure ? failure.reason : inflateFailure(bytes.name, error);
    });
  return { name: bytes.name, read, finish: () => drain(read), close: async () => inflation.close() };
}

/** Checks what follows the compressed data: zeros are allowed; anything else is a damaged part that was not unpacked. */
async function requirePadding(bytes: Bytes, position: number): Promise<void> {
  const piece = new Uint8Array(PIECE);
  for (let at = position; at < bytes.byteLength; at += piece.length) {
    const count = await bytes.readAt(piece, at);
    if (piece.subarray(0, count).some((byte) => byte !== 0)) {
      throw new InputError(`${bytes.name}: the compressed data is damaged (it ends before the file does).`);
    }
  }
}

/** Message for truncated compressed data, the same on every platform. */
export const UNEXPECTED_END = 'unexpected end of file';

function inflateFailure(name: string, error: unknown): unknown {
  if (error instanceof InputError || !(error instanceof Error)) return error;
  if (error.message === UNEXPECTED_END) return endsEarly(name);
  return new InputError(`${name}: the compressed data is damaged (${error.message}).`);
}
