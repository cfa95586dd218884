/** Where chunks begin and end. Every bit of a result depends on this on any machine, so it must not change by accident. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunkRanges, rangesOf, requireSamples, type Source } from '#src/engine/source/source.ts';

it.each([
  // rows, columns, effort: chunks, rows of a chunk
  [1, 1, 1, 1, 1],
  [255, 4, 1, 1, 255],
  [2560, 4, 1, 1, 2560],
  [5000, 40, 1, 2, 2504],
  [20_000, 50, 1, 8, 2504],
  [30_000, 100, 1, 16, 1880],
  [8000, 180, 1, 4, 2000],
  [3000, 2000, 1, 8, 376],
  [40_000, 1000, 1, 20, 2000],
  [50_000, 160, 1, 24, 2088],
  [60_000, 200, 1, 29, 2072],
  [600_000, 784, 1, 293, 2048],
  [100_000, 20, 1, 16, 6256],
  [1_000_000, 1, 1, 2, 500_000],
  [1_000_000, 3, 1, 8, 125_000],
  [10_000_000, 8, 1, 305, 32_792],
  [5000, 40, 16, 16, 320],
  [20_000, 50, 10, 38, 528],
  [100_000, 100, 100, 391, 256],
  [20_000, 50, 0.1, 2, 10_000],
])('%d rows of %d columns with effort %d are %d chunks of %d rows', (rows, cols, effort, count, size) => {
  const ranges = chunkRanges(rows, cols, effort);
  expect([ranges.length, ranges[0].end]).toEqual([count, Math.min(rows, size)]);
  if (effort === 1) expect(chunkRanges(rows, cols)).toEqual(ranges);
});

it('chunks cover all rows once, in order and of one size but for the last', () => {
  const size = fc.integer({ min: 1, max: 300_000 });
  fc.assert(
    fc.property(size, fc.integer({ min: 1, max: 3000 }), fc.constantFrom(0.1, 1, 7, 100), (rows, cols, effort) => {
      const ranges = chunkRanges(rows, cols, effort);
      expect(ranges[0].start).toBe(0);
      expect(ranges.at(-1)!.end).toBe(rows);
      for (const [k, { start, end }] of ranges.entries()) {
        expect(end).toBeGreaterThan(start);
        if (k > 0) expect(start).toBe(ranges[k - 1].end);
        if (k < ranges.length - 1) expect(end - start).toBe(ranges[0].end);
      }
    }),
  );
});

it('a source may say itself where its chunks are', () => {
  const shape = { rows: 5000, cols: 40, precision: 'f64', read: async () => ({}) as never } as const;
  const ranges = [{ start: 0, end: 5000 }];
  expect(rangesOf({ ...shape, ranges })).toBe(ranges);
  expect(rangesOf(shape, 16)).toEqual(chunkRanges(5000, 40, 16));
});

it.each([
  [0, 3],
  [3, 0],
  [Number.NaN, 3],
])('samples of %d rows and %d columns are refused', (rows, cols) => {
  const source = { rows, cols } as Source;
  expect(() => requireSamples('learn', source)).toThrow(`at least one row and one column; got ${rows}×${cols}.`);
  requireSamples('learn', { rows: 1, cols: 1 } as Source);
});
