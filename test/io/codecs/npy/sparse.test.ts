/** Sparse matrices as SciPy writes them: read as rows, written from rows, refused when damaged. */
import { describe, expect, it } from 'vitest';
import type { ArrayInput } from '#src/io/arrays.ts';
import { readArrays, readMatrix, writeArrays } from '#src/node/io/arrays.ts';
import { openSource, openTable } from '#src/node/io/file-source.ts';
import { rowEnds, writeSparse } from '#src/node/io/sparse-write.ts';
import { readAll, scratchFiles } from '../../../helpers/files.ts';

const { inDirectory, refusal } = scratchFiles();

const longs = (...data: bigint[]): ArrayInput => ({ shape: [data.length], data: BigInt64Array.from(data) });
const ints = (...data: number[]): ArrayInput => ({ shape: [data.length], data: Int32Array.from(data) });
const floats = (...data: number[]): ArrayInput => ({ shape: [data.length], data: Float64Array.from(data) });

/** Rows [0, 1.5, 0], [0, 0, 0], [-2, 0, 7]. */
const MATRIX = {
  indices: ints(1, 2, 0),
  indptr: ints(0, 1, 1, 3),
  format: 'csr',
  shape: longs(3n, 3n),
  data: floats(1.5, 7, -2),
};
const DENSE = [0, 1.5, 0, 0, 0, 0, -2, 0, 7];

async function put(changes: Record<string, ArrayInput>): Promise<string> {
  await writeArrays(inDirectory('s.npz'), { ...MATRIX, ...changes });
  return inDirectory('s.npz');
}

it('is read with its zeros, in memory and in place', async () => {
  const wide = { indices: longs(1n, 2n, 0n), indptr: longs(0n, 1n, 1n, 3n) };
  for (const changes of [{}, wide]) {
    const path = await put(changes);
    expect(await readMatrix(path)).toEqual({ rows: 3, cols: 3, data: Float64Array.from(DENSE) });
    const source = await openSource(path, { memoryLimit: 0 });
    expect([...(await readAll(source, 2)).data]).toEqual(DENSE);
  }
  const single = await put({ data: { shape: [3], data: Float32Array.of(1.5, 7, -2) } });
  expect((await readMatrix(single)).data).toEqual(Float32Array.from(DENSE));
  const twice = await put({ indices: ints(1, 0, 0) });
  expect([...(await readMatrix(twice)).data].slice(6)).toEqual([5, 0, 0]); // SciPy adds them, too
  expect(await refusal(readMatrix(`${await put({})}:samples`))).toContain('has no array "samples"');
});

it('streams its rows', async () => {
  const table = await openTable(await put({}));
  const pieces: number[] = [];
  for await (const piece of table.stream()) pieces.push(...piece);
  expect([table.isSparse, pieces]).toEqual([true, DENSE]);
  await table.close();
});

describe('is refused', () => {
  it.each<[string, Record<string, ArrayInput>, string]>([
    [
      'in columns',
      { format: 'csc' },
      's.npz: must be a sparse matrix in the format csr; got "csc". Save it with .tocsr().',
    ],
    ['with rows out of order', { indptr: ints(0, 2, 1, 3) }, 's.npz:indptr must be row ends in order; got 1 at 2.'],
    ['with a late first row', { indptr: ints(1, 1, 1, 3) }, 's.npz:indptr must be row ends from 0 on; got 1 at 0.'],
    ['with a row beyond the values', { indptr: ints(0, 9, 9, 3) }, 's.npz:indptr must be at most 3; got 9 at 1.'],
    [
      'with a column beyond the last',
      { indices: ints(1, 3, 0) },
      's.npz:indices must be columns from 0 to 2; got 3 at 1.',
    ],
    [
      'with a negative column',
      { indices: ints(1, -1, 0) },
      's.npz:indices must be whole numbers from 0 to 2147483647; got -1 at 1.',
    ],
    ['with too few rows', { shape: longs(4n, 3n) }, 's.npz:indptr must be a 1-d array of 5 numbers; got shape (4).'],
    ['with too few columns', { indices: ints(1) }, 's.npz:indices must be a 1-d array of 3 numbers; got shape (1).'],
    ['without a shape', { shape: 'x' }, 's.npz: has no array of numbers "shape".'],
    [
      'without rows',
      { shape: longs(0n, 3n), indptr: ints(0), data: floats(), indices: ints() },
      's.npz: must have at least one row and one column; got 0 × 3.',
    ],
  ])('%s', async (_, changes, message) => {
    expect(await refusal(openSource(await put(changes)))).toBe(message);
  });

  it('where a row would not fit into memory', async () => {
    const path = await put({ shape: longs(3n, 2147483647n) });
    expect(await refusal(openSource(path))).toMatch(/^s\.npz: unpacks to 51\.5 GB or more/);
  });
});

it.each(['f32', 'f64'] as const)('is written as it is read: %s', async (precision) => {
  const path = inDirectory('written.npz');
  const typed = (numbers: number[]) => (precision === 'f32' ? Float32Array.from(numbers) : Float64Array.from(numbers));
  async function* pieces() {
    yield typed(DENSE.slice(0, 3));
    yield typed([]);
    yield typed([...DENSE.slice(3), 0, 0, -0]);
  }
  await writeSparse(path, { rows: 4, cols: 3, precision, pieces: pieces() });
  const { rows, data } = await readMatrix(path);
  expect([rows, data]).toEqual([4, typed([...DENSE, 0, 0, 0])]);
  const arrays = await readArrays(path);
  expect([...arrays].map(([name, { dtype }]) => `${name} ${dtype}`)).toEqual([
    'indices <i4',
    'indptr <i4',
    'format |S3',
    'shape <i8',
    `data <${precision === 'f32' ? 'f4' : 'f8'}`,
  ]);
  expect([...(arrays.get('indptr')!.data as Float64Array)]).toEqual([0, 1, 1, 3, 3]);
});

it('is written even if all is zero', async () => {
  const path = inDirectory('zero.npz');
  async function* pieces() {
    yield new Float64Array(6);
  }
  await writeSparse(path, { rows: 2, cols: 3, precision: 'f64', pieces: pieces() });
  expect((await readMatrix(path)).data).toEqual(new Float64Array(6));
});

it('has row ends of 8 bytes only where 4 are too few', () => {
  expect(rowEnds(Float64Array.of(0, 5, 2 ** 31 - 1))).toEqual(Int32Array.of(0, 5, 2 ** 31 - 1));
  expect(rowEnds(Float64Array.of(0, 5, 2 ** 31))).toEqual(BigInt64Array.of(0n, 5n, 2n ** 31n));
});
