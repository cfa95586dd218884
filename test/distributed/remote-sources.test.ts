/** The files that a worker keeps open: the last four, in memory if they fit, and only the requested rows. */
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fetchRows, isRemote, openRemote } from '#src/distributed/remote-sources.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import type { Locator, Source } from '#src/engine/source/source.ts';
import { openSource, writeArray } from '#src/node/index.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { itUnless } from '../helpers/skip.ts';

const scratch = scratchDirectory();
const matrix = { rows: 6, cols: 2, data: Float64Array.from({ length: 12 }, (_, k) => k) };

async function locatorOf(name: string): Promise<Locator> {
  await writeArray(scratch.file(name), matrix);
  const source = await openSource(scratch.file(name), { memoryLimit: 0 });
  await source.close?.();
  return source.locator!;
}

const file: Locator = { kind: 'file', spec: 'x.npy', size: 1, stamp: '' };
const memory: Locator = { kind: 'memory', ...matrix };
const noList = existsSync('/proc/self/fd') ? undefined : 'there is no list of open files';

itUnless(noList, 'the last four files stay open, whoever closes them', async () => {
  const openNames = () =>
    readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        const path = readlinkSync(`/proc/self/fd/${fd}`);
        return path.startsWith(scratch.path) ? [path.slice(scratch.path.length + 1)] : [];
      } catch {
        return []; // it was that of the list
      }
    });
  const locators: Locator[] = [];
  for (let k = 0; k < 6; k++) locators.push(await locatorOf(`${k}.npy`));
  const use = async (k: number) => {
    const source = await openRemote(locators[k]);
    expect((await source.read(1, 2)).data).toEqual(Float64Array.of(2, 3));
    await source.close!();
    await new Promise((resolve) => setTimeout(resolve, 20)); // files close in their own time
    return openNames().sort();
  };
  for (let k = 0; k < 4; k++) expect(await use(k)).toHaveLength(k + 1);
  expect(await use(0)).toEqual(['0.npy', '1.npy', '2.npy', '3.npy']);
  expect(await use(4)).toEqual(['0.npy', '2.npy', '3.npy', '4.npy']);
  expect(await use(5)).toEqual(['0.npy', '3.npy', '4.npy', '5.npy']);
  expect(await use(1)).toEqual(['0.npy', '1.npy', '4.npy', '5.npy']);
});

it('a file that could not be opened is tried again', async () => {
  const locator = await locatorOf('late.npy');
  const { renameSync } = await import('node:fs');
  renameSync(scratch.file('late.npy'), scratch.file('away.npy'));
  await expect(openRemote(locator)).rejects.toThrow('late.npy');
  renameSync(scratch.file('away.npy'), scratch.file('late.npy'));
  expect((await openRemote(locator)).rows).toBe(6);
});

it('rows are read where the file is kept in memory, once for all threads', async () => {
  const reads: number[][] = [];
  const source = (of: Locator): Source => ({
    ...memorySource(matrix),
    locator: { kind: 'slice', start: 0, end: 6, of },
    read: async (start, end) => {
      reads.push([start, end]);
      return matrix;
    },
  });
  const chunks = [
    { start: 0, end: 2 },
    { start: 4, end: 6 },
  ];
  await fetchRows(source(file), chunks);
  expect(reads).toEqual([]);
  await fetchRows(source(memory), chunks);
  expect(reads).toEqual([
    [0, 2],
    [4, 6],
  ]);
});

it('files and views of them can be opened elsewhere, and nothing else', () => {
  const of = (locator?: Locator) => isRemote({ ...memorySource(matrix), locator });
  const side: Locator = { kind: 'split', of: file, held: 1, side: 'held' };
  expect(of(file)).toBe(true);
  expect(of({ kind: 'files', of: [file] })).toBe(true);
  expect(of({ kind: 'subsample', of: side, rows: 1, turn: 0 })).toBe(true);
  expect([of(), of(memory), of({ kind: 'slice', of: memory, start: 0, end: 1 })]).toEqual([false, false, false]);
});
