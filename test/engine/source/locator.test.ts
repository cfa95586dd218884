/** A locator opens its source on every platform that supports its kind; views of memory are read without waiting. */
import { expect, it } from 'vitest';
import { shareMatrix } from '#src/core/shared-memory.ts';
import { isView, locatorOpener, memoryReader } from '#src/engine/source/locator.ts';
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
  ['the other side of a split', splitSide(whole, { held: 20, side: 'held' })],
  ['a subsample of a slice', subsampleOf(sliceOf(whole, 5, 95), 20, 2)],
  ['a slice of a subsample of a side', sliceOf(subsampleOf(splitSide(whole, { held: 20, side: 'held' }), 15), 2, 12)],
];

it.each(views)('opens %s, and reads it without waiting', async (_, source) => {
  const locator = structuredClone(source.locator!);
  const opened = await locatorOpener()(locator);
  const reader = memoryReader(locator)!;
  expect([opened.rows, reader.rows]).toEqual([source.rows, source.rows]);
  const pieces = Array.from({ length: Math.ceil(source.rows / 4) }, (_, k) => [
    4 * k,
    Math.min(source.rows, 4 * k + 4),
  ]);
  for (const [start, end] of [...pieces, [0, source.rows], [0, 1]]) {
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

it.each<[string, fits: Locator, beyond: Locator, row: number]>([
  ['a slice', { kind: 'slice', of: file, start: 5, end: 100 }, { kind: 'slice', of: file, start: 5, end: 101 }, 101],
  [
    'a subsample',
    { kind: 'subsample', of: file, rows: 100, turn: 0 },
    { kind: 'subsample', of: file, rows: 101, turn: 0 },
    101,
  ],
  [
    'a side of a split',
    { kind: 'split', of: file, held: 50, side: 'held' },
    { kind: 'split', of: file, held: 51, side: 'held' },
    102,
  ],
])('refuses %s of more rows than there are, and closes the source', async (_, fits, beyond, row) => {
  let closed = 0;
  const open = locatorOpener({ kinds: ['file'], open: async () => ({ ...whole, close: async () => void closed++ }) });
  await open(fits);
  expect(closed).toBe(0);
  await expect(open(beyond)).rejects.toThrow(`row ${row} is beyond the last of 100 rows`);
  expect(closed).toBe(1);
});

it('names the kinds that it knows', async () => {
  const words = 'cannot open the kind "file" here; known: memory, slice, subsample, split.';
  await expect(locatorOpener()(file)).rejects.toThrow(words);
});

it('tells views from other kinds', () => {
  const kinds = ['slice', 'subsample', 'split', 'memory', 'file', 'blob'];
  expect(kinds.filter((kind) => isView({ kind } as Locator))).toEqual(['slice', 'subsample', 'split']);
  expect(memoryReader(file)).toBeUndefined();
});
