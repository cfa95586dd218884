/**
 * Writes signals as a WAV file of 32-bit floats, one channel per column. Every channel is scaled to the same peak: the
 * scale of a separated source means nothing, and players cut off what exceeds 1. The peaks are known at the end, so the
 * numbers wait in a temporary file.
 */
import { InputError } from '../../core/errors.ts';
import type { FloatArray } from '../../core/matrix.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { endsEarly } from './bytes.ts';
import { byteViews } from './dtype.ts';
import { spool } from './spool.ts';

/** The largest magnitude of every channel. */
const PEAK = 0.99;

/** Signals to be heard. */
export interface Sound {
  readonly channels: number;
  /** Frames per second. */
  readonly rate: number;
  /** Frame after frame in pieces of whole frames. */
  readonly pieces: AsyncIterable<FloatArray> | Iterable<FloatArray>;
}

/** What 32-bit sizes and 16-bit counts of a WAV file can tell. */
const MOST = { bytes: 2 ** 32 - 64, channels: 2 ** 14 };
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
export async function writeWav(path: string, { channels, rate, pieces }: Sound): Promise<void> {
  requireAtMost(path, 'channels', channels, MOST.channels);
  const peaks = new Float64Array(channels);
  async function* raw(): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      piece.forEach((x, at) => {
        peaks[at % channels] = Math.max(peaks[at % channels], Math.abs(x));
      });
      yield* byteViews(Float32Array.from(piece, (x) => Math.fround(x)));
    }
  }
  const waiting = await spool(path, raw());
  try {
    requireAtMost(path, 'bytes of numbers', waiting.byteLength, MOST.bytes);
    const factors = peaks.map((peak) => (peak > 0 ? PEAK / peak : 1));
    async function* content(): AsyncGenerator<Uint8Array> {
      yield headerOf(channels, rate, waiting.byteLength);
      for (let at = 0; at < waiting.byteLength; at += 4 * PIECE) {
        const piece = new Float32Array(Math.min(PIECE, (waiting.byteLength - at) / 4));
        if ((await waiting.readAt(new Uint8Array(piece.buffer), at)) < piece.byteLength) throw endsEarly(path);
        piece.forEach((x, i) => {
          piece[i] = x * factors[(at / 4 + i) % channels];
        });
        yield* byteViews(piece);
      }
    }
    await writeAtomically(path, content());
  } finally {
    await waiting.close();
  }
}

function requireAtMost(path: string, what: string, count: number, most: number): void {
  if (count > most) throw new InputError(`${path}: a WAV file must have at most ${most} ${what}; got ${count}.`);
}

/** RIFF, WAVE, fmt of 18 bytes, fact, data. */
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
