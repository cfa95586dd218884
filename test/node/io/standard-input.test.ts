/** Standard input in place of a file, and formats that names do not tell. */
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import type { FileLocator } from '#src/engine/source/source.ts';
import type { Format, TableOptions } from '#src/io/tables/options.ts';
import { readMatrix, writeArray } from '#src/node/io/arrays.ts';
import { filesNamed, openSource } from '#src/node/io/file-source.ts';
import { learn } from '#src/node/learn.ts';
import { readAll, scratchFiles } from '../../helpers/files.ts';
import { parquetBytes } from '../../helpers/parquet.ts';

const { put, directory, inDirectory, refusal } = scratchFiles();
const own = Object.getOwnPropertyDescriptor(process, 'stdin')!;
afterEach(() => Object.defineProperty(process, 'stdin', own));

/** What this process reads next. */
function pipe(content: string | Uint8Array, rest: object = {}): void {
  const pieces = Array.from({ length: Math.ceil(content.length / 7) }, (_, i) =>
    Buffer.from(content.slice(7 * i, 7 * i + 7)),
  );
  Object.defineProperty(process, 'stdin', { configurable: true, value: Object.assign(Readable.from(pieces), rest) });
}

await writeArray(inDirectory('x.npy'), { rows: 3, cols: 2, data: Float64Array.of(1, 2, 3, 4, 5, 6) });
const npy = readFileSync(inDirectory('x.npy'));
const parquet = parquetBytes([
  { name: 'a', data: [1, 3, 5], type: 'DOUBLE' },
  { name: 'b', data: [2, 4, 6], type: 'DOUBLE' },
]);

it.each<[string, string | Uint8Array, Format | undefined]>([
  ['npy, by its first bytes', npy, undefined],
  ['parquet, by its first bytes', parquet, undefined],
  ['csv', 'a,b\n1,2\n3,4\n5,6\n', 'csv'],
  ['csv without a last line end', '1,2\n3,4\n5,6', 'csv'],
  ['tsv', '1\t2\n3\t4\n5\t6\n', 'tsv'],
  ['csv.gz', gzipSync('1,2\n3,4\n5,6\n'), 'csv.gz'],
  ['npy.gz', gzipSync(npy), 'npy.gz'],
])('is read: %s', async (_, content, format) => {
  for (const memoryLimit of [undefined, 0]) {
    pipe(content);
    const source = await openSource('-', { memoryLimit, table: { format } });
    expect(source.locator?.kind ?? 'none').toBe(memoryLimit === 0 ? 'none' : 'memory'); // no other thread can open it
    expect([...(await readAll(source, 2)).data]).toEqual([1, 2, 3, 4, 5, 6]);
  }
});

it('learns the same from it as from a file', async () => {
  const text = Array.from({ length: 200 }, (_, i) => `${Math.sin(i)},${Math.cos(3 * i)},${Math.sin(i * i)}`).join('\n');
  const options = { maxIterations: 5, refine: 'none' } as const;
  const fromFile = await learn(put('same.csv', text), options);
  for (const memoryLimit of [undefined, 0]) {
    pipe(text);
    const { dictionary } = await learn('-', options, { memoryLimit, table: { format: 'csv' } });
    expect(dictionary.atoms).toEqual(fromFile.dictionary.atoms);
  }
});

it('says what is wrong with it', async () => {
  const refused = (content: string | Uint8Array, table: TableOptions = {}, rest = {}) => {
    pipe(content, rest);
    return refusal(openSource('-', { table }));
  };
  expect(await refused('')).toBe('standard input: is empty.');
  expect(await refused('1,2\n')).toBe(
    'standard input: must come with its format, as in --format csv; got data that does not tell it.',
  );
  expect(await refused('', {}, { isTTY: true })).toContain('got the terminal');
  expect(await refused(npy.subarray(0, -9))).toBe(
    'standard input: declares 3 × 2 numbers (48 bytes) but holds 167 bytes, 2 of 3 rows.',
  );
  expect(await refused('1,2\n3', { format: 'csv' })).toContain('line 2 must have 2 columns');
  expect(await refused(gzipSync('1,2\n3,4\n').subarray(0, -9), { format: 'csv.gz' })).toContain('is truncated');
  expect(await refused(npy, { columns: ['1'] })).toContain('must be a table (.csv, .tsv, .parquet) for --columns');
  expect(await refused('', { format: 'npy', columns: ['1'] })).toContain('must be a table'); // before it is read
  expect(await refused('1', { format: 'xls' as Format })).toMatch(
    /^table: format must be one of npy, .*; got "xls"\.$/,
  );
});

it('ends the wait for a program that writes nothing', async () => {
  Object.defineProperty(process, 'stdin', { configurable: true, value: new Readable({ read() {} }) });
  const controller = new AbortController();
  const reason = new Error('enough');
  const opened = openSource('-', { signal: controller.signal });
  setImmediate(() => controller.abort(reason));
  await expect(opened).rejects.toBe(reason);
});

it('leaves no file', async () => {
  const mine = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`orthodict-${process.pid}-`));
  pipe('1,2\n');
  const source = await openSource('-', { memoryLimit: 0, table: { format: 'csv' } });
  expect(mine()).toEqual([]);
  await source.close?.();
});

it('a format that the name does not tell', async () => {
  put('numbers.txt', '1;2\n3;4\n');
  put('more.txt', '1;2\n3;4\n');
  const table = { format: 'csv' } as const;
  expect([...(await readMatrix(put('numbers.txt', '1;2\n3;4\n'), { table })).data]).toEqual([1, 2, 3, 4]);
  expect((await readMatrix(`${directory}/*.txt`, { table })).rows).toBe(4);
  expect(await filesNamed('-')).toEqual([]);
  const path = put('numbers.bin', npy);
  const source = await openSource(path, { memoryLimit: 0, table: { format: 'npy' } });
  const { openFileLocator } = await import('#src/node/io/file-locator.ts');
  expect([...(await readAll(await openFileLocator(source.locator as FileLocator))).data]).toEqual([1, 2, 3, 4, 5, 6]);
  await source.close?.();
});
