/** Records of several lines: what csv-parse and Papa Parse find in the same text. */
import { parse as csvParse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { READ_LIMITS, ReadBudget } from '#src/io/bytes/budget.ts';
import type { TextContent } from '#src/io/bytes/text-lines.ts';
import { fieldsOf } from '#src/io/codecs/csv/line.ts';
import { recordBatches } from '#src/io/codecs/csv/records.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { readAll, scratchFiles } from '../../../helpers/files.ts';

/** The package comes without types. */
interface PapaParse {
  parse(text: string, options: object): { readonly data: string[][] };
}
const { default: Papa } = (await import('papaparse' as string)) as { readonly default: PapaParse };

const { put, refusal } = scratchFiles();

const cell = fc.record({
  text: fc
    .array(fc.constantFrom('"', ',', ';', '\t', '\n', '\r\n', 'a', 'é', '7', '.5', '-', '""', '\n1,2\n'), {
      maxLength: 6,
    })
    .map((parts) => parts.join('')),
  number: fc.integer({ min: -99, max: 99 }),
  isQuoted: fc.boolean(),
});

/** A table of columns of numbers and of text, written as RFC 4180 says. */
const table = fc
  .record({
    kinds: fc
      .array(fc.boolean(), { minLength: 0, maxLength: 4 })
      .chain((others) =>
        fc.integer({ min: 0, max: others.length }).map((at) => [...others.slice(0, at), true, ...others.slice(at)]),
      ),
    separator: fc.constantFrom(',', ';', '\t'),
    end: fc.constantFrom('\n', '\r\n'),
    hasHeader: fc.boolean(),
    hasLastEnd: fc.boolean(),
    cells: fc.array(fc.array(cell, { minLength: 5, maxLength: 5 }), { minLength: 1, maxLength: 12 }),
  })
  .map(({ kinds, separator, end, hasHeader, hasLastEnd, cells }) => {
    const quotes = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const written = (isNumber: boolean, { text, number, isQuoted }: (typeof cells)[number][number]) => {
      const field = isNumber ? String(number) : text;
      return isQuoted || /["\n\r,;\t]/.test(field) ? quotes(field) : field;
    };
    const lines = cells.map((row) => kinds.map((isNumber, k) => written(isNumber, row[k])).join(separator));
    if (hasHeader) lines.unshift(kinds.map((_, k) => (k === 1 ? `"two\r\nlines, ""${k}"""` : `c${k}`)).join(separator));
    const text = lines.join(end) + (hasLastEnd ? end : '');
    const numbers = kinds.flatMap((isNumber, k) => (isNumber ? [k] : []));
    return { text, separator, end, hasHeader, columns: numbers };
  });

const asCsvParse = (text: string, delimiter: string): string[][] =>
  csvParse(text, { delimiter, record_delimiter: ['\r\n', '\n'], skip_empty_lines: true });

function contentOf(text: string): TextContent {
  const bytes = Buffer.from(text);
  const budget = new ReadBudget('data.csv', bytes.length, READ_LIMITS);
  const reader = () => {
    let at = 0;
    return {
      name: 'data.csv',
      read: async (out: Uint8Array) => {
        const part = bytes.subarray(at, at + out.length);
        out.set(part);
        at += part.length;
        return part.length;
      },
      close: async () => {},
    };
  };
  return { name: 'data.csv', budget, reader };
}

describe('records', () => {
  it('are those of csv-parse, whatever the pieces', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 80 }), async ({ text, separator }, pieceLength) => {
        const found: string[][] = [];
        const misplaced: number[] = [];
        const lines = text.split('\n');
        for await (const batch of recordBatches(contentOf(text), separator, pieceLength)) {
          while (batch.next()) {
            if (batch.text !== '') found.push([...fieldsOf(batch.text, separator)]);
            if (!lines[batch.line - 1].startsWith(batch.text.split('\r\n')[0].split('\n')[0]))
              misplaced.push(batch.line);
          }
        }
        expect(misplaced).toEqual([]);
        const trimmed = (records: string[][]) =>
          records.map((fields) => fields.map((field) => field.replace(/^[\t ]+|[\t ]+$/g, '')));
        expect(found).toEqual(trimmed(asCsvParse(text, separator)));
      }),
      { numRuns: 2000 },
    );
  });

  it('of files are those of csv-parse and of Papa Parse in the columns of numbers', async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.integer({ min: 1, max: 4 }),
        async ({ text, separator, end, hasHeader, columns }, step) => {
          const numbersIn = (records: string[][]) =>
            records.slice(hasHeader ? 1 : 0).map((fields) => columns.map((k) => Number(fields[k])));
          const expected = numbersIn(asCsvParse(text, separator));
          const papa = Papa.parse(text, { delimiter: separator, newline: end, skipEmptyLines: true });
          expect(numbersIn(papa.data)).toEqual(expected);
          const options = {
            columns: columns.map((k) => String(k + 1)),
            delimiter: separator,
            header: hasHeader ? 'yes' : 'no',
            onRemark: () => {},
          } as const;
          const path = put('data.csv', text);
          for (const memoryLimit of [1e6, 0]) {
            const { rows, cols, data } = await readAll(await openSource(path, { table: options, memoryLimit }), step);
            const found = Array.from({ length: rows }, (_, i) => Array.from(data.subarray(i * cols, (i + 1) * cols)));
            expect(found.map((row) => row.map((x) => x + 0))).toEqual(expected.map((row) => row.map((x) => x + 0)));
          }
        },
      ),
      { numRuns: 300 },
    );
  }, 60_000);

  it('longer than a piece of a megabyte', async () => {
    const long = `"${'a, "" and\n1,2\n'.repeat(200_000)}"`;
    const source = await openSource(put('long.csv', `x,y,note\n1,2,${long}\n3,4,"b\n"\n5,6,c\n`), {
      table: { drop: ['note'] },
    });
    expect(Array.from((await readAll(source)).data)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

describe('quotes', () => {
  const refused = (text: string) =>
    refusal(openSource(put('data.csv', text), { table: { columns: ['1'], onRemark: () => {} } }));

  it('that are never closed are refused by their line', async () => {
    const message = (line: number) =>
      `data.csv: line ${line} must close the quotes that it opens; got none that end a field.`;
    expect(await refused('1,a\n2,"b\n3,c\n')).toBe(message(2));
    expect(await refused('1,"a\nb"\n2,"b\n3,"c"\n4,d\n')).toBe(message(3));
  });

  it('in the middle of a field are text', async () => {
    const source = await openSource(put('data.csv', '1,5" pipe\n2,6" pipe\n3, "a\n4"\n'), { table: { drop: ['2'] } });
    expect(Array.from((await readAll(source)).data)).toEqual([1, 2, 3]);
  });

  it('and the lines behind them count', async () => {
    const text = '1,"a\nb"\n2,"c\n\n\nd"\nx,e\n';
    expect(await refused(text)).toBe(
      'data.csv: line 7, column 1 must be a number; got "x" (--drop leaves a column out).',
    );
  });
});
