/** IDX files: every type, any number of dimensions, gzipped or not, and damaged ones. */
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readMatrix } from '#src/node/io/arrays.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();

function idx(type: number, shape: readonly number[], numbers: Buffer): Buffer {
  const header = Buffer.alloc(4 + 4 * shape.length);
  header.set([0, 0, type, shape.length]);
  shape.forEach((size, k) => {
    header.writeUInt32BE(size, 4 + 4 * k);
  });
  return Buffer.concat([header, numbers]);
}

function file(name: string, content: Buffer): string {
  const path = scratch.file(name);
  writeFileSync(path, content);
  return path;
}

const VALUES = [0, 1, 100, -3];
const kinds: [string, number, number, (buffer: Buffer, value: number, at: number) => unknown][] = [
  ['bytes', 0x08, 1, (buffer, value, at) => buffer.writeUInt8(Math.abs(value), at)],
  ['signed bytes', 0x09, 1, (buffer, value, at) => buffer.writeInt8(value, at)],
  ['16-bit integers', 0x0b, 2, (buffer, value, at) => buffer.writeInt16BE(value, at)],
  ['32-bit integers', 0x0c, 4, (buffer, value, at) => buffer.writeInt32BE(value, at)],
  ['float32', 0x0d, 4, (buffer, value, at) => buffer.writeFloatBE(value, at)],
  ['float64', 0x0e, 8, (buffer, value, at) => buffer.writeDoubleBE(value, at)],
];

describe.each(kinds)('%s', (name, type, size, write) => {
  it('are read correctly, in memory and out of core', async () => {
    const numbers = Buffer.alloc(4 * size);
    VALUES.forEach((value, k) => {
      write(numbers, value, k * size);
    });
    const expected = type === 0x08 ? VALUES.map(Math.abs) : VALUES;
    const path = file(`${name.replace(' ', '-')}.idx`, idx(type, [2, 2], numbers));
    const { rows, cols, data } = await readMatrix(path);
    expect([rows, cols, ...data]).toEqual([2, 2, ...expected]);
    const source = await openSource(path, { memoryLimit: 1 });
    expect([...(await source.read(1, 2)).data]).toEqual(expected.slice(2));
    await source.close?.();
  });
});

it('pictures become rows, gzipped or not, under the names MNIST has', async () => {
  const content = idx(0x08, [3, 2, 2], Buffer.from(Array.from({ length: 12 }, (_, i) => i)));
  for (const [name, bytes] of [
    ['train-images-idx3-ubyte', content],
    ['train-images-idx3-ubyte.gz', gzipSync(content)],
    ['pictures.idx.gz', gzipSync(content)],
  ] as const) {
    const { rows, cols, data } = await readMatrix(file(name, bytes));
    expect([rows, cols, data[11]]).toEqual([3, 4, 11]);
  }
  const labels = await readMatrix(file('train-labels-idx1-ubyte', idx(0x08, [5], Buffer.from([1, 2, 3, 4, 5]))));
  expect([labels.rows, labels.cols]).toEqual([5, 1]);
});

it.each([
  ['something else', Buffer.from('no such thing'), /is not an IDX file/],
  ['a type that is none', Buffer.from([0, 0, 7, 1, 0, 0, 0, 0]), /is not an IDX file/],
  ['no dimension', Buffer.from([0, 0, 8, 0]), /must have a dimension/],
  ['a header cut off', Buffer.from([0, 0, 8, 3, 0, 0]), /truncated/],
  ['too little data', idx(0x08, [9, 9], Buffer.alloc(5)), /declares 9 × 9 numbers/],
  ['no samples', idx(0x08, [0, 9], Buffer.alloc(5)), /at least one row/],
])('%s is an InputError', async (name, content, words) => {
  await expect(readMatrix(file(`${name.replaceAll(' ', '-')}.idx`, content))).rejects.toThrow(words);
});
