/** Counts from files are whole numbers in range, or refused; nothing is rounded, wrapped or left open. */
import { readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ArrayInput } from '#src/io/arrays.ts';
import { writeArrays } from '#src/node/io/arrays.ts';
import { readCounts } from '#src/node/io/counts.ts';
import { scratchFiles } from '../../helpers/files.ts';
import { itUnless } from '../../helpers/skip.ts';

const { inDirectory, put, refusal } = scratchFiles();

const floats = (...values: number[]) => ({ shape: [values.length], data: Float64Array.from(values) });
const longs = (...values: bigint[]) => ({ shape: [values.length], data: BigInt64Array.from(values) });

/** Two documents of three words, as SciPy writes them. */
const SPARSE: Readonly<Record<string, ArrayInput>> = {
  data: floats(1, 2, 3),
  indices: longs(0n, 2n, 1n),
  indptr: longs(0n, 2n, 3n),
  shape: longs(2n, 3n),
  format: 'csr',
};

describe('a sparse matrix', () => {
  const refused = async (arrays: Record<string, ArrayInput>) => {
    await writeArrays(inDirectory('c.npz'), { ...SPARSE, ...arrays });
    return refusal(readCounts(inDirectory('c.npz')));
  };

  it('is read', async () => {
    await writeArrays(inDirectory('c.npz'), SPARSE);
    expect((await readCounts(inDirectory('c.npz'))).counts).toEqual({
      rows: 2,
      cols: 3,
      data: Float64Array.of(1, 2, 3),
      indices: Int32Array.of(0, 2, 1),
      indptr: Int32Array.of(0, 2, 3),
    });
  });

  const whole = (name: string, got: string) => `c.npz:${name} must be whole numbers from 0 to 2147483647; got ${got}.`;
  it.each<[string, Record<string, ArrayInput>, string]>([
    ['an index beyond 32 bits', { indices: longs(0n, 4294967299n, 1n) }, whole('indices', '4294967299 at 1')],
    ['a negative index', { indices: longs(0n, -1n, 1n) }, whole('indices', '-1 at 1')],
    ['a fractional index', { indices: floats(0, 1.7, 1) }, whole('indices', '1.7 at 1')],
    ['an index that is no number', { indices: floats(0, Number.NaN, 1) }, whole('indices', 'NaN at 1')],
    ['a row end beyond 32 bits', { indptr: longs(0n, 4294967298n, 3n) }, whole('indptr', '4294967298 at 1')],
    ['a fractional row end', { indptr: floats(0, 1.5, 3) }, whole('indptr', '1.5 at 1')],
    ['a fractional shape', { shape: floats(2.5, 3) }, whole('shape', '2.5 at 0')],
    [
      'a shape of three sizes',
      { shape: longs(2n, 3n, 1n) },
      'c.npz:shape must be a 1-d array of 2 numbers; got shape (3).',
    ],
    ['too few row ends', { indptr: longs(0n, 3n) }, 'c.npz:indptr must be a 1-d array of 3 numbers; got shape (2).'],
    [
      'fewer numbers than the rows end at',
      { data: floats(1, 2) },
      'c.npz:data must be a 1-d array of 3 numbers; got shape (2).',
    ],
    [
      'fewer indices than numbers',
      { indices: longs(0n) },
      'c.npz:indices must be a 1-d array of 3 numbers; got shape (1).',
    ],
    ['text', { indices: 'abc' }, 'c.npz: has no array of numbers "indices".'],
    [
      'a word it does not have',
      { indices: longs(0n, 3n, 1n) },
      'topics: c.npz must be of words from 0 to 2; got at document 0, word 3.',
    ],
    [
      'rows that end before they begin',
      { indptr: longs(0n, 4n, 3n) },
      'topics: c.npz must be in compressed rows; got row 0 that ends beyond the numbers.',
    ],
    [
      'a fractional count',
      { data: floats(1, 2.5, 3) },
      'topics: c.npz must be whole numbers, 0 or more; got 2.5 at document 0, word 2.',
    ],
    [
      'a count beyond exact integers',
      { data: floats(1, 1e300, 3) },
      'topics: c.npz must be whole numbers, 0 or more; got 1e+300 at document 0, word 2.',
    ],
    [
      'no documents',
      { shape: longs(0n, 3n), indptr: longs(0n), data: floats(), indices: longs() },
      'topics: c.npz must be at least one document and one word; got 0 × 3.',
    ],
  ])('of %s', async (_, arrays, message) => {
    expect(await refused(arrays)).toBe(message);
  });
});

describe('text', () => {
  it.each([
    ['1 1.7 1', 'line 1 must have a whole number up to 2147483646; got "1.7"'],
    [`1 1e999 1`, 'line 1 must have a whole number up to 2147483646; got "1e999"'],
    [`0 ${'6'.repeat(400)} 1`, 'line 1 must have a whole number up to 2147483646; got "666'],
    ['1 1 1\n1 4294967299 1', 'line 2 must have a whole number up to 2147483646; got "4294967299"'],
    ['1 1 0x10', 'line 1 must have a count, a whole number, 0 or more; got "0x10"'],
    ['1 1 1.5', 'line 1 must have a count, a whole number, 0 or more; got "1.5"'],
    ['1 1 1e300', 'line 1 must have a count, a whole number, 0 or more; got "1e300"'],
    ['1 1 \u00a0', 'line 1 must have a count, a whole number, 0 or more; got "\\u00a0"'],
    ['3\n1 1 1', 'must begin with the numbers of documents, words and entries, or with none'],
    ['2\n2\n3\n1 1 1\n2 2 1', 'must have 3 entries as its third line says; got 2'],
    ['1 2 3 4', 'line 1 must be "document word count"; got "1 2 3 4"'],
    [`1 2 ${'x '.repeat(1e5)}`, 'line 1 must be "document word count"; got "1 2 x x'],
  ])('%j', async (text, message) => {
    expect(await refusal(readCounts(put('c.txt', text)))).toContain(message);
  });

  it('of any line ends, with words of any script', async () => {
    const { counts, vocabulary } = await readCounts(put('c.txt', '1 été 2\r\n\r\n 2\t漢字,3 \r\n2 été 1.0'));
    expect(vocabulary).toEqual(['été', '漢字']);
    expect(counts).toEqual({
      rows: 2,
      cols: 2,
      data: Float64Array.of(2, 3, 1),
      indices: Int32Array.of(0, 1, 0),
      indptr: Int32Array.of(0, 1, 3),
    });
  });
});

describe('damaged files', () => {
  const packed = gzipSync(Array.from({ length: 3000 }, (_, i) => `${i + 1} ${((i * 7919) % 5000) + 1} 1`).join('\n'));
  const damaged = (at: number) => packed.map((byte, i) => (i === at ? byte ^ 0x55 : byte));

  it('give one sentence', async () => {
    expect(await refusal(readCounts(put('c.txt.gz', packed.subarray(0, 900))))).toBe(
      'c.txt.gz: the file is truncated.',
    );
    expect(await refusal(readCounts(put('c.txt.gz', damaged(0))))).toBe(
      'c.txt.gz: the compressed data is damaged (incorrect header check).',
    );
    expect(await refusal(readCounts(put('c.txt.gz', damaged(packed.length - 8))))).toBe(
      'c.txt.gz: the compressed data is damaged (incorrect data check).',
    );
    const words = put('w.txt.gz', packed.subarray(0, 900));
    expect(await refusal(readCounts(put('c.txt', '1 1 1'), words))).toBe('w.txt.gz: the file is truncated.');
    expect(await refusal(readCounts(inDirectory('missing.txt')))).toBe('missing.txt: cannot be read (no such file).');
  });

  const elsewhere = process.platform === 'linux' ? undefined : 'counts open files of Linux';
  itUnless(elsewhere, 'leave no file open', async () => {
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let i = 0; i < 50; i++) {
      await refusal(readCounts(put('c.txt.gz', i % 2 ? packed.subarray(0, 20 * i) : damaged(7 * i))));
      await refusal(readCounts(put('c.txt', `1 1 1\nbroken ${i}`)));
    }
    expect(open()).toBeLessThanOrEqual(before);
  });
});
