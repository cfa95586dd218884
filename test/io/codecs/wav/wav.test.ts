/** Sound: every way to store a number, what is refused and in which words, and what is written to be heard. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FloatArray } from '#src/core/matrix.ts';
import { readWavHeader } from '#src/io/codecs/wav/header.ts';
import { readMatrix, withBytes } from '#src/node/io/arrays.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { type Sound, writeWav } from '#src/node/io/wav-write.ts';
import { scratchDirectory } from '../../../helpers/scratch.ts';
import { type WavParts, wav } from '../../../helpers/wav.ts';

const scratch = scratchDirectory();

function file(name: string, content: Uint8Array): string {
  const path = scratch.file(name);
  writeFileSync(path, content);
  return path;
}

const VALUES = [0, 0.5, -1, -0.25, 0.75, 0.125];
type Writer = (buffer: Buffer, value: number, at: number) => unknown;
const KINDS: [string, number, number, Writer][] = [
  ['8-bit PCM', 1, 8, (buffer, x, at) => buffer.writeUInt8(x * 128 + 128, at)],
  ['16-bit PCM', 1, 16, (buffer, x, at) => buffer.writeInt16LE(x * 2 ** 15, at)],
  ['24-bit PCM', 1, 24, (buffer, x, at) => buffer.writeIntLE(x * 2 ** 23, at, 3)],
  ['32-bit PCM', 1, 32, (buffer, x, at) => buffer.writeInt32LE(x * 2 ** 31, at)],
  ['32-bit floats', 3, 32, (buffer, x, at) => buffer.writeFloatLE(x, at)],
  ['64-bit floats', 3, 64, (buffer, x, at) => buffer.writeDoubleLE(x, at)],
];

function stored(format: number, bits: number, write: Writer, channels: number, values = VALUES): WavParts {
  const data = Buffer.alloc((values.length * bits) / 8);
  values.forEach((value, k) => {
    write(data, value, (k * bits) / 8);
  });
  return { format, bits, channels, data };
}

describe.each(KINDS)('%s', (name, format, bits, write) => {
  it.each([false, true])('are fractions, frame after frame; extensible header: %s', async (extensible) => {
    const parts = stored(format, bits, write, 2);
    const path = file(`${name.replaceAll(' ', '-')}-${extensible}.wav`, wav({ ...parts, extensible }));
    const { rows, cols, data } = await readMatrix(path);
    expect([rows, cols, ...data]).toEqual([3, 2, ...VALUES]);
    const source = await openSource(path, { memoryLimit: 0 });
    expect(source.names).toEqual(['left', 'right']);
    expect([...(await source.read(1, 3)).data]).toEqual(VALUES.slice(2));
    await source.close?.();
  });
});

const sixteen = (channels: number, more: Partial<WavParts> = {}): WavParts => ({
  ...stored(1, 16, KINDS[1][3], channels),
  ...more,
});

describe('a WAV file', () => {
  it('names its channels', async () => {
    const source = await openSource(file('three.wav', wav(sixteen(3))));
    expect(source.names).toEqual(['channel 1', 'channel 2', 'channel 3']);
  });

  it('that came through a pipe does not know its size: it is read to its end', async () => {
    const { rows } = await readMatrix(file('pipe.wav', wav(sixteen(2, { declared: 0xffffffff }))));
    expect(rows).toBe(3);
  });

  it.each<[string, Uint8Array, RegExp]>([
    ['text', Buffer.from('this is no sound at all'), /text\.wav: is not a WAV file/],
    ['short', Buffer.from('RIFF'), /short\.wav: the file is truncated\.$/],
    ['cut', wav(sixteen(2)).subarray(0, -4), /cut\.wav: is truncated: declares 12 bytes of data but .* 8 bytes/],
    ['mulaw', wav(sixteen(2, { format: 7 })), /got mu-law, which is compressed/],
    ['mp3', wav(sixteen(2, { format: 85, extensible: true })), /got MP3, which is compressed/],
    ['odd-bits', wav(sixteen(2, { bits: 20 })), /got 20-bit PCM\.$/],
    ['none', wav(sixteen(2, { data: Buffer.alloc(0) })), /none\.wav: must have at least one frame; got none\.$/],
    ['halves', wav(sixteen(2, { data: Buffer.alloc(6) })), /whole frames of 4 bytes; got 6 bytes\.$/],
    ['dumb', wav(sixteen(2, { channels: 0 })), /at least one channel; got 0\.$/],
    ['headless', wav(sixteen(2)).subarray(0, 48), /must have a chunk "data"; got none\.$/],
  ])('is refused in one line: %s', async (name, content, words) => {
    await expect(openSource(file(`${name}.wav`, content))).rejects.toThrow(words);
  });
});

describe('what is written', () => {
  async function* pieces(): AsyncGenerator<FloatArray> {
    yield Float64Array.of(1, 0, -20, 0);
    yield Float32Array.of(10, 0);
  }

  it('is heard as loud in every channel, silence stays silence, and the rate stays', async () => {
    const path = scratch.file('out.wav');
    await writeWav(path, { channels: 2, rate: 22050, pieces: pieces() });
    const { rows, cols, data } = await readMatrix(path);
    expect([rows, cols]).toEqual([3, 2]);
    for (const [k, x] of [0.0495, 0, -0.99, 0, 0.495, 0].entries()) expect(data[k]).toBeCloseTo(x, 6);
    expect((await withBytes(path, {}, readWavHeader)).rate).toBe(22050);
    expect(readFileSync(path).readUInt32LE(4)).toBe(readFileSync(path).length - 8);
  });

  it('has the header of 32-bit floats, and one scale for a channel whatever the pieces', async () => {
    const path = scratch.file('long.wav');
    const [channels, frames] = [3, 100_000]; // more numbers than are scaled at a time
    const value = (k: number) => (k % channels) * Math.sin(k) * (k === 7 ? 1 : 0.5);
    const all = Float64Array.from({ length: channels * frames }, (_, k) => value(k));
    await writeWav(path, { channels, rate: 48_000, pieces: [all.subarray(0, 150), all.subarray(150)] });
    const bytes = readFileSync(path);
    const size = 4 * channels * frames;
    expect(bytes.length).toBe(58 + size);
    expect([0, 8, 12, 38, 50].map((at) => bytes.toString('latin1', at, at + 4))).toEqual([
      'RIFF',
      'WAVE',
      'fmt ',
      'fact',
      'data',
    ]);
    const fields = [16, 42, 46, 4, 54, 24, 28].map((at) => bytes.readUInt32LE(at));
    expect(fields).toEqual([18, 4, frames, 50 + size, size, 48_000, 48_000 * 4 * channels]);
    expect([20, 22, 32, 34, 36].map((at) => bytes.readUInt16LE(at))).toEqual([3, channels, 4 * channels, 32, 0]);
    const peaks = [0, 1, 2].map((c) => {
      return all.reduce((peak, x, k) => (k % channels === c ? Math.max(peak, Math.abs(x)) : peak), 0);
    });
    const numbers = new Float32Array(bytes.buffer.slice(bytes.byteOffset + 58, bytes.byteOffset + bytes.length));
    const wrong = numbers.findIndex((x, k) => {
      const peak = peaks[k % channels];
      return x !== Math.fround(peak > 0 ? 0.99 * (all[k] / peak) : 0);
    });
    expect(wrong).toBe(-1);
  });

  it.each<[string, Partial<Sound>, string]>([
    ['no channels', { channels: 0 }, 'a WAV file must have 1 to 16383 channels; got 0.'],
    ['half a channel', { channels: 1.5 }, 'a WAV file must have 1 to 16383 channels; got 1.5.'],
    ['too many channels', { channels: 16384 }, 'a WAV file must have 1 to 16383 channels; got 16384.'],
    ['no rate', { rate: 0 }, 'a WAV file must have 1 to 2147483648 frames per second; got 0.'],
    ['too high a rate', { rate: 2 ** 31 + 1 }, 'frames per second; got 2147483649.'],
    ['no frames', { pieces: [] }, 'a WAV file must have 1 to 4294967232 bytes of numbers; got 0.'],
    ['half a frame', { pieces: [Float64Array.of(1, 2, 3)] }, 'must be whole frames of 2 numbers; got 3 numbers.'],
    [
      'what is no number',
      { pieces: [Float64Array.of(1, 2), Float64Array.of(1, 2, 3, Number.NaN)] },
      'signals must be finite; got NaN in channel 2.',
    ],
    ['infinity', { pieces: [Float64Array.of(1, 2, -1 / 0, 2)] }, 'signals must be finite; got -Infinity in channel 1.'],
  ])('is refused with %s, and leaves no file', async (_, change, words) => {
    const path = scratch.file('refused.wav');
    const sound = { channels: 2, rate: 8000, pieces: [Float64Array.of(1, 2)], ...change };
    await expect(writeWav(path, sound)).rejects.toThrow(words);
    expect(existsSync(path)).toBe(false);
  });

  it('must be a sound and a name', async () => {
    await expect(writeWav(5 as never, null as never)).rejects.toThrow('writeWav: path must be the name of a file');
    await expect(writeWav('x.wav', null as never)).rejects.toThrow('writeWav: sound must be an object');
    await writeWav(scratch.file('most.wav'), { channels: 16383, rate: 2 ** 31, pieces: [new Float64Array(16383)] });
    expect((await readMatrix(scratch.file('most.wav'))).cols).toBe(16383);
  });
});
