/** Parquet, sparse codes and standard input through the whole program. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { beforeAll, expect, it } from 'vitest';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { readArray, readMatrix } from '#src/node/io/arrays.ts';
import { callCli } from '../../helpers/call-cli.ts';
import { parquetBytes, readByHyparquet } from '../../helpers/parquet.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const { file: f } = scratchDirectory();
const NAMES = ['height', 'width', 'depth'];
const ROWS = 300;
const data = normalMatrix(ROWS, 3, createRandom(2, 'formats')).data.map((x) => x ** 3); // sparser than chance

/** Rows [start, end) with a label. */
const people = (start: number, end: number): Uint8Array =>
  parquetBytes([
    { name: 'label', type: 'STRING', data: Array.from({ length: end - start }, (_, i) => `person ${start + i}`) },
    ...NAMES.map((name, k) => ({
      name,
      type: 'DOUBLE' as const,
      data: Float64Array.from({ length: end - start }, (_, i) => data[3 * (start + i) + k]),
    })),
  ]);

/** Must succeed; what it printed. */
async function run(...args: string[]) {
  const { code, stdout, stderr } = await callCli(args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

async function withInput<T>(content: string | Uint8Array, use: () => Promise<T>): Promise<T> {
  const own = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([Buffer.from(content)]) });
  return use().finally(() => Object.defineProperty(process, 'stdin', own));
}

beforeAll(async () => {
  writeFileSync(f('people.parquet'), people(0, ROWS));
  await run('learn', f('people.parquet'), '--drop', 'label', '--out', f('model.npz'));
});

it('a folder of Parquet files gives the same model as one', async () => {
  mkdirSync(f('shards'));
  for (const start of [0, 100, 200]) writeFileSync(f(`shards/${start}.parquet`), people(start, start + 100));
  await run('learn', f('shards'), '--drop', 'label', '--out', f('sharded.npz'));
  expect(readFileSync(f('sharded.npz'))).toEqual(readFileSync(f('model.npz')));
});

it('codes and samples are written as Parquet, as in other formats', async () => {
  for (const out of ['codes.parquet', 'codes.csv']) {
    await run('encode', f('model.npz'), f('people.parquet'), '--drop', 'label', '--out', f(out));
  }
  const codes = await readMatrix(f('codes.parquet'));
  expect(codes).toEqual(await readMatrix(f('codes.csv')));
  const { rows } = await readByHyparquet(f('codes.parquet'));
  expect(Object.keys(rows[0])).toEqual(['atom1', 'atom2', 'atom3']);
  expect(Object.values(rows[7])).toEqual([...codes.data.subarray(21, 24)]);
  await run('decode', f('model.npz'), f('codes.parquet'), '--out', f('back.parquet'));
  const back = await readMatrix(f('back.parquet'), { table: { columns: NAMES } });
  for (const [at, value] of back.data.entries()) expect(value).toBeCloseTo(data[at], 12);
});

it.each([
  ['--keep', '1'],
  ['--threshold', '0.5'],
])('sparse codes decode to what dense ones do: %s %s', async (...selection) => {
  const encode = ['encode', f('model.npz'), f('people.parquet'), '--drop', 'label', ...selection];
  await run(...encode, '--out', f('dense.npz'));
  await run(...encode, '--sparse', '--out', f('sparse.npz'));
  expect((await readMatrix(f('sparse.npz'))).data).toEqual((await readMatrix(f('dense.npz'))).data);
  expect((await readArray(`${f('sparse.npz')}:data`)).shape[0]).toBeLessThan(3 * ROWS);
  await run('decode', f('model.npz'), f('dense.npz'), '--out', f('dense.npy'));
  await run('decode', f('model.npz'), f('sparse.npz'), '--out', f('sparse.npy'));
  expect(readFileSync(f('sparse.npy'))).toEqual(readFileSync(f('dense.npy')));
});

it('standard input is data for every command that reads samples', async () => {
  const bytes = readFileSync(f('people.parquet'));
  const drop = ['--drop', 'label'];
  await withInput(bytes, () => run('learn', '-', ...drop, '--out', f('piped.npz')));
  expect(readFileSync(f('piped.npz'))).toEqual(readFileSync(f('model.npz')));
  await withInput(bytes, () => run('encode', f('model.npz'), '-', ...drop, '--out', f('piped.csv')));
  const csv = readFileSync(f('piped.csv'), 'utf8');
  await withInput(csv, () => run('decode', f('model.npz'), '-', '--format', 'csv', '--out', f('piped.npy')));
  expect((await readMatrix(f('piped.npy'))).rows).toBe(ROWS);
  for (const command of ['sparse-pca - --components 1 --nonzeros 2', 'mixture - --clusters 2', 'tensor --moments -']) {
    await withInput(csv, () => run(...command.split(' '), '--format', 'csv', '--out', f('any.npz')));
  }
});

it('says what cannot be', async () => {
  const refused = async (...args: string[]) => {
    const { code, stderr } = await withInput('1,2\n3', () => callCli(args));
    expect(code).toBe(2);
    return stderr;
  };
  const out = ['--out', f('never.npz')];
  expect(await refused('learn', '-', ...out)).toContain('standard input: must come with its format');
  expect(await refused('learn', '-', '--format', 'csv', ...out)).toContain(
    'standard input: line 2 must have 2 columns',
  );
  for (const place of [['--redis', 'redis://127.0.0.1:1'], ['--mpi']]) {
    expect(await refused('learn', '-', ...place, ...out)).toBe(
      `learn: DATA must be a file that all machines can read for ${place[0]}; got -, standard input.\n`,
    );
  }
  const encode = ['encode', f('model.npz'), f('people.parquet'), '--sparse', '--out'];
  expect(await refused(...encode, f('codes.csv'))).toContain('--out with --sparse must be a file ending in .npz');
  expect(await refused(...encode, f('codes/'))).toContain('--out with --sparse must be a file ending in .npz');
});
