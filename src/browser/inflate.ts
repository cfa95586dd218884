/**
 * Decompresses in a browser, piece by piece. The browser's own `DecompressionStream` refuses files of several gzip members and does
 * not report where the data ends, so the deflate data is unpacked by fflate, and gzip (RFC 1952) is read here: a header, deflate data, then
 * the checksum and the length of what it unpacks to, once or several times.
 */
import { Inflate } from 'fflate';
import { crc32 } from '../core/crc32.ts';
import type { BytesPlatform } from '../io/bytes/bytes.ts';
import { UNEXPECTED_END } from '../io/codecs/zip/inflate.ts';

/** Compressed bytes per step: they expand to about 32 MB at the most. */
const PIECE = 1 << 15;
const HAS = { checksum: 2, extra: 4, name: 8, comment: 16, unknown: 0xe0 };
const MAGIC = 0x1f8b;
const DEFLATE = 8;

export const inflate: BytesPlatform['inflate'] = (packed, form) => {
  const input = new PackedInput(packed);
  const output = form === 'gzip' ? unpackMembers(input) : unpackRaw(input);
  return {
    next: async () => (await output.next()).value ?? undefined,
    get consumed() {
      return input.position;
    },
    close: () => void output.return(undefined),
  };
};

/** Compressed input, of which bytes can be given back. */
class PackedInput {
  /** Number of bytes taken. */
  position = 0;
  #piece: Uint8Array = new Uint8Array(0);
  readonly #pieces: AsyncIterator<Uint8Array>;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Returns up to `most` bytes; undefined at the end. */
  async take(most: number): Promise<Uint8Array | undefined> {
    while (this.#piece.length === 0) {
      const { value, done } = await this.#pieces.next();
      if (done) return undefined;
      this.#piece = value;
    }
    const taken = this.#piece.subarray(0, most);
    this.#piece = this.#piece.subarray(taken.length);
    this.position += taken.length;
    return taken;
  }

  giveBack(bytes: Uint8Array): void {
    const both = new Uint8Array(bytes.length + this.#piece.length);
    both.set(bytes);
    both.set(this.#piece, bytes.length);
    this.#piece = both;
    this.position -= bytes.length;
  }

  /** Returns the next byte without taking it; undefined at the end. */
  async peek(): Promise<number | undefined> {
    const next = await this.take(1);
    if (next) this.giveBack(next);
    return next?.[0];
  }

  async exactly(length: number): Promise<DataView> {
    const bytes = new Uint8Array(length);
    for (let done = 0; done < length; ) {
      const part = await this.take(length - done);
      if (!part) throw new Error(UNEXPECTED_END);
      bytes.set(part, done);
      done += part.length;
    }
    return new DataView(bytes.buffer);
  }

  async skipText(): Promise<void> {
    while ((await this.exactly(1)).getUint8(0) !== 0);
  }
}

async function* unpackMembers(input: PackedInput): AsyncGenerator<Uint8Array, undefined> {
  do {
    await skipHeader(input);
    let [crc, length] = [0, 0];
    for await (const piece of unpackRaw(input)) {
      crc = crc32(piece, crc);
      length += piece.length;
      yield piece;
    }
    const trailer = await input.exactly(8);
    if (trailer.getUint32(0, true) !== crc) throw new Error('incorrect data check');
    if (trailer.getUint32(4, true) !== length % 2 ** 32) throw new Error('incorrect length check');
  } while (await input.peek()); // zeros may follow the last member
}

async function skipHeader(input: PackedInput): Promise<void> {
  if ((await input.exactly(2)).getUint16(0) !== MAGIC) throw new Error('incorrect header check');
  const header = await input.exactly(8); // method, flags, time, compression level, system
  if (header.getUint8(0) !== DEFLATE) throw new Error('unknown compression method');
  const flags = header.getUint8(1);
  if (flags & HAS.unknown) throw new Error('unknown header flags set');
  if (flags & HAS.extra) await input.exactly((await input.exactly(2)).getUint16(0, true));
  if (flags & HAS.name) await input.skipText();
  if (flags & HAS.comment) await input.skipText();
  if (flags & HAS.checksum) await input.exactly(2);
}

/** Position of fflate in the data: bytes not yet used; bits of the first of them that are unused; whether it is at the end. */
interface Place {
  readonly p: Uint8Array;
  readonly s: { readonly p?: number; readonly f?: number; readonly l?: unknown };
}

/** Decompresses the deflate data and takes nothing after it. */
async function* unpackRaw(input: PackedInput): AsyncGenerator<Uint8Array, undefined> {
  let unpacked: Uint8Array = new Uint8Array(0);
  const stream = new Inflate((piece) => {
    unpacked = piece;
  });
  const place = stream as unknown as Place;
  for (;;) {
    const packed = await input.take(PIECE);
    if (!packed) throw new Error(UNEXPECTED_END);
    stream.push(packed);
    if (unpacked.length > 0) yield unpacked;
    const { p: rest, s: state } = place;
    if (!state.f || state.l) continue;
    input.giveBack(rest.subarray(Math.ceil((state.p ?? 0) / 8)));
    return;
  }
}
