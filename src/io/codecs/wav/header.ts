/**
 * Header of a WAV file: `RIFF`, a size, `WAVE`, then chunks of a name, a size and content, padded to even lengths.
 * `fmt ` gives the storage format of numbers, `data` holds them, frame by frame. RF64 is the same for more than 4 GB, with the size
 * of the data in a chunk `ds64`. Numbers are little-endian.
 */
import { InputError } from '../../../core/errors.ts';
import { printable } from '../../../core/printable.ts';
import { byteCount } from '../../bytes/budget.ts';
import { type Bytes, readView } from '../../bytes/bytes.ts';

/** Storage format of a number: its kind and bits. */
export type WavNumber = 'u8' | 'i16' | 'i24' | 'i32' | 'f32' | 'f64';

export interface WavHeader {
  readonly number: WavNumber;
  readonly channels: number;
  /** Frames per second. */
  readonly rate: number;
  readonly frames: number;
  /** Bytes of a frame; next: position of the first one. */
  readonly frameBytes: number;
  readonly dataOffset: number;
}

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;
const NUMBERS: Readonly<Record<string, WavNumber>> = {
  [`${PCM} 8`]: 'u8',
  [`${PCM} 16`]: 'i16',
  [`${PCM} 24`]: 'i24',
  [`${PCM} 32`]: 'i32',
  [`${FLOAT} 32`]: 'f32',
  [`${FLOAT} 64`]: 'f64',
};
const COMPRESSED: Readonly<Record<number, string>> = {
  2: 'Microsoft ADPCM',
  6: 'A-law',
  7: 'mu-law',
  17: 'IMA ADPCM',
  49: 'GSM 6.10',
  80: 'MPEG',
  85: 'MP3',
  255: 'AAC',
  353: 'WMA',
};
/** Bytes that follow the format in an extensible header, if it is one of those above. */
const SUBFORMAT = [0, 0, 0, 0, 16, 0, 128, 0, 0, 170, 0, 56, 155, 113];
/** Size of data written to a pipe, or given by `ds64`. */
const UNKNOWN = 0xffffffff;
const MOST_CHUNKS = 10_000;

export async function readWavHeader(bytes: Bytes): Promise<WavHeader> {
  const { name } = bytes;
  const start = await readView(bytes, 0, 12);
  const kind = ascii(start, 0);
  if (kind === 'RIFX') throw new InputError(`${name}: must be a little-endian WAV file (RIFF); got RIFX.`);
  if (!['RIFF', 'RF64'].includes(kind) || ascii(start, 8) !== 'WAVE') {
    throw new InputError(`${name}: is not a WAV file (it does not begin with RIFF and WAVE).`);
  }
  let format: Omit<WavHeader, 'frames' | 'dataOffset'> | undefined;
  let longSize: number | undefined;
  let at = 12;
  for (let chunk = 0; chunk < MOST_CHUNKS && at + 8 <= bytes.byteLength; chunk++) {
    const head = await readView(bytes, at, 8);
    const [id, size] = [ascii(head, 0), head.getUint32(4, true)];
    at += 8;
    if (id === 'data') {
      if (!format) throw new InputError(`${name}: must have a chunk "fmt " before its data.`);
      return { ...format, frames: framesOf(bytes, at, size, longSize, format.frameBytes), dataOffset: at };
    }
    if (id === 'ds64' && kind === 'RF64') longSize = Number((await readView(bytes, at, 16)).getBigUint64(8, true));
    if (id === 'fmt ') format = parseFormat(name, await readView(bytes, at, Math.min(size, 40)));
    at += size + (size % 2);
  }
  throw new InputError(`${name}: must have a chunk "data"; got none.`);
}

function parseFormat(name: string, fmt: DataView): Omit<WavHeader, 'frames' | 'dataOffset'> {
  if (fmt.byteLength < 16) throw new InputError(`${name}: the chunk "fmt " must have 16 bytes; got ${fmt.byteLength}.`);
  const [tag, channels, rate] = [fmt.getUint16(0, true), fmt.getUint16(2, true), fmt.getUint32(4, true)];
  const [frameBytes, bits] = [fmt.getUint16(12, true), fmt.getUint16(14, true)];
  const format = tag === EXTENSIBLE ? subformat(name, fmt) : tag;
  const number = NUMBERS[`${format} ${bits}`];
  if (!number) {
    const isPlain = format === PCM || format === FLOAT;
    const kind = COMPRESSED[format] ?? `format ${format}`;
    const got = isPlain ? `${bits}-bit ${format === PCM ? 'PCM' : 'float'}` : `${kind}, which is compressed or unknown`;
    throw new InputError(`${name}: must hold 8-, 16-, 24- or 32-bit PCM or 32- or 64-bit floats; got ${got}.`);
  }
  if (channels === 0) throw new InputError(`${name}: must have at least one channel; got 0.`);
  if (frameBytes !== (channels * bits) / 8) {
    const expected = `${(channels * bits) / 8} bytes per frame (${channels} channels of ${bits} bits)`;
    throw new InputError(`${name}: must have ${expected}; got ${frameBytes}.`);
  }
  return { number, channels, rate, frameBytes };
}

function subformat(name: string, fmt: DataView): number {
  const isKnown = fmt.byteLength >= 40 && SUBFORMAT.every((byte, k) => fmt.getUint8(26 + k) === byte);
  if (!isKnown) throw new InputError(`${name}: must hold PCM or floats; got an extensible format that is neither.`);
  return fmt.getUint16(24, true);
}

function framesOf(
  { name, byteLength }: Bytes,
  dataOffset: number,
  size: number,
  longSize: number | undefined,
  frameBytes: number,
): number {
  const rest = byteLength - dataOffset;
  const declared = size === UNKNOWN ? (longSize ?? rest - (rest % frameBytes)) : size;
  if (declared > rest) {
    const holds = `the file holds ${byteCount(rest)} of it`;
    throw new InputError(`${name}: is truncated: declares ${byteCount(declared)} of data but ${holds}.`);
  }
  if (declared % frameBytes !== 0) {
    throw new InputError(`${name}: the data must be whole frames of ${frameBytes} bytes; got ${declared} bytes.`);
  }
  if (declared === 0) throw new InputError(`${name}: must have at least one frame; got none.`);
  return declared / frameBytes;
}

const ascii = (view: DataView, at: number): string =>
  printable(String.fromCharCode(...new Uint8Array(view.buffer, at, 4)));
