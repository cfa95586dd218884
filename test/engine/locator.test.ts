/** Parts, ranges and sides of a source, one within the other: every way to open them gives the same rows. */
import { describe, expect, it } from 'vitest';
import { shareMatrix } from '#src/core/share.ts';
import { isWithin, locatorOpener, memoryReader } from '#src/engine/locator.ts';
import { memorySource } from '#src/engine/memory.ts';
import { partOf } from '#src/engine/part.ts';
import { rangeOf } from '#src/engine/range.ts';
import { readAll } from '#src/engine/read-all.ts';
import type { Source } from '#src/engine/source.ts';
import { sideOf } from '#src/engine/split.ts';

const whole = memorySource(shareMatrix({ rows: 60, cols: 1, data: Float64Array.from({ length: 60 }, (_, i) => i) }));
const open = locatorOpener({});

const sources: [string, Source][] = [
  ['all', whole],
  ['a range', rangeOf(whole, 10, 40)],
  ['a part', partOf(whole, 20, 3)],
  ['a side', sideOf(whole, { held: 12, side: 'held' })],
  ['the other side', sideOf(whole, { held: 12, side: 'learned' })],
  ['a range of a side of a part', rangeOf(sideOf(partOf(whole, 40, 1), { held: 8, side: 'learned' }), 3, 30)],
  ['a part of a range', partOf(rangeOf(whole, 5, 55), 10, 2)],
];

it.each(sources)('%s has the same rows wherever it is opened', async (_, source) => {
  const { locator, rows } = source;
  const reader = memoryReader(locator!)!;
  const elsewhere = await open(locator!);
  expect([reader.rows, elsewhere.rows]).toEqual([rows, rows]);
  for (const [start, end] of [
    [0, rows],
    [0, 1],
    [2, 7],
    [rows - 3, rows],
  ]) {
    const right = [...(await source.read(start, end)).data];
    expect([...reader.read(start, end).data]).toEqual(right);
    expect([...(await elsewhere.read(start, end)).data]).toEqual(right);
  }
  await elsewhere.close?.();
});

it('rows of a range and of a part are those of the whole', async () => {
  expect([...(await rangeOf(whole, 10, 40).read(1, 3)).data]).toEqual([11, 12]);
  expect([...(await partOf(whole, 20).read(4, 6)).data]).toEqual([12, 13]);
});

describe('a locator', () => {
  const { locator } = whole;

  it.each([
    ['range', { start: 0, end: 60 }, 60],
    ['part', { rows: 60, turn: 0 }, 60],
    ['split', { held: 30, side: 'held' }, 60],
  ])('of a %s does not reach beyond the whole', async (kind, fits, last) => {
    await open({ kind, of: locator, ...fits });
    const beyond = { range: { start: 0, end: 61 }, part: { rows: 61, turn: 0 }, split: { held: 31, side: 'held' } };
    const words = `sources: row ${kind === 'split' ? 62 : last + 1} is beyond the 60 that there are.`;
    await expect(open({ kind, of: locator, ...beyond[kind as 'range'] })).rejects.toThrow(words);
  });

  it('closes what it has opened, also where it does not fit', async () => {
    let closed = 0;
    const opener = locatorOpener({ file: async () => ({ ...whole, close: async () => void closed++ }) });
    const range = await opener({ kind: 'range', of: { kind: 'file' }, start: 0, end: 5 });
    expect(closed).toBe(0);
    await range.close!();
    expect(closed).toBe(1);
    await expect(opener({ kind: 'range', of: { kind: 'file' }, start: 0, end: 99 })).rejects.toThrow('beyond');
    expect(closed).toBe(2);
  });

  it('of an unknown kind is refused, and is not in memory', async () => {
    await expect(open({ kind: 'file' })).rejects.toThrow(
      'sources: cannot open the kind "file" here; known: memory, part, range, split.',
    );
    expect(memoryReader({ kind: 'file' })).toBeUndefined();
    expect(memoryReader({ kind: 'range', of: { kind: 'file' }, start: 0, end: 1 })).toBeUndefined();
    expect(['part', 'range', 'split', 'memory', 'file'].map((kind) => isWithin({ kind }))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('reading all samples', () => {
  it('copies what is not in memory as float64, chunk by chunk', async () => {
    const own = memorySource({ rows: 2, cols: 2, data: Float64Array.of(1, 2, 3, 4) });
    expect(await readAll(own)).toBe(own.matrix);
    const single = memorySource({ rows: 2, cols: 2, data: Float32Array.of(1, 2, 3, 4) });
    expect(await readAll(single)).toEqual(own.matrix);
    const ranges = [0, 25, 50].map((start) => ({ start, end: Math.min(60, start + 25) }));
    expect((await readAll({ ...rangeOf(whole, 0, 60), ranges })).data).toEqual(Float64Array.from(whole.matrix.data));
  });

  it('ends by an abort, and says when they are too many', async () => {
    const source = rangeOf(whole, 0, 60);
    await expect(readAll(source, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    const huge = { ...source, rows: 2 ** 31, cols: 2 ** 31 };
    await expect(readAll(huge, undefined, 'learnMixture')).rejects.toThrow(
      'learnMixture: samples must be few enough to be held in memory as float64; got 2147483648 × 2147483648 numbers.',
    );
  });
});
