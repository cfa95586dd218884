/** Sound: every way to store a number, what is refused and in which words, and what is written to be heard. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FloatArray } from '#src/core/matrix.ts';
import { readMatrix } from '#src/node/io/arrays.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { wavRate } from '#src/node/io/wav-rate.ts';
import { writeWav } from '#src/node/io/wav-write.ts';
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
    expect(await wavRate(path)).toBe(22050);
    expect(readFileSync(path).readUInt32LE(4)).toBe(readFileSync(path).length - 8);
  });
});
