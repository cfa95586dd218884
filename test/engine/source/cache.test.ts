/** Open sources are shared, the last few stay open, and nothing in use is closed. */
import { expect, it } from 'vitest';
import { sharedOpener } from '#src/engine/source/cache.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import type { FileLocator } from '#src/engine/source/source.ts';

const file = (spec: string): FileLocator => ({ kind: 'file', spec, size: 8, stamp: '' });

/** An opener that records what it opens and closes; a file called `bad` cannot be opened. */
function recording() {
  const [opened, closed]: [string[], string[]] = [[], []];
  const open = sharedOpener(
    async ({ spec }: FileLocator) => {
      opened.push(spec);
      if (spec === 'bad') throw new Error('cannot be opened');
      const source = memorySource({ rows: 1, cols: 1, data: Float64Array.of(opened.length) });
      return { ...source, close: async () => void closed.push(spec) };
    },
    ({ spec }) => spec,
  );
  const use = async (spec: string) => (await open(file(spec))).close?.();
  return { opened, closed, open, use };
}

it('opens a source once for several passes, also at the same time', async () => {
  const { opened, open, use } = recording();
  const both = await Promise.all([open(file('a')), open(file('a'))]);
  for (const source of both) expect((await source.read(0, 1)).data[0]).toBe(1);
  for (const source of both) await source.close?.();
  await use('a');
  expect(opened).toEqual(['a']);
});

it('keeps the four used last, and closes the one used longest ago', async () => {
  const { opened, closed, use } = recording();
  for (const spec of ['a', 'b', 'c', 'd', 'a', 'e']) await use(spec);
  await Promise.resolve();
  expect([opened, closed]).toEqual([['a', 'b', 'c', 'd', 'e'], ['b']]);
  await use('b');
  await Promise.resolve();
  expect([opened.slice(5), closed]).toEqual([['b'], ['b', 'c']]);
});

it('never closes a source in use', async () => {
  const { closed, open, use } = recording();
  const used = await open(file('a'));
  for (const spec of ['b', 'c', 'd', 'e', 'f']) await use(spec);
  await Promise.resolve();
  expect(closed).toEqual(['b', 'c']);
  await used.close?.();
});

it('keeps sources in use beyond the four, and closes them when others are opened later', async () => {
  const { closed, open, use } = recording();
  const used = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((spec) => open(file(spec))));
  const again = await open(file('a')); // now a was used last, twice at once
  await used[0].close?.();
  await open(file('g'));
  expect(closed).toEqual([]);
  for (const source of [...used.slice(1), again]) await source.close?.();
  await use('h');
  await Promise.resolve();
  expect(closed).toEqual(['b', 'c', 'd', 'e']);
});

it('tries again to open what could not be opened', async () => {
  const { opened, use } = recording();
  for (let attempt = 0; attempt < 2; attempt++) await expect(use('bad')).rejects.toThrow('cannot be opened');
  expect(opened).toEqual(['bad', 'bad']);
});

it('leaves room for others where one could not be opened', async () => {
  const { closed, use } = recording();
  for (const spec of ['a', 'b', 'c']) await use(spec);
  await expect(use('bad')).rejects.toThrow('cannot be opened');
  await use('d');
  await Promise.resolve();
  expect(closed).toEqual([]);
});
