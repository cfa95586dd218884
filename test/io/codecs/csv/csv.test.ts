/** Numbers as text: what is tolerated, what is rejected, and the position that is reported. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNumber } from '#src/io/tables/number-text.ts';
import { readMatrix } from '#src/node/io/arrays.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { readAll, scratchFiles } from '../../../helpers/files.ts';

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
    ['a header that begins with an empty name', ',b\n1,2\n3,4'],
    ['a header with marks among its names', 'NA,b\n1,2\n3,4'],
    ['a header of other scripts', 'äöü,漢字\n1,2\n3,4'],
    ['a header as a comment', '# a,b\n1,2\n3,4'],
    ['scientific notation', '1e0,+20E-1\n.3e1,4.\n'],
  ])('%s', async (_, text) => {
    expect(await rows(text)).toEqual(TWO_BY_TWO);
  });

  it('one column, one row', async () => {
    expect(await rows('1\n2\n')).toEqual([[1], [2]]);
    expect(await rows('5')).toEqual([[5]]);
    expect(await rows('1\t2\n', 'data.tsv')).toEqual([[1, 2]]);
  });
});

describe('refuses', () => {
  it('fields that are not numbers, by line and column', async () => {
    expect(await refused('1,2\n3,4\n5,abc\n')).toBe(
      'data.csv: line 3, column 2 must be a number; got "abc" (--drop leaves a column out).',
    );
    expect(await refused('a,b\n\n1,\n')).toBe(
      'data.csv: line 3, column 2 ("b") must be a number; got "" (--missing drop leaves such rows out, --missing mean fills them).',
    );
    expect(await refused('1,2\n1,0x10\n')).toBe('data.csv: line 2, column 2 must be a number; got "0x10".');
    expect(await refused('1;2\n1,2;5\n')).toBe(
      'data.csv: line 2, column 1 must be a number; got "1,2" (is it a decimal comma? --decimal ,).',
    );
    expect(await refused('x\n1_000\n')).toBe('data.csv: line 2, column 1 ("x") must be a number; got "1_000".');
    expect(await refused(`1\n${'z'.repeat(99)}`)).toBe(
      `data.csv: line 2, column 1 must be a number; got "${'z'.repeat(40)}…${'z'.repeat(19)}" (--drop leaves a column out).`,
    );
    expect(await refused('1\n1,2\n', 'data.tsv')).toBe(
      'data.tsv: line 2, column 1 must be a number; got "1,2" (is it a decimal comma? --decimal ,).',
    );
  });

  it.each([
    ['a no-break space', '\u00a0', '\\u00a0'],
    ['an ideographic space', '\u3000', '\\u3000'],
    ['a no-break space before a number', '\u00a00x10', '\\u00a00x10'],
    ['a no-break space behind a number', '12\u00a0', '12\\u00a0'],
    ['a line separator', '1\u2028', '1\\u2028'],
    ['digits of another script', '\u0661', '\u0661'],
    ['a minus sign', '\u22121', '\u22121'],
    ['two quoted numbers', '"1""2"', '1\\"2'],
    ['a quoted and a bare number', '"1"2', '\\"1\\"2'],
    ['quotes around nothing', '""', ''],
    ['hexadecimal digits', '-0x10', '-0x10'],
    ['words for numbers that are not finite', 'Infinity', 'Infinity'],
    ['nan', 'nan', 'nan'],
    ['a number beyond float64', '1e999', '1e999'],
    ['a point alone', '.', '.'],
    ['an exponent without digits', '1e+', '1e+'],
    ['two points', '1.2.3', '1.2.3'],
    ['a control character', '1\u001b[2J', '1\\u001b[2J'],
  ])('%s, by line, column and text', async (_, field, shown) => {
    const message = `data.csv: line 3, column 2 ("b") must be a number; got "${shown}"`;
    const found = await refused(`a,b\n1,2\n3,${field}\n`);
    expect(found.replace(/ \(--.*\)\.$/, '.')).toBe(`${message}.`);
  });

  it('a first line that ends in a single CR, whose sample would vanish as a header', async () => {
    expect(await refused('a\r1\n2\n')).toContain('line 1, column 1 must be a number; got "a\\r1"');
  });

  it.each(['', 'NA', '-', 'nan', '?', '"NA"', 'x', '\u22122', '1_000', '1st'])(
    'a first line of numbers and %j, which would vanish as a header',
    async (field) => {
      for (const line of [`${field},2,3`, `1,${field},3`, `1,2,${field}`]) {
        expect(await refused(`${line}\n4,5,6\n`)).toMatch(
          /^data\.csv: line 1, column [123] must be a number; got ".*" \(in a header no field begins with a digit and one has letters; lines end in LF or CRLF\)\.$/,
        );
      }
    },
  );

  it('first lines of missing values alone, and lines of separators', async () => {
    expect(await refused('NA,NA\n1,2\n')).toContain('line 1, column 1 must be a number; got "NA"');
    expect(await refused('1\t2\n\t\n', 'data.tsv')).toContain('data.tsv: line 2, column 1 must be a number; got ""');
    expect(await refused('1\n\u00a0\n2\n')).toBe('data.csv: line 2, column 1 must be a number; got "\\u00a0".');
  });

  it('a field of 2 million digits as quickly as it is read', async () => {
    const digits = '1'.repeat(2e6);
    expect(await refused(`1\n${digits}x\n`)).toContain('line 2, column 1 must be a number; got "11111');
    expect(await refused(`1\n${digits}\n`)).toContain('must be a number'); // beyond float64
    expect(await rows(`0.${digits}`)).toEqual([[1 / 9]]);
  });

  it('a quote that is not closed, by its line', async () => {
    expect(await refused('a,b\n1,2\n3,"1\n')).toBe(
      'data.csv: line 3 must close the quotes that it opens; got none that end a field.',
    );
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
  it('every text that is a decimal number, as the language does', async () => {
    const digits = fc.stringMatching(/^\d{0,22}$/);
    const text = fc
      .tuple(
        fc.constantFrom('', '-', '+'),
        digits,
        fc.constantFrom('', '.'),
        digits,
        fc.constantFrom('', 'e', 'E-', 'e+'),
      )
      .chain(([sign, whole, point, fraction, mark]) =>
        (mark === '' ? fc.constant('') : fc.stringMatching(/^\d{0,3}$/)).map(
          (power) => `${sign}${whole}${point}${fraction}${mark}${power}`,
        ),
      );
    const grammar = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
    fc.assert(
      fc.property(text, (number) => {
        const expected = grammar.test(number) && Number.isFinite(Number(number)) ? Number(number) : undefined;
        expect(parseNumber(number)).toBe(expected);
      }),
      { numRuns: 3000 },
    );
  });

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

  it('lines of every kind across the borders of pieces, and one longer than a piece', async () => {
    const count = 70_000;
    const forms = [
      (i: number) => `${i},-${i / 8}`,
      (i: number) => `"${i}", -${i / 8}`,
      (i: number) => `\r\n ${i},-${i / 8}`,
    ];
    const text = Array.from({ length: count }, (_, i) => forms[i % 7 === 3 ? 1 : i % 11 === 5 ? 2 : 0](i)).join('\r\n');
    const { rows: found, data } = await readMatrix(put('mixed.csv', `é,b\r\n${text}\r\n\r\n`));
    expect(found).toBe(count);
    expect(data.every((value, k) => value === (k % 2 === 0 ? k / 2 : -(k - 1) / 16))).toBe(true);
    const wide = Array.from({ length: 250_000 }, (_, k) => k / 4);
    const { cols, data: line } = await readMatrix(put('wide.csv', `${wide.join(',')}\n${wide.join(',')}`));
    expect([cols, line.every((value, k) => value === wide[k % cols])]).toEqual([250_000, true]);
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
    expect(await refused(`${text}\n1,x,2`)).toContain(
      `data.csv: line ${count + 1}, column 2 must be a number; got "x"`,
    );
  });
});
