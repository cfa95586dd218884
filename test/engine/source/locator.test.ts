/** A locator opens its source on every platform that supports its kind; views of memory are read without waiting. */
import { expect, it } from 'vitest';
import { shareMatrix } from '#src/core/shared-memory.ts';
import { locatorOpener, memoryReader } from '#src/engine/source/locator.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import type { FileLocator, Locator, Source } from '#src/engine/source/source.ts';
import { sliceOf, splitSide, subsampleOf } from '#src/engine/source/views.ts';

const whole = memorySource(shareMatrix({ rows: 100, cols: 1, data: Float64Array.from({ length: 100 }, (_, i) => i) }));
const file: FileLocator = { kind: 'file', spec: 'data.npy', size: 1, stamp: '' };

const views: [string, Source][] = [
  ['memory', whole],
  ['a slice', sliceOf(whole, 7, 93)],
  ['a subsample', subsampleOf(whole, 30, 3)],
  ['a side of a split', splitSide(whole, { held: 20, side: 'learned' })],
  ['a slice of a subsample of a side', sliceOf(subsampleOf(splitSide(whole, { held: 20, side: 'held' }), 15), 2, 12)],
];

it.each(views)('opens %s, and reads it without waiting', async (_, source) => {
  const locator = structuredClone(source.locator!);
  const opened = await locatorOpener()(locator);
  const reader = memoryReader(locator)!;
  expect([opened.rows, reader.rows]).toEqual([source.rows, source.rows]);
  for (let start = 0; start < source.rows; start += 4) {
    const end = Math.min(source.rows, start + 4);
    const { data } = await source.read(start, end);
    expect((await opened.read(start, end)).data).toEqual(data);
    expect(reader.read(start, end).data).toEqual(data);
  }
});

it('opens what the platform can open, also under views, and closes it with the view', async () => {
  let closed = 0;
  const open = locatorOpener({ kinds: ['file'], open: async () => ({ ...whole, close: async () => void closed++ }) });
  const opened = await open({ kind: 'slice', of: file, start: 5, end: 8 });
  expect([...(await opened.read(0, 3)).data]).toEqual([5, 6, 7]);
  await opened.close?.();
  expect(closed).toBe(1);
  expect(memoryReader({ kind: 'slice', of: file, start: 5, end: 8 })).toBeUndefined();
});

it.each<[string, Locator]>([
  ['a slice', { kind: 'slice', of: file, start: 5, end: 101 }],
  ['a subsample', { kind: 'subsample', of: file, rows: 101, turn: 0 }],
])('refuses %s of more rows than there are, and closes the source', async (_, locator) => {
  let closed = 0;
  const open = locatorOpener({ kinds: ['file'], open: async () => ({ ...whole, close: async () => void closed++ }) });
  await expect(open(locator)).rejects.toThrow('row 101 is beyond the last of 100 rows');
  expect(closed).toBe(1);
});

it('names the kinds that it knows', async () => {
  const words = 'cannot open the kind "file" here; known: memory, slice, subsample, split.';
  await expect(locatorOpener()(file)).rejects.toThrow(words);
});
