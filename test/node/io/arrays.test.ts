/** Arrays in files: what is written is read back, wrong arguments are refused before a file is touched, and files are closed. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { arrayNames, readArray, readArrays, readMatrix, writeArray, writeArrays } from '#src/node/io/arrays.ts';
import { openSource } from '#src/node/io/file-source.ts';
import { scratchFiles } from '../../helpers/files.ts';
import { itUnless } from '../../helpers/skip.ts';

const { inDirectory, put, refusal } = scratchFiles();

const matrix = { rows: 2, cols: 3, data: Float32Array.of(1, 2, 3, 4, 5, 6) };
const cube = { shape: [2, 1, 2], data: BigInt64Array.of(1n, 2n, 3n, 4n) };

it('come back by their names, all of them or some', async () => {
  const path = inDirectory('all.npz');
  await writeArrays(path, { matrix, cube, note: 'ä' });
  expect(await arrayNames(path)).toEqual(['matrix', 'cube', 'note']);
  const all = await readArrays(path);
  expect([...all].map(([name, { dtype, shape }]) => [name, dtype, shape])).toEqual([
    ['matrix', '<f4', [2, 3]],
    ['cube', '<i8', [2, 1, 2]],
    ['note', '<U1', []],
  ]);
  expect([...(await readArrays(path, ['note', 'none'])).keys()]).toEqual(['note']);
  expect((await readArray(`${path}:cube`)).shape).toEqual([2, 1, 2]);
  expect(await readMatrix(`${path}:matrix`)).toEqual(matrix);
  await writeArray(inDirectory('one.npy'), matrix);
  expect((await readArray(inDirectory('one.npy'))).data).toEqual(matrix.data);
  const before = readFileSync(path);
  await writeArrays(path, { matrix, cube, note: 'ä' });
  expect(readFileSync(path)).toEqual(before);
});

const PATH = 'path must be the name of a file';
const OPTIONS = 'options must be an object';
it.each<[string, () => Promise<unknown>, string]>([
  ['readArrays', () => readArrays(5 as never), PATH],
  ['readArrays', () => readArrays('x.npz', undefined, 5 as never), OPTIONS],
  ['readArray', () => readArray({} as never), PATH],
  ['readArray', () => readArray('x.npz', null as never), OPTIONS],
  ['readMatrix', () => readMatrix(undefined as never), PATH],
  ['readMatrix', () => readMatrix('x.npz', 'f8' as never), OPTIONS],
  ['openSource', () => openSource(7 as never), PATH],
  ['openSource', () => openSource('x.npz', 7 as never), OPTIONS],
  ['writeArray', () => writeArray(5 as never, matrix), PATH],
  ['writeArray', () => writeArray(inDirectory('no.npy'), 5 as never), 'array must be'],
  ['writeArrays', () => writeArrays(5 as never, {}), PATH],
  ['writeArrays', () => writeArrays(inDirectory('no.npz'), null as never), 'arrays must be an object'],
  ['writeArrays', () => writeArrays(inDirectory('no.npz'), { a: matrix, b: [1] as never }), 'b must be'],
])('%s refuses what it cannot use', async (who, call, words) => {
  expect(await refusal(call())).toMatch(new RegExp(`^${who}: ${words}.*; got `));
  expect(existsSync(inDirectory('no.npy')) || existsSync(inDirectory('no.npz'))).toBe(false);
});

const noFolder = existsSync('/proc/self/fd') ? undefined : 'there is no list of open files';

itUnless(noFolder, 'files are closed after they were read, and after they were refused', async () => {
  const isOpen = (path: string) =>
    readdirSync('/proc/self/fd').some((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === path;
      } catch {
        return false; // it was that of the list
      }
    });
  const [good, bad] = [inDirectory('good.npz'), put('bad.npy', 'years of work')];
  await writeArrays(good, { matrix, cube });
  await readArrays(good);
  await arrayNames(good);
  await readArray(`${good}:cube`);
  await readMatrix(`${good}:matrix`);
  expect(isOpen(good)).toBe(false);
  const source = await openSource(`${good}:matrix`, { memoryLimit: 0 });
  expect(isOpen(good)).toBe(true);
  await source.close!();
  expect(isOpen(good)).toBe(false);
  await openSource(`${good}:matrix`); // its numbers fit into memory
  expect(isOpen(good)).toBe(false);
  for (const spec of [bad, `${good}:none`, `${good}:cube`]) {
    for (const read of [readMatrix, openSource]) expect(await refusal(read(spec))).toContain('.np');
  }
  await refusal(openSource(`@${put('list', `good.npz:matrix\n${bad}\n`)}`));
  await refusal(openSource(`${inDirectory('')}*.np?`, { memoryLimit: 0 }));
  expect([isOpen(good), isOpen(bad)]).toEqual([false, false]);
});
