/** Small files that would take gigabytes are refused before they do, with a sentence that says how to raise the limit. */
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { READ_LIMITS, type ReadLimits, readLimits } from '#src/io/bytes/budget.ts';
import { npyHeaderBytes } from '#src/io/codecs/npy/header.ts';
import { readArray, readArrays, readMatrix, writeArrays } from '#src/node/io/arrays.ts';
import { readCounts } from '#src/node/io/counts.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { scratchFiles } from '../../helpers/files.ts';
import { zipOf } from '../../helpers/zip.ts';

const { inDirectory, put, refusal } = scratchFiles();

const RAISE = 'If you trust it, set ORTHODICT_READ_LIMITS="';

/** A .npy file of zeros. */
const zeros = (descr: string, shape: number[], bytes: number) =>
  Buffer.concat([npyHeaderBytes(descr, shape), Buffer.alloc(bytes)]);

afterEach(() => {
  delete process.env.ORTHODICT_READ_LIMITS;
});

describe('the limits', () => {
  it('are the defaults, then those of the environment, then those of the caller', () => {
    expect(readLimits()).toEqual(READ_LIMITS);
    process.env.ORTHODICT_READ_LIMITS = 'memory=64GB, entries=100000,ratio=5e3';
    expect(readLimits()).toEqual({ ...READ_LIMITS, memory: 64e9, entries: 100_000, ratio: 5000 });
    expect(readLimits({ ratio: 7 })).toMatchObject({ memory: 64e9, ratio: 7 });
  });

  it.each([
    'memory',
    'memory=',
    'memory=lots',
    'size=3GB',
    'ratio=-1',
    'entries=0',
    '__proto__=1',
    'memory=1GB;ratio=2',
  ])('refuse %j in the environment', async (text) => {
    process.env.ORTHODICT_READ_LIMITS = text;
    expect(await refusal(readMatrix(put('one.csv', '1')))).toBe(
      `ORTHODICT_READ_LIMITS: must be like "memory=64GB,ratio=2000", of memory, ratio, entries, elements; got "${text}".`,
    );
  });

  it('refuse nonsense from callers', () => {
    expect(() => readLimits({ memory: -1 })).toThrow('limits: memory must be a number above 0; got -1.');
    expect(() => readLimits({ size: 1 } as Partial<ReadLimits>)).toThrow('of memory, ratio, entries, elements');
  });
});

describe('archives', () => {
  it('with overlapping members are damaged', async () => {
    const content = zeros('<f8', [100, 10], 8000);
    const many = Array.from({ length: 50 }, (_, i) => ({ name: `a${i}.npy`, content, deflated: true, sameAs: i && 0 }));
    const path = put('overlap.npz', zipOf([{ name: 'a.npy', content, deflated: true }, ...many.slice(1)]));
    const message = /^overlap\.npz: the zip archive is damaged \("a\d*\.npy" overlaps what follows it\)\.$/;
    expect(await refusal(readArrays(path))).toMatch(message);
    expect(await refusal(openSource(`${path}:a`))).toMatch(message);
  });

  it('are read only as far as they are used', async () => {
    const path = put(
      'unused.npz',
      zipOf([
        { name: 'used.npy', content: zeros('<f8', [2, 2], 32) },
        { name: 'bomb.npy', content: zeros('|u1', [50_000, 1000], 5e7), deflated: true },
      ]),
    );
    const limits = { memory: 1e6, ratio: 10 };
    expect([...(await readArrays(path, ['used', 'absent'], { limits })).keys()]).toEqual(['used']);
    expect(await refusal(readArrays(path, undefined, { limits }))).toMatch(
      /^unused\.npz: unpacks to 50 MB or more, too much for [\d.]+ kB of compressed data\. If you trust it, set .*ratio=1100"\.$/,
    );
    process.env.ORTHODICT_READ_LIMITS = 'ratio=10000';
    expect((await readArrays(path)).get('bomb')!.data.length).toBe(5e7);
  });

  it('count what all arrays take together', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `a${i}`);
    const content = zeros('|u1', [1e5], 1e5);
    const path = put('sum.npz', zipOf(names.map((name) => ({ name: `${name}.npy`, content, deflated: true }))));
    const limits = { memory: 5e6, ratio: 200 };
    expect((await readArrays(path, names.slice(0, 5), { limits })).size).toBe(5);
    expect(await refusal(readArrays(path, names, { limits }))).toContain('of memory, too much for a file of');
  });

  it('have at most as many members as are sensible', async () => {
    const members = Array.from({ length: 10_001 }, (_, i) => ({ name: `${i}.npy`, content: new Uint8Array(0) }));
    const path = put('many.npz', zipOf(members));
    expect(await refusal(readArrays(path))).toBe(
      `many.npz: has 10001 members; at most 10000 are read. ${RAISE}entries=10001".`,
    );
    expect(await refusal(readArrays(path, [], { limits: { entries: 20_000 } }).then(() => readArrays(path)))).toContain(
      'has 10001 members',
    );
  });

  it('hold text of a bounded number of elements', async () => {
    const content = zeros('|S1', [1e7], 1e7);
    const path = put('text.npz', zipOf([{ name: 't.npy', content, deflated: true }]));
    expect(await refusal(readArray(`${path}:t`))).toBe(
      `text.npz: has 10000000 elements of text; at most 4000000 are read. ${RAISE}elements=10000000".`,
    );
    const limits = { elements: 1e8 };
    expect(await refusal(readArray(`${path}:t`, { limits }))).toMatch(
      /^text\.npz: 10000000 elements of text would take/,
    );
  });
});

describe('compressed text', () => {
  it('of one long line', async () => {
    const path = put('line.csv.gz', gzipSync(Buffer.alloc(3e6, '1,')));
    const limits = { memory: 4e6 };
    expect(await refusal(openSource(path, { limits }))).toMatch(
      /^line\.csv\.gz: has a line of more than 1000000 characters, unusual for text\. If you trust it, set .*memory=9MB"\.$/,
    );
    expect(await refusal(openSource(path, { limits: { elements: 1e6 } }))).toBe(
      `line.csv.gz: has 1500001 fields in line 1; at most 1000000 are read. ${RAISE}elements=1500001".`,
    );
    expect((await openSource(put('wide.csv.gz', gzipSync(Buffer.alloc(199_999, '1,'))))).cols).toBe(100_000);
  });

  it('that unpacks too far', async () => {
    const path = put('bomb.csv.gz', gzipSync(Buffer.alloc(4e6, '1\n')));
    const limits = { memory: 1e6, ratio: 100 };
    expect(await refusal(openSource(path, { limits }))).toMatch(
      /^bomb\.csv\.gz: unpacks to [\d.]+ MB or more, too much/,
    );
    expect((await openSource(path)).rows).toBe(2e6);
  });
});

describe('counts', () => {
  it.each([
    [
      'documents that it does not hold',
      '2147483646\n5\n1\n1 1 1',
      /^c\.txt: 2147483646 documents and 5 words would take/,
    ],
    ['words that it does not hold', '5\n99999999\n1\n1 1 1', /^c\.txt: 5 documents and 99999999 words would take/],
    ['a document of a high number', '2147483646 1 1', /^c\.txt: 2147483646 documents and 1 words would take/],
    ['more documents than can be numbered', '2147483647\n5\n1\n1 1 1', /must have a whole number up to 2147483646/],
  ])('of %s', async (_, text, message) => {
    expect(await refusal(readCounts(put('c.txt', text)))).toMatch(message);
  });

  it('of rows that a sparse matrix only declares', async () => {
    await writeArrays(inDirectory('c.npz'), {
      data: { shape: [1], data: Float64Array.of(1) },
      indices: { shape: [1], data: Int32Array.of(0) },
      indptr: { shape: [2], data: Int32Array.of(0, 1) },
      shape: { shape: [2], data: BigInt64Array.of(1n, 2_000_000_000n) },
    });
    expect(await refusal(readCounts(inDirectory('c.npz')))).toMatch(
      /^c\.npz: 1 documents and 2000000000 words would take/,
    );
  });

  it('that unpack to more entries than memory should hold', async () => {
    const path = put('c.txt.gz', gzipSync(Buffer.alloc(6e5, '1 1 1\n')));
    expect(await refusal(readCounts(path, undefined, { limits: { memory: 1e6 } }))).toMatch(/entries would take/);
    expect((await readCounts(path)).counts.data.length).toBe(1e5);
  });
});

describe('honest files', () => {
  it('of any size are not refused: what a file holds is always within its own budget', async () => {
    const content = zeros('<f8', [1000, 100], 8e5);
    put('plain.npy', content);
    const limits = { memory: 1, ratio: 1.01 };
    expect((await readMatrix(inDirectory('plain.npy'), { limits })).rows).toBe(1000);
    const source = await openSource(inDirectory('plain.npy'), { memoryLimit: 0, limits });
    expect(source.rows).toBe(1000);
    await source.close?.();
  });
});
