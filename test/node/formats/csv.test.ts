/** Numbers as text: what is tolerated, what is rejected, and the position that is reported. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMatrix } from '#src/node/formats/arrays.ts';
import { openSource } from '#src/node/formats/file-source.ts';
import { readAll, scratchFiles } from './files.ts';

const { put, refusal } = scratchFiles();

const rows = async (text: string, name = 'data.csv') => {
  const { rows, cols, data } = await readMatrix(put(name, text));
  return Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * cols, (i + 1) * cols)));
};
const refused = (text: string, name = 'data.csv') => refusal(openSource(put(name, text)));

const TWO_BY_TWO = [
  [1, 2],
  [3, 4],
];

describe('tolerates', () => {
  it.each([
    ['commas', '1,2\n3,4\n'],
    ['semicolons', '1;2\n3;4'],
    ['tabs', '1\t2\n3\t4'],
    ['CRLF', '1,2\r\n3,4\r\n'],
    ['a byte order mark', '\ufeff1,2\n3,4\n'],
    ['blank lines', '\n1,2\n\n   \n3,4\n\n'],
    ['blanks around numbers', ' 1 , 2\n3 ,\t4\n'.replace('\t', ' ')],
    ['quotes', '"1","2"\n"3",4\n'],
    ['a header', 'a,b\n1,2\n3,4\n'],
    ['a header with quoted separators', '"a; x",b\r\n1,2\n3,4\n'],
    ['a header that begins with an empty name', ',0\n1,2\n3,4'],
    ['a header as a comment', '# a,b\n1,2\n3,4'],
    ['scientific notation', '1e0,+20E-1\n.3e1,4.\n'],
  ])('%s', async (_, text) => {
    expect(await rows(text)).toEqual(TWO_BY_TWO);
  });

  it('one column, one row, non-finite values', async () => {
    expect(await rows('1\n2\n')).toEqual([[1], [2]]);
    expect(await rows('5')).toEqual([[5]]);
    expect(await rows('nan,NaN,inf,-inf,Infinity,-Infinity')).toEqual([
      [Number.NaN, Number.NaN, Infinity, -Infinity, Infinity, -Infinity],
    ]);
    expect(await rows('1\t2\n', 'data.tsv')).toEqual([[1, 2]]);
  });
});

describe('refuses', () => {
  it('fields that are not numbers, by line and column', async () => {
    expect(await refused('1,2\n3,4\n5,abc\n')).toBe('data.csv: line 3, column 2 must be a number; got "abc".');
    expect(await refused('a,b\n\n1,\n')).toBe('data.csv: line 3, column 2 must be a number; got "".');
    expect(await refused('1,abc\n1,2\n')).toBe('data.csv: line 1, column 2 must be a number; got "abc".');
    expect(await refused('1,0x10\n')).toBe('data.csv: line 1, column 2 must be a number; got "0x10".');
    expect(await refused('1,2;5\n')).toBe('data.csv: line 1, column 1 must be a number; got "1,2".');
    expect(await refused('x\n1_000\n')).toBe('data.csv: line 2, column 1 must be a number; got "1_000".');
    expect(await refused(`1\n${'z'.repeat(99)}`)).toBe(
      `data.csv: line 2, column 1 must be a number; got "${'z'.repeat(40)}".`,
    );
    expect(await refused('1,2\n', 'data.tsv')).toBe('data.tsv: line 1, column 1 must be a number; got "1,2".');
  });

  it('ragged lines', async () => {
    expect(await refused('1,2\n3,4,5\n')).toBe('data.csv: line 2 must have 2 columns, like the first line; got 3.');
    expect(await refused('a,b\r\n\r\n3\r\n')).toBe('data.csv: line 3 must have 2 columns, like the first line; got 1.');
  });

  it('files without numbers', async () => {
    expect(await refused('')).toBe('data.csv: is empty.');
    expect(await refused('\n \n')).toBe('data.csv: is empty.');
    expect(await refused('a,b\n')).toBe('data.csv: holds no samples, only a header line.');
  });
});

describe('reads exactly', () => {
  it('any finite number as JavaScript writes it', async () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(finite, finite, finite), { minLength: 1 }), async (numbers) => {
        const text = numbers.map((line) => line.join(',')).join('\n');
        const read = await rows(text);
        expect(read.flat().map((x) => x + 0)).toEqual(numbers.flat().map((x) => x + 0));
      }),
      { numRuns: 60 },
    );
  });

  it('long texts, read in pieces', async () => {
    const count = 60_000;
    const text = Array.from({ length: count }, (_, i) => `${i},${i / 8},${-i}`).join('\n');
    for (const memoryLimit of [1e9, 1000]) {
      const source = await openSource(put('long.csv', `ä,b,c\n${text}`), { memoryLimit });
      expect([source.rows, source.cols]).toEqual([count, 3]);
      const { data } = await readAll(source, 7_001);
      expect(
        data.every((value, k) => value === [Math.floor(k / 3), Math.floor(k / 3) / 8, -Math.floor(k / 3)][k % 3]),
      ).toBe(true);
    }
    expect(await refused(`${text}\n1,x,2`)).toBe(`data.csv: line ${count + 1}, column 2 must be a number; got "x".`);
  });
});
