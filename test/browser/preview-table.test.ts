/** Previews: columns with their kind and what options call them, and the first rows. */

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { arrayBlob, arraysBlob } from '#src/browser/blobs.ts';
import { openSource } from '#src/browser/open-source.ts';
import { previewTable } from '#src/browser/preview-table.ts';
import { scratchFiles } from '../helpers/files.ts';
import { parquetBytes } from '../helpers/parquet.ts';

const { refusal } = scratchFiles();
const csv = (text: string, name = 'a.csv') => new File([text], name);
const counting = (rows: number, cols: number) => ({
  rows,
  cols,
  data: Float64Array.from({ length: rows * cols }, (_, k) => k),
});

describe('text', () => {
  it('shows words, numbers and what is missing, and which columns hold numbers', async () => {
    const preview = await previewTable(csv('id;x;name\n1;2,5;"a;b"\n\n2;NA;c\n'), { table: { decimal: ',' } });
    expect(preview).toEqual({
      format: 'csv',
      rows: 2,
      columns: [
        { name: 'id', pick: 'id', numbers: true },
        { name: 'x', pick: 'x', numbers: true },
        { name: 'name', pick: 'name', numbers: false },
      ],
      head: [
        [1, 2.5, 'a;b'],
        [2, null, 'c'],
      ],
    });
  });

  it('gives 20 rows; a word further down counts; a large file is not read to its end', async () => {
    const rows = Array.from({ length: 100 }, (_, k) => `${k},${k === 50 ? 'word' : k}`);
    const small = await previewTable(csv(rows.join('\n')));
    expect([small.rows, small.head.length, small.head[19]]).toEqual([100, 20, [19, 19]]);
    expect(small.columns.map(({ name, numbers }) => [name, numbers])).toEqual([
      ['1', true],
      ['2', false],
    ]);
    const packed = gzipSync('1.25,2.5,3\n'.repeat(200_000));
    const large = await previewTable(new File([packed], 'b.csv.gz'));
    expect([large.format, large.rows, large.columns.length]).toEqual(['csv.gz', undefined, 3]);
  });

  it('what a column is called there picks it, whatever its name', async () => {
    const file = csv('2,a,,a,2-2x\n10,11,12,13,14\n20,21,22,23,24\n', 'odd.csv');
    const { columns } = await previewTable(file, { table: { header: 'yes' } });
    expect(columns.map(({ pick }) => pick)).toEqual(['2', '2-2', '3', '4', '2-2x']);
    for (const [k, { pick }] of columns.entries()) {
      const source = await openSource(file, { table: { header: 'yes', columns: [pick] } });
      expect((await source.read(0, 1)).data[0]).toBe(10 + k);
    }
  });
});

describe('numbers', () => {
  it('of an array', async () => {
    const preview = await previewTable(await arrayBlob(counting(30, 2)), { name: 'x.npy' });
    expect([preview.format, preview.rows, preview.head.length, preview.head[1]]).toEqual(['npy', 30, 20, [2, 3]]);
    expect(preview.columns[1]).toEqual({ name: '2', pick: '2', numbers: true });
  });

  it('of an archive: the arrays to choose from', async () => {
    const blob = await arraysBlob({ a: counting(3, 2), meta: 'text', b: counting(4, 1) });
    expect(await previewTable(blob)).toMatchObject({ format: 'npz', arrays: ['a', 'b'], array: 'a', rows: 3 });
    expect(await previewTable(blob, { array: 'b' })).toMatchObject({ arrays: ['a', 'b'], array: 'b', rows: 4 });
    expect(await refusal(previewTable(await arraysBlob({ meta: 'text' })))).toMatch('has no 2-d array');
  });

  it('of a Parquet file, with its words', async () => {
    const bytes = parquetBytes([
      { name: 'x', data: [1.5, null, 3], type: 'DOUBLE' },
      { name: 'word', data: ['a', 'b', 'c'], type: 'STRING' },
      { name: 'n', data: [1n, 2n, 3n], type: 'INT64' },
    ]);
    const preview = await previewTable(new File([bytes as Uint8Array<ArrayBuffer>], 'x.parquet'));
    expect(preview.columns.map(({ pick, numbers }) => [pick, numbers])).toEqual([
      ['x', true],
      ['word', false],
      ['n', true],
    ]);
    expect([preview.rows, preview.head]).toEqual([
      3,
      [
        [1.5, 'a', 1],
        [null, 'b', 2],
        [3, 'c', 3],
      ],
    ]);
  });

  it('of integers beyond 2^31 that DuckDB packed', async () => {
    const bytes = readFileSync(new URL('../io/codecs/parquet/fixtures/integers.parquet', import.meta.url));
    const { head } = await previewTable(new File([bytes], 'x.parquet'));
    expect(head[0]).toEqual([255, -128, 65535, -32768, 4294967295, -2147483648, 2 ** 64, -(2 ** 63)]);
  });

  it('but not of a picture', async () => {
    expect(await refusal(previewTable(new File(['x'], 'a.png')))).toBe('a.png: must be a table; got a picture (.png).');
  });
});
