/** Sources that several passes read: opened once, kept while they are in use, and the last few of the others. */
import { expect, it } from 'vitest';
import { memorySource } from '#src/engine/memory.ts';
import { sharedOpener } from '#src/engine/shared-sources.ts';
import type { Locator } from '#src/engine/source.ts';

const MOST_OPEN = 4;

/** An opener that takes note of what it opens and closes; `broken`: what cannot be opened. */
function noting() {
  const log: string[] = [];
  const broken = new Set<string>();
  const open = sharedOpener(
    async ({ kind }) => {
      log.push(`open ${kind}`);
      if (broken.has(kind)) throw new Error(`${kind} is gone`);
      const close = async () => void log.push(`close ${kind}`);
      return { ...memorySource({ rows: 1, cols: 1, data: Float64Array.of(0) }), close };
    },
    ({ kind }) => kind,
  );
  const use = (kind: string) => open({ kind } as Locator);
  /** What happens while something is done. */
  const during = async (act: () => Promise<unknown>) => {
    log.length = 0;
    await act();
    await new Promise((resolve) => setTimeout(resolve)); // sources close in their own time
    return [...log];
  };
  return { broken, use, during };
}

const passOver = (use: (kind: string) => Promise<{ close?: () => Promise<void> }>) => async (kind: string) =>
  (await use(kind)).close!();

it('opens a source once for passes at once and one after the other', async () => {
  const { use, during } = noting();
  expect(await during(() => Promise.all([use('a'), use('a')]))).toEqual(['open a']);
  expect(await during(() => passOver(use)('a'))).toEqual([]);
});

it('closes those used longest ago, once there are more than a few', async () => {
  const { use, during } = noting();
  const pass = passOver(use);
  for (const kind of ['a', 'b', 'c', 'd']) expect(await during(() => pass(kind))).toEqual([`open ${kind}`]);
  expect(await during(() => pass('a'))).toEqual([]); // now b has not been used for longest
  expect((await during(() => pass('e'))).toSorted()).toEqual(['close b', 'open e']);
  expect(await during(() => pass('a'))).toEqual([]);
  expect((await during(() => pass('b'))).toSorted()).toEqual(['close c', 'open b']);
});

it('closes none that is in use, however many there are', async () => {
  const { use, during } = noting();
  const kinds = Array.from({ length: MOST_OPEN + 2 }, (_, k) => `s${k}`);
  const open: { close?: () => Promise<void> }[] = [];
  for (const kind of kinds) open.push(await use(kind));
  expect(await during(async () => void open.push(await use('s0')))).toEqual([]);
  await open[0].close!();
  expect(await during(() => use('more'))).toEqual(['open more']); // s0 is in use once more, and was used last
  for (const source of open.slice(1)) await source.close!();
  expect((await during(() => use('last'))).toSorted()).toEqual([
    'close s1',
    'close s2',
    'close s3',
    'close s4',
    'open last',
  ]);
});

it('tries again to open what could not be opened', async () => {
  const { use, during, broken } = noting();
  broken.add('a');
  await expect(use('a')).rejects.toThrow('a is gone');
  broken.clear();
  expect(await during(() => passOver(use)('a'))).toEqual(['open a']);
});

it('leaves room for others where one could not be opened', async () => {
  const { use, during, broken } = noting();
  broken.add('x');
  for (const kind of ['a', 'b', 'c']) await passOver(use)(kind);
  await expect(use('x')).rejects.toThrow('x is gone');
  expect(await during(() => passOver(use)('d'))).toEqual(['open d']);
});
