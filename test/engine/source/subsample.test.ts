/** A part of a source consists of runs of neighbours, spread over the whole, and never reads beyond its end. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { memorySource } from '#src/engine/source/memory.ts';
import { chunkRanges } from '#src/engine/source/source.ts';
import { partOf } from '#src/engine/source/subsample.ts';

it('has rows of the whole source in order, in runs of neighbours, each row once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3000 }),
      fc.double({ min: 0.05, max: 1, noNaN: true }),
      fc.nat(50),
      async (all, share, turn) => {
        const rows = Math.max(1, Math.floor(share * all));
        const whole = memorySource({ rows: all, cols: 1, data: Float64Array.from({ length: all }, (_, i) => i) });
        const part = partOf(whole, rows, turn);
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
  const part = partOf(whole, 8000);
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
    const part = partOf(whole, 8000, turn);
    const rows: number[] = [];
    for (let start = 0; start < 8000; start += 2000) rows.push(...(await part.read(start, start + 2000)).data);
    for (const row of rows) seen.add(row);
    turns.push(rows);
  }
  expect(turns[0]).toEqual([...(await readAll(partOf(whole, 8000)))]);
  for (let turn = 1; turn < 20; turn++) {
    const before = new Set(turns[turn - 1]);
    expect(turns[turn].filter((row) => before.has(row)).length).toBeLessThan(8000 / 2);
  }
  expect(seen.size).toBeGreaterThan(0.95 * 40_000);
});

async function readAll(part: ReturnType<typeof partOf>): Promise<number[]> {
  const rows: number[] = [];
  for (let start = 0; start < part.rows; start += 2000) rows.push(...(await part.read(start, start + 2000)).data);
  return rows;
}
