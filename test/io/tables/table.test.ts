/** Tables of text as other programs write them: headers, columns, missing numbers, decimal commas, and what the run says about them. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { headerKind } from '#src/io/codecs/csv/header.ts';
import type { TableOptions } from '#src/io/tables/options.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { readAll, scratchFiles } from '../../helpers/files.ts';

const { put, refusal } = scratchFiles();

/** The numbers, the names of their columns, and what was said. */
async function read(text: string | Uint8Array, table: TableOptions = {}, name = 'data.csv') {
  const remarks: string[] = [];
  const onRemark = (remark: string) => void remarks.push(remark.replace(/^.*[\\/]/, ''));
  const source = await openSource(put(name, text), { table: { ...table, onRemark } });
  const { rows, cols, data } = await readAll(source);
  const numbers = Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * cols, (i + 1) * cols)));
  return { numbers, names: source.names, remarks };
}
const refused = (text: string, table: TableOptions = {}, name = 'data.csv') =>
  refusal(openSource(put(name, text), { table }));

const BODY = [
  [1.5, 2, 3],
  [4, 5, 6],
];

describe('a header', () => {
  it.each([
    ['words', 'a,b,c\n1.5,2,3\n4,5,6\n', ['a', 'b', 'c']],
    ["pandas' numbers", '0,1,2\n1.5,2,3\n4,5,6\n', ['0', '1', '2']],
    ['years', '1999,2000,2001\n1.5,2,3\n4,5,6\n', ['1999', '2000', '2001']],
    ['quoted numbers', '"0","1","2"\r\n1.5,2,3\r\n4,5,6\r\n', ['0', '1', '2']],
  ])('of %s', async (_, text, names) => {
    const found = await read(text);
    expect([found.numbers, found.names]).toEqual([BODY, names]);
    const isSaid = /^\d/.test(names[0]);
    expect(found.remarks).toEqual(
      isSaid ? [expect.stringMatching(/^data\.csv: line 1 \(.*\) counts the columns/)] : [],
    );
  });

  it('is what the user says it is', async () => {
    expect((await read('0,1,2\n1.5,2,3\n4,5,6\n', { header: 'no' })).numbers.length).toBe(3);
    expect((await read('7,8,9\n1.5,2,3\n4,5,6\n', { header: 'yes' })).numbers).toEqual(BODY);
    expect((await read('7,8,9\n1.5,2,3\n', { header: 'yes' })).names).toEqual(['7', '8', '9']);
    expect(await refused('a,b\n1,2\n', { header: 'no' })).toContain('line 1, column 1 must be a number; got "a"');
  });

  it.each<[string[], string[], string]>([
    [['0', '1', '2'], ['0', '1', '2'], 'none'], // a table that counts in every line
    [['0', '1'], ['5', '7'], 'none'], // too short to be sure
    [['1', '2', '3'], ['5', '7', '8'], 'none'],
    [['1', '2', '3', '4', '5', '6', '7', '8'], ['5', '7', '8', '1', '1', '1', '1', '1'], 'numbers'],
    [['', '0', '1', '2'], ['0', '5.1', '4', '3'], 'numbers'],
    [['', '4', '5', '6'], ['1', '2', '3', '9'], 'none'], // a sample with a missing number
    [['0', '1', '3'], ['5', '7', '8'], 'none'],
    [['0', '1', '2'], [], 'none'], // nothing below
    [['id', '1st'], ['1', '2'], 'none'],
    [['a', ''], ['1', '2'], 'words'],
  ])('%j above %j: %s', (first, second, kind) => {
    expect(headerKind(first, second)).toBe(kind);
  });

  it("is told from pandas' index, which is pointed out", async () => {
    const text = ',x,y\n0,1.5,2\n1,3,4\n';
    const found = await read(text);
    expect(found.remarks).toEqual([expect.stringContaining('column 1 has no name and counts the rows')]);
    expect((await read(text, { drop: ['1'] })).numbers).toEqual([
      [1.5, 2],
      [3, 4],
    ]);
    expect((await read(text, { drop: ['1'] })).remarks).toEqual([]);
    const counted = await read(',0,1,2\n0,5,6,7\n1,8,9,9\n'); // here 1 is the name of another column
    expect(counted.remarks[1]).toContain('--drop "" leaves it out');
    expect((await read(',0,1,2\n0,5,6,7\n1,8,9,9\n', { drop: [''] })).numbers[1]).toEqual([8, 9, 9]);
  });
});

describe('columns', () => {
  const text = 'label,x,y,z,"size, m"\nsetosa,1,2,3,4\nvirginica,5,6,7,8\n';

  it('are chosen by name, number and range, in the order asked for', async () => {
    expect((await read(text, { columns: ['z', 'x'] })).numbers).toEqual([
      [3, 1],
      [7, 5],
    ]);
    expect((await read(text, { columns: ['2-4'] })).names).toEqual(['x', 'y', 'z']);
    expect((await read(text, { drop: ['label', '3'] })).names).toEqual(['x', 'z', 'size, m']);
    expect((await read(text, { columns: ['2-5'], drop: ['size, m'] })).numbers[1]).toEqual([5, 6, 7]);
  });

  it('that hold words are named, with what to do', async () => {
    expect(await refused(text)).toBe(
      'data.csv: line 2, column 1 ("label") must be a number; got "setosa" (--drop leaves a column out).',
    );
  });

  it('that are not there, or twice, or none, are refused', async () => {
    expect(await refused(text, { columns: ['w'] })).toBe(
      'data.csv: has no column "w"; it has "label", "x", "y", "z", "size, m".',
    );
    expect(await refused('1,2\n', { columns: ['3'] })).toContain('only numbers from 1 to 2');
    expect(await refused(text, { columns: ['x', '2'] })).toContain('got 2 ("x") twice');
    expect(await refused('a,a\n1,2\n', { columns: ['a'] })).toContain('has 2 columns "a"; pick them by number');
    expect(await refused(text, { columns: ['x'], drop: ['x'] })).toContain('must have columns left');
    expect(await refused('x', { columns: ['1'] }, 'data.npy')).toContain(
      'must be a table (.csv, .tsv, .parquet) for --columns',
    );
  });
});

describe('missing numbers', () => {
  const text = 'a,b\n1,2\nNA,4\n5,\n7,8\n';

  it('are refused by default, with what to do', async () => {
    expect(await refused(text)).toContain('(--missing drop leaves such rows out, --missing mean fills them)');
  });

  it('drop their row, or take the mean', async () => {
    expect((await read(text, { missing: 'drop' })).numbers).toEqual([
      [1, 2],
      [7, 8],
    ]);
    const { numbers } = await read(text, { missing: 'mean' });
    expect(numbers.flat().map((number) => Math.round(1e9 * number) / 1e9)).toEqual([
      1, 2, 4.333333333, 4, 5, 4.666666667, 7, 8,
    ]);
  });

  it('do not matter in columns that are not taken', async () => {
    expect((await read('a,b\n1,NA\n2,NA\n', { columns: ['a'] })).numbers).toEqual([[1], [2]]);
  });

  it('may be all there is', async () => {
    expect(await refused('a,b\n1,NA\n2,NA\n', { missing: 'mean' })).toBe(
      'data.csv: column 2 ("b") must have a number for its mean; got none: drop it.',
    );
    expect(await refused('a,b\n1,NA\nNA,2\n', { missing: 'drop' })).toContain(
      'must have a row without missing numbers',
    );
    expect(await refused('a,b\n1,word\n', { missing: 'drop' })).toContain('must be a number; got "word"');
  });

  it('do not make means overflow', async () => {
    const { numbers } = await read('a\n1.5e308\n1.5e308\nNA\n', { missing: 'mean' });
    expect(numbers[2]).toEqual([1.5e308]);
  });
});

it('decimal commas, other delimiters, gzip', async () => {
  expect((await read('a;b\n1,5;-2,25e1\n', { decimal: ',' })).numbers).toEqual([[1.5, -22.5]]);
  expect((await read('1,23456789012345678901;2\n', { decimal: ',' })).numbers[0][0]).toBe(
    Number('1.23456789012345678901'),
  );
  expect((await read('a|b\n1|2\n', { delimiter: '|' })).numbers).toEqual([[1, 2]]);
  expect((await read(gzipSync('0,1,2\n1.5,2,3\n4,5,6\n'), {}, 'data.csv.gz')).numbers).toEqual(BODY);
  expect(await refused('1,2\n', { decimal: ',' })).toContain('must not be separated by the decimal mark');
  expect(await refused('1,2\n', { delimiter: '||' })).toContain('delimiter must be one character');
  expect(await refused('1,2\n', { delimiter: '.' })).toContain('delimiter must be one character');
  expect(await refused('1,2\n', { missing: 'zero' as never })).toBe(
    'table: missing must be one of error, drop, mean; got "zero".',
  );
});
