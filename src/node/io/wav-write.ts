/**
 * Writes signals as a WAV file of 32-bit floats, one channel per column. Every channel is scaled to the same peak: the
 * scale of a separated source is arbitrary, and players clip values above 1. The peaks are known at the end, so the
 * numbers wait in a temporary file.
 */
import { InputError } from '../../core/errors.ts';
import type { FloatArray } from '../../core/matrix.ts';
import { firstNotFinite, requireFileName, requireObject } from '../../core/require-matrix.ts';
import { type Bytes, readBytes } from '../../io/bytes/bytes.ts';
import { byteViews } from '../../io/codecs/npy/dtype.ts';
import { writeAtomically } from './atomic-write.ts';
import { spool } from './file-bytes.ts';

/** Largest magnitude of every channel. */
const PEAK = 0.99;

/** Signals to write as sound. */
export interface Sound {
  readonly channels: number;
  /** Frames per second. */
  readonly rate: number;
  /** Numbers frame by frame, in pieces of whole frames. */
  readonly pieces: AsyncIterable<FloatArray> | Iterable<FloatArray>;
}

/** Limits of the 32-bit sizes and 16-bit counts of a WAV file. */
const MOST = { bytes: 2 ** 32 - 64, channels: 2 ** 14 - 1, rate: 2 ** 31 };
const PIECE = 1 << 18;

/**
 * Writes signals as a WAV file of 32-bit floats, every channel scaled to a peak of 0.99.
 *
 * @example
 * ```js
 * import { readMatrix, writeWav } from 'orthodict/node';
 *
 * const tone = Float64Array.from({ length: 16000 }, (_, t) => Math.sin(0.3 * Math.floor(t / 2)));
 * await writeWav('tone.wav', { channels: 2, rate: 8000, pieces: [tone] });
 * console.log((await readMatrix('tone.wav')).rows); // 8000
 * ```
 */
export async function writeWav(path: string, sound: Sound): Promise<void> {
  requireFileName('writeWav', path);
  requireObject('writeWav', 'sound', sound, 'an object with channels, rate and pieces', ['pieces']);
  const { channels, rate, pieces } = sound;
  requireCount(path, 'channels', channels, MOST.channels);
  requireCount(path, 'frames per second', rate, MOST.rate);
  const peaks = new Float64Array(channels);
  const waiting = await spool(path, rawNumbers(path, pieces, peaks));
  try {
    const size = waiting.byteLength / 2; // as 32-bit numbers
    requireCount(path, 'bytes of numbers', size, MOST.bytes);
    await writeAtomically(path, contentOf(waiting, rate, peaks));
  } finally {
    await waiting.close();
  }
}

/** Yields the numbers in float64, not rounded before they are scaled; records the peak of every channel. */
async function* rawNumbers(path: string, pieces: Sound['pieces'], peaks: Float64Array): AsyncGenerator<Uint8Array> {
  const channels = peaks.length;
  for await (const piece of pieces) {
    if (piece.length % channels !== 0) {
      throw new InputError(`${path}: pieces must be whole frames of ${channels} numbers; got ${piece.length} numbers.`);
    }
    const bad = firstNotFinite(piece);
    if (bad >= 0)
      throw new InputError(`${path}: signals must be finite; got ${piece[bad]} in channel ${(bad % channels) + 1}.`);
    piece.forEach((x, at) => {
      peaks[at % channels] = Math.max(peaks[at % channels], Math.abs(x));
    });
    yield* byteViews(Float64Array.from(piece));
  }
}

/** Yields the content of the file: its header, and the waiting numbers, scaled. */
async function* contentOf(waiting: Bytes, rate: number, peaks: Float64Array): AsyncGenerator<Uint8Array> {
  const channels = peaks.length;
  yield headerOf(channels, rate, waiting.byteLength / 2);
  for (let at = 0; at < waiting.byteLength; at += 8 * PIECE) {
    const bytes = await readBytes(waiting, at, Math.min(8 * PIECE, waiting.byteLength - at));
    const scaled = Float32Array.from(new Float64Array(bytes.buffer), (x, i) => {
      const peak = peaks[(at / 8 + i) % channels];
      return peak > 0 ? PEAK * (x / peak) : 0;
    });
    yield* byteViews(scaled);
  }
}

function requireCount(path: string, what: string, count: number, most: number): void {
  if (Number.isInteger(count) && count >= 1 && count <= most) return;
  throw new InputError(`${path}: a WAV file must have 1 to ${most} ${what}; got ${count}.`);
}

/** Returns the header: RIFF, WAVE, fmt of 18 bytes, fact, data. */
function headerOf(channels: number, rate: number, size: number): Uint8Array {
  const bytes = new Uint8Array(58);
  const view = new DataView(bytes.buffer);
  const name = (text: string, at: number) => bytes.set(new TextEncoder().encode(text), at);
  name('RIFF', 0);
  view.setUint32(4, bytes.length - 8 + size, true);
  name('WAVEfmt ', 8);
  view.setUint32(16, 18, true);
  view.setUint16(20, 3, true); // floats
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * 4, true);
  view.setUint16(32, channels * 4, true);
  view.setUint16(34, 32, true);
  name('fact', 38);
  view.setUint32(42, 4, true);
  view.setUint32(46, size / (4 * channels), true);
  name('data', 50);
  view.setUint32(54, size, true);
  return bytes;
}
