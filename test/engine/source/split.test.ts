/** Two sides of a source: every row is on one of them, in order, and every way to read a side gives the same rows. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shareMatrix } from '#src/core/shared-memory.ts';
import { locatorOpener, memoryReader } from '#src/engine/source/locator.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { type Side, sideOf } from '#src/engine/source/split.ts';

/** Its only column counts the rows. */
const counting = (rows: number) =>
  memorySource(shareMatrix({ rows, cols: 1, data: Float64Array.from({ length: rows }, (_, i) => i) }));

const sizes = fc
  .integer({ min: 2, max: 3000 })
  .chain((all) => fc.tuple(fc.constant(all), fc.integer({ min: 1, max: Math.floor(all / 2) })));

async function rowsOf(all: number, side: Side, step: number): Promise<number[]> {
  const source = sideOf(counting(all), side);
  const rows: number[] = [];
  for (let start = 0; start < source.rows; start += step) {
    rows.push(...(await source.read(start, Math.min(source.rows, start + step))).data);
  }
  return rows;
}

it('puts every row on one side, in order', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 400 }), async ([all, held], step) => {
      const learned = await rowsOf(all, { held, side: 'learned' }, step);
      const heldOut = await rowsOf(all, { held, side: 'held' }, step);
      expect([learned.length, heldOut.length]).toEqual([all - held, held]);
      for (const rows of [learned, heldOut]) expect(rows.every((row, i) => i === 0 || row > rows[i - 1])).toBe(true);
      expect([...learned, ...heldOut].sort((a, b) => a - b)).toEqual(Array.from({ length: all }, (_, i) => i));
    }),
    { numRuns: 60 },
  );
});

it('spreads runs of neighbours over the whole', async () => {
  const heldOut = await rowsOf(40_000, { held: 4000, side: 'held' }, 4000);
  const starts = heldOut.filter((row, i) => i === 0 || row > heldOut[i - 1] + 1);
  expect(starts).toHaveLength(32);
  const gaps = starts.slice(1).map((row, i) => row - starts[i]);
  expect([Math.min(...gaps), Math.max(...gaps)]).toEqual([1250, 1250]);
});

it('reads the same rows by a locator, with and without waiting, and tells their numbers in the whole', async () => {
  const open = locatorOpener({});
  await fc.assert(
    fc.asyncProperty(sizes, fc.constantFrom('learned', 'held'), fc.gen(), async ([all, held], side, gen) => {
      const source = sideOf(counting(all), { held, side });
      const start = gen(fc.nat, source.rows - 1);
      const end = start + 1 + gen(fc.nat, source.rows - start - 1);
      const { data } = await source.read(start, end);
      expect(Array.from(data)).toEqual(Array.from({ length: end - start }, (_, i) => source.rowInFile!(start + i)));
      expect((await (await open(source.locator!)).read(start, end)).data).toEqual(data);
      const reader = memoryReader(source.locator!)!;
      expect([reader.rows, reader.read(start, end).data]).toEqual([source.rows, data]);
    }),
    { numRuns: 60 },
  );
  await expect(open({ kind: 'split', of: counting(9).locator, held: 5, side: 'held' })).rejects.toThrow('beyond the 9');
});
