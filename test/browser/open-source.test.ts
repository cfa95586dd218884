/** Every reader gives the same numbers over Blobs as over files: in memory, read in place, and in a worker that got a copy of the Blob. */
import { readFileSync } from 'node:fs';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openBrowserLocator } from '#src/browser/open-locator.ts';
import { openSource } from '#src/browser/open-source.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { npyHeaderBytes } from '#src/io/codecs/npy/header.ts';
import { openSource as openFile } from '#src/node/io/file-source.ts';
import { expectSameBits } from '../helpers/bytes.ts';
import { readAll, scratchFiles } from '../helpers/files.ts';
import { parquetBytes } from '../helpers/parquet.ts';
import { wav } from '../helpers/wav.ts';
import { zipOf } from '../helpers/zip.ts';

const { put, refusal } = scratchFiles();
const samples = normalMatrix(211, 7, createRandom(3, 'test'));
const values = new Uint8Array(samples.data.buffer);
const npy = Buffer.concat([npyHeaderBytes('<f8', [211, 7]), values]);
const bigEndian = (size: 2 | 4 | 8) => {
  const kind = { 2: 'i', 4: 'f', 8: 'f' }[size];
  const bytes = Buffer.from(
    kind === 'i'
      ? Int16Array.from(samples.data, (x) => 999 * x).buffer
      : size === 4
        ? Float32Array.from(samples.data).buffer
        : samples.data.slice().buffer,
  );
  ({ 2: () => bytes.swap16(), 4: () => bytes.swap32(), 8: () => bytes.swap64() })[size]();
  return Buffer.concat([npyHeaderBytes(`>${kind}${size}`, [211, 7]), bytes]);
};
const columnsFirst = Buffer.from(Buffer.from(npy).toString('latin1').replace('False,', 'True, '), 'latin1');
const text = Array.from({ length: 211 }, (_, i) => samples.data.subarray(7 * i, 7 * i + 7).join(',')).join('\n');
const csv = Buffer.from(`a,b,c,d,e,f,g\n${text}\n`);
const idx = Buffer.concat([Buffer.from([0, 0, 8, 3, 0, 0, 0, 10, 0, 0, 0, 4, 0, 0, 0, 5]), values.subarray(0, 200)]);
const members = (deflated: boolean) =>
  zipOf([
    { name: 'samples.npy', content: npy, deflated },
    { name: 'x.npy', content: npy, deflated },
  ]);
const parquet = (codec: string, compress: (bytes: Uint8Array) => Uint8Array) =>
  parquetBytes(
    [0, 1, 2].map((k) => ({
      name: `c${k}`,
      data: Array.from(samples.data.subarray(211 * k, 211 * k + 211)),
      type: 'DOUBLE' as const,
    })),
    { codec, compressors: { [codec]: compress }, rowGroupSize: 100 },
  );

const FILES: Readonly<Record<string, Uint8Array>> = {
  'plain.npy': npy,
  'doubles.npy': bigEndian(8),
  'singles.npy': bigEndian(4),
  'shorts.npy': bigEndian(2),
  'columns.npy': columnsFirst,
  'packed.npy.gz': gzipSync(npy),
  'columns.npy.gz': gzipSync(columnsFirst),
  'stored.npz': members(false),
  'deflated.npz': members(true),
  'table.csv': csv,
  'table.tsv': Buffer.from(text.replaceAll(',', '\t')),
  'packed.csv.gz': gzipSync(csv),
  'members.csv.gz': Buffer.concat([
    ...[0, 1000, 5000].map((at, k, all) => gzipSync(csv.subarray(at, all[k + 1]))),
    Buffer.alloc(99),
  ]),
  'digits.idx': idx,
  'digits-ubyte.gz': gzipSync(idx),
  'sound.wav': wav({ format: 1, bits: 24, channels: 2, data: values.subarray(0, 600) }),
  'brotli.parquet': parquet('BROTLI', (bytes) => brotliCompressSync(bytes)),
  'gzip.parquet': parquet('GZIP', (bytes) => gzipSync(bytes)),
  ...Object.fromEntries(
    ['snappy', 'gzip', 'zstd'].map((codec) => [
      `other-${codec}.parquet`,
      readFileSync(new URL(`../io/codecs/parquet/fixtures/${codec}.parquet`, import.meta.url)),
    ]),
  ),
};

const fileOf = (name: string, content: Uint8Array = FILES[name]) =>
  new File([content as Uint8Array<ArrayBuffer>], name);
const table = { onRemark: () => {} };

describe.each(Object.keys(FILES))('%s', (name) => {
  const options = name.startsWith('other')
    ? { table: { ...table, drop: ['label'], missing: 'mean' as const } }
    : { table };

  it('has the same numbers and names as in Node', async () => {
    const inNode = await openFile(put(name, FILES[name]), options);
    const inPage = await openSource(fileOf(name), options);
    expect(inPage.names).toEqual(inNode.names);
    expect(inPage.locator?.kind).toBe('memory');
    expectSameBits(await readAll(inPage), await readAll(inNode));
  });

  it('is read piece by piece, by workers too', async () => {
    const expected = await readAll(await openFile(put(name, FILES[name]), options));
    const source = await openSource(fileOf(name), { ...options, memoryLimit: 0 });
    const locator = structuredClone(source.locator!);
    expect(locator.kind).toBe('blob');
    expectSameBits(await readAll(source), expected);
    expectSameBits(await readAll(await openBrowserLocator(locator)), expected);
    const slice = { kind: 'slice', of: structuredClone(locator), start: 3, end: expected.rows } as const;
    expect((await (await openBrowserLocator(slice)).read(0, 1)).data[0]).toBe(expected.data[3 * expected.cols]);
  });
});

it('keeps large data where it is: only what is asked for is read', async () => {
  const blob = fileOf('plain.npy');
  const read: [number, number][] = [];
  const slice = blob.slice.bind(blob);
  blob.slice = (start = 0, end = blob.size) => {
    read.push([start, end]);
    return slice(start, end);
  };
  const source = await openSource(blob, { memoryLimit: 0 });
  expect(Math.max(...read.map(([, end]) => end))).toBeLessThanOrEqual(128);
  read.length = 0;
  await source.read(100, 110);
  expect(read).toEqual([[128 + 100 * 56, 128 + 110 * 56]]);
});

describe('compressed data that is damaged is refused as in Node', () => {
  const packed = gzipSync(npy);
  const changed = (at: number) => packed.map((byte, k) => (k === at ? byte ^ 0xff : byte));
  it.each<[string, string, Uint8Array]>([
    ['cut', 'a.npy.gz', packed.subarray(0, 5000)],
    ['cut before its checksum', 'a.npy.gz', packed.subarray(0, packed.length - 3)],
    ['with another checksum', 'a.npy.gz', changed(packed.length - 8)],
    ['with another length', 'a.npy.gz', changed(packed.length - 1)],
    ['of another kind', 'a.npy.gz', Buffer.from('no gzip at all')],
    ['with something behind it', 'a.npy.gz', Buffer.concat([packed, Buffer.from('more')])],
    ['with something behind zeros', 'a.npy.gz', Buffer.concat([packed, Buffer.alloc(5), Buffer.from('more')])],
    ['with a second member that is cut', 'a.csv.gz', Buffer.concat([gzipSync(csv), gzipSync(csv).subarray(0, 40)])],
    ['in an archive', 'a.npz', members(true).map((byte, k) => (k === 3000 ? byte ^ 1 : byte))],
    ['as a stored member', 'a.npz', members(false).map((byte, k) => (k === 3000 ? byte ^ 1 : byte))],
  ])('%s', async (_, name, content) => {
    const words = (message: string) =>
      message.replace(/^(\S+ (the compressed data is damaged|the data is damaged)).*/, '$1');
    const inNode = await refusal(openFile(put(name, content)));
    expect(words(await refusal(openSource(fileOf(name, content))))).toBe(words(inNode));
  });

  it('also when deflate data ends before its section does', async () => {
    const short = deflateRawSync(npy.subarray(0, 700));
    const content = zipOf([{ name: 'a.npy', content: npy, deflated: true }]);
    content.set(short, 35);
    expect(await refusal(openSource(fileOf('a.npz', content)))).toMatch(/truncated|damaged/);
  });
});

describe('names, types and options', () => {
  it('a Blob is told by its name, its type or its first bytes', async () => {
    const plain = new Blob([npy]);
    expect((await openSource(plain)).rows).toBe(211);
    expect((await openSource(new Blob([csv]), { name: 'x.csv' })).cols).toBe(7);
    expect((await openSource(new Blob([csv], { type: 'text/csv;charset=utf-8' }))).cols).toBe(7);
    expect((await openSource(new Blob([csv]), { table: { format: 'csv', drop: ['a', 'g'] } })).names).toEqual([
      ...'bcdef',
    ]);
    expect(await refusal(openSource(new Blob([csv])))).toMatch(/^data: must have a name that ends in one of \.npy /);
    expect((await openSource(fileOf('stored.npz'), { array: 'x' })).rows).toBe(211);
    expect(await refusal(openSource(fileOf('stored.npz'), { array: 'y' }))).toMatch('has no array "y"');
  });

  it('what is no data is refused', async () => {
    expect(await refusal(openSource(new File([], 'a.npy')))).toBe('a.npy: is empty.');
    expect(await refusal(openSource(5 as never))).toBe(
      'openSource: data must be a Blob, a File, an address or a URL; got number.',
    );
    expect(await refusal(openSource('not an address'))).toBe('not an address: is not an address.');
    expect(await refusal(openSource(fileOf('plain.npy'), { table: { columns: ['a'] } }))).toMatch('must be a table');
    expect(() => openSource(fileOf('plain.npy'), { table: { separator: ';' } as never })).toThrow('there is no option');
  });

  it('a file that has changed on the disk is reported in words', async () => {
    const file = fileOf('plain.npy');
    const source = await openSource(file, { memoryLimit: 0 });
    file.slice = () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) }) as never;
    expect(await refusal(source.read(0, 1))).toBe(
      'plain.npy: cannot be read (it has changed since it was opened, or is no longer there).',
    );
  });

  it('a signal ends the opening, and not what was opened', async () => {
    const gone = new Error('enough');
    await expect(openSource(fileOf('packed.csv.gz'), { signal: AbortSignal.abort(gone) })).rejects.toBe(gone);
    const stop = new AbortController();
    const slow = fileOf('packed.csv.gz');
    const slice = slow.slice.bind(slow);
    slow.slice = (...place) => {
      stop.abort(gone);
      return slice(...place);
    };
    await expect(openSource(slow, { signal: stop.signal })).rejects.toBe(gone);
    const later = new AbortController();
    const source = await openSource(fileOf('plain.npy'), { memoryLimit: 0, signal: later.signal });
    later.abort();
    expect((await source.read(0, 2)).rows).toBe(2);
  });
});
