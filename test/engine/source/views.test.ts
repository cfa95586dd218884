/**
 * Views of a source. A subsample consists of runs of neighbours, spread over the whole, and never reads beyond its end. Of the
 * two sides of a split each row is on exactly one, in order; and every way to read a side gives the same rows.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareMatrix } from '#src/core/shared-memory.ts';
import { locatorOpener, memoryReader } from '#src/engine/source/locator.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { chunkRanges } from '#src/engine/source/source.ts';
import { rangesInWhole, type SplitSide, splitSide, subsampleOf } from '#src/engine/source/views.ts';

/** Its only column counts the rows. */
const counting = (rows: number) =>
  memorySource(shareMatrix({ rows, cols: 1, data: Float64Array.from({ length: rows }, (_, i) => i) }));

const sizes = fc
  .integer({ min: 2, max: 3000 })
  .chain((all) => fc.tuple(fc.constant(all), fc.integer({ min: 1, max: Math.floor(all / 2) })));

async function rowsOf(all: number, side: SplitSide, step: number): Promise<number[]> {
  const source = splitSide(counting(all), side);
  const rows: number[] = [];
  for (let start = 0; start < source.rows; start += step) {
    rows.push(...(await source.read(start, Math.min(source.rows, start + step))).data);
  }
  return rows;
}

describe('subsampleOf', () => {
  it('has rows of the whole source in order, in runs of neighbours, each row once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3000 }),
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        fc.nat(50),
        async (all, share, turn) => {
          const rows = Math.max(1, Math.floor(share * all));
          const whole = memorySource({ rows: all, cols: 1, data: Float64Array.from({ length: all }, (_, i) => i) });
          const part = subsampleOf(whole, rows, turn);
          const seen: number[] = [];
          for (let start = 0; start < rows; start += 100) {
            const { data } = await part.read(start, Math.min(rows, start + 100));
            expect(data.every((row, i) => i === 0 || row === data[i - 1] + 1)).toBe(true);
            seen.push(...data);
          }
          expect(seen.length).toBe(rows);
          expect(new Set(seen).size).toBe(rows);
          expect(seen.every((row, i) => row >= 0 && row < all && (i === 0 || row > seen[i - 1]))).toBe(true);
        },
      ),
    );
  });

  it('reaches from the first chunk of the whole to the last', async () => {
    const whole = memorySource({
      rows: 40_000,
      cols: 100,
      data: Float32Array.from({ length: 4_000_000 }, (_, i) => i / 100),
    });
    const part = subsampleOf(whole, 8000);
    const ranges = chunkRanges(part.rows, part.cols);
    const firsts = await Promise.all(
      ranges.map(async ({ start, end }) => Math.round((await part.read(start, end)).data[0])),
    );
    expect(firsts).toEqual(ranges.map((_, k) => (k * 40_000) / ranges.length));
  });

  it('takes other rows every turn, and nearly all of them in a few', async () => {
    const whole = memorySource({ rows: 40_000, cols: 1, data: Float64Array.from({ length: 40_000 }, (_, i) => i) });
    const seen = new Set<number>();
    const turns: number[][] = [];
    for (let turn = 0; turn < 20; turn++) {
      const part = subsampleOf(whole, 8000, turn);
      const rows: number[] = [];
      for (let start = 0; start < 8000; start += 2000) rows.push(...(await part.read(start, start + 2000)).data);
      for (const row of rows) seen.add(row);
      turns.push(rows);
    }
    expect(turns[0]).toEqual([...(await readAll(subsampleOf(whole, 8000)))]);
    for (let turn = 1; turn < 20; turn++) {
      const before = new Set(turns[turn - 1]);
      expect(turns[turn].filter((row) => before.has(row)).length).toBeLessThan(8000 / 2);
    }
    expect(seen.size).toBeGreaterThan(0.95 * 40_000);
  });
});

async function readAll(part: ReturnType<typeof subsampleOf>): Promise<number[]> {
  const rows: number[] = [];
  for (let start = 0; start < part.rows; start += 2000) rows.push(...(await part.read(start, start + 2000)).data);
  return rows;
}

describe('splitSide', () => {
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

  it('is read in as few ranges as it has runs, none of them empty', () => {
    fc.assert(
      fc.property(sizes, fc.constantFrom('learned', 'held'), fc.gen(), ([all, held], side, gen) => {
        const rows = side === 'held' ? held : all - held;
        const start = gen(fc.nat, rows - 1);
        const end = start + 1 + gen(fc.nat, rows - start - 1);
        const ranges = rangesInWhole(start, end, all, { held, side });
        expect(ranges.every((range) => range.end > range.start)).toBe(true);
        expect(ranges.reduce((sum, range) => sum + range.end - range.start, 0)).toBe(end - start);
      }),
    );
    expect(rangesInWhole(0, 3, 4, { held: 1, side: 'learned' })).toEqual([
      { start: 0, end: 1 },
      { start: 2, end: 4 },
    ]);
  });

  it('spreads runs of neighbours over the whole', async () => {
    const heldOut = await rowsOf(40_000, { held: 4000, side: 'held' }, 4000);
    const starts = heldOut.filter((row, i) => i === 0 || row > heldOut[i - 1] + 1);
    expect(starts).toHaveLength(32);
    const gaps = starts.slice(1).map((row, i) => row - starts[i]);
    expect([Math.min(...gaps), Math.max(...gaps)]).toEqual([1250, 1250]);
  });

  it('reads the same rows by a locator, with and without waiting, and gives their numbers in the whole', async () => {
    const open = locatorOpener();
    await fc.assert(
      fc.asyncProperty(sizes, fc.constantFrom('learned', 'held'), fc.gen(), async ([all, held], side, gen) => {
        const source = splitSide(counting(all), { held, side });
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
    await expect(open({ kind: 'split', of: counting(9).locator!, held: 5, side: 'held' })).rejects.toThrow(
      'beyond the last of 9 rows',
    );
  });
});
