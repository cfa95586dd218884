/** Many files as one source: a folder, a pattern, a list. The bits are those of the same rows in one file. */
import { existsSync, mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { type Matrix, rowRange, toFloat32 } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { createNodeExecutor, learn, openSource, readMatrix, writeArray, writeArrays } from '#src/node/index.ts';
import { filesOf } from '#src/node/io/many-files.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { bits } from '../../helpers/bytes.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;
const matrix = normalMatrix(9000, 5, createRandom(3, 'many'));
/** Names in order, and where their rows end. */
const PARTS: [name: string, end: number][] = [
  ['a.npy', 4000],
  ['b10.npy', 4001],
  ['b9.npz', 8000],
  ['c.npy', 9000],
];

beforeAll(async () => {
  mkdirSync(f('shards'));
  let start = 0;
  for (const [name, end] of PARTS) {
    const part = rowRange(matrix, start, end);
    if (name.endsWith('.npz')) await writeArrays(f(`shards/${name}`), { samples: part });
    else await writeArray(f(`shards/${name}`), part);
    start = end;
  }
  writeFileSync(f('shards/README.txt'), 'not samples');
  writeFileSync(f('shards/.hidden.npy'), 'not samples');
  writeFileSync(f('list.txt'), `${PARTS.map(([name]) => `shards/${name}`).join('\n')}\n\n`);
});

it('a list is a file, and no longer than lists are', async () => {
  mkdirSync(f('folder-list'));
  writeFileSync(f('long.txt'), '');
  truncateSync(f('long.txt'), 2 ** 24 + 1);
  const mustBe = 'must be a file of at most 16.8 MB with a list of files';
  for (const [name, got] of [
    [f('folder-list'), 'something else'],
    [f('long.txt'), '16.8 MB'],
    ...(existsSync('/dev/zero') ? [['/dev/zero', 'something else']] : []),
  ]) {
    await expect(openSource(`@${name}`)).rejects.toThrow(new InputError(`@${name}: ${mustBe}; got ${got}.`));
  }
});

it('a list has at most 4096 files', async () => {
  const list = (count: number) => `${Array.from({ length: count }, (_, k) => `${k}.npy`).join('\n')}\n`;
  writeFileSync(f('most.txt'), list(4096));
  const isKnown = () => true;
  const found = await filesOf(`@${f('most.txt')}`, isKnown);
  expect([found?.length, found?.[4095]]).toEqual([4096, f('4095.npy')]);
  writeFileSync(f('more.txt'), list(4097));
  await expect(filesOf(`@${f('more.txt')}`, isKnown)).rejects.toThrow('must be at most 4096 files; got 4097.');
});

describe.each([
  ['a folder', () => f('shards')],
  ['a pattern', () => f('sh?rds/*.np*')],
  ['a list', () => `@${f('list.txt')}`],
])('%s', (_, spec) => {
  it('has the rows of all files, in the order of their names', async () => {
    expect(bits(await readMatrix(spec()))).toBe(bits(matrix));
  });

  it.each([undefined, 0])('gives the bits of one file, with a memory limit of %s', async (memoryLimit) => {
    const executor = await createNodeExecutor({ threads: 2, backend: 'wasm' });
    await executor.warm?.();
    const source = await openSource(spec(), memoryLimit === undefined ? {} : { memoryLimit });
    expect([source.rows, source.cols]).toEqual([9000, 5]);
    expect(bits(await source.read(3998, 4005))).toBe(bits(rowRange(matrix, 3998, 4005)));
    const whole = {
      ...source,
      read: async (start: number, end: number): Promise<Matrix> => rowRange(matrix, start, end),
    };
    const expected = await executor.sum(surveyPass, { moments: true }, { ...whole, locator: undefined });
    expect(bits(await executor.sum(surveyPass, { moments: true }, source))).toBe(bits(expected));
    await source.close?.();
    await executor.close();
  });
});

it('is float32 only if every file is', async () => {
  mkdirSync(f('mixed'));
  await writeArray(f('mixed/1.npy'), toFloat32(rowRange(matrix, 0, 10)));
  expect((await readMatrix(f('mixed'))).data).toBeInstanceOf(Float32Array);
  await writeArray(f('mixed/2.npy'), rowRange(matrix, 10, 20));
  const { data } = await readMatrix(f('mixed'));
  expect(data).toBeInstanceOf(Float64Array);
  expect(data.slice(50)).toEqual(matrix.data.slice(50, 100));
});

it.each<[string, () => Promise<string>, RegExp]>([
  [
    'files of different widths',
    async () => {
      mkdirSync(f('widths'));
      await writeArray(f('widths/1.npy'), matrix);
      await writeArray(f('widths/2.npy'), normalMatrix(3, 4, createRandom(1, 'w')));
      return f('widths');
    },
    /2\.npy: must have 5 columns, as .*1\.npy; got 4\.$/,
  ],
  [
    'an empty folder',
    async () => {
      mkdirSync(f('empty'));
      return f('empty');
    },
    /empty: must be a folder with files of samples; got none\.$/,
  ],
  ['a pattern that fits nothing', async () => f('shards/*.idx'), /must be a pattern that fits some files; got none\.$/],
  ['a list that is not there', async () => `@${f('no.txt')}`, /no\.txt: the list of files cannot be read\.$/],
  ['a file that is not there', async () => f('no.npy'), /cannot be read \(no such file\)\.$/],
])('refuses %s', async (_, make, message) => {
  const refused = openSource(await make());
  await expect(refused).rejects.toThrow(InputError);
  await expect(refused).rejects.toThrow(message);
});

it('notices in a thread that one of the files has changed', async () => {
  mkdirSync(f('changing'));
  for (const name of ['1.npy', '2.npy']) await writeArray(f(`changing/${name}`), matrix);
  const executor = await createNodeExecutor({ threads: 2, backend: 'wasm' });
  await executor.warm?.();
  const source = await openSource(f('changing'), { memoryLimit: 0 });
  utimesSync(f('changing/2.npy'), 1, 1);
  await expect(learn(source, {}, { executor })).rejects.toThrow(/changed/);
  await source.close?.();
  await executor.close();
});
