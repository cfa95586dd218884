/** Blocks cost the least time, by the formula written as a search over all sizes. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { blockLevel, type PassTime } from '#src/distributed/block-size.ts';

/** Milliseconds that a pass takes with blocks of 2^level chunks: 3 ms for a job, and taking its sum. */
function timeOf(level: number, { chunks, threads, expected, taking }: PassTime): number {
  const blocks = Math.ceil(chunks / 2 ** level);
  return Math.ceil(blocks / threads) * ((2 ** level * (expected * threads)) / chunks + 3) + blocks * taking;
}

const pass = fc.record({
  chunks: fc.integer({ min: 1, max: 3000 }),
  threads: fc.integer({ min: 1, max: 40 }),
  expected: fc.constantFrom(0, 10, 300, 4000, 1e5, 1e6),
  taking: fc.constantFrom(0, 0.1, 5, 80),
});

it('takes the smallest size that costs the least, or 3 % more if its blocks take half a second', () => {
  fc.assert(
    fc.property(pass, (time) => {
      const chosen = blockLevel(time);
      const levels = Array.from({ length: Math.ceil(Math.log2(time.chunks)) + 1 }, (_, level) => level);
      expect(levels).toContain(chosen);
      const least = Math.min(...levels.map((level) => timeOf(level, time)));
      const block = (level: number) => (2 ** level * time.expected * time.threads) / time.chunks;
      const isGood = (level: number) =>
        timeOf(level, time) === least || (timeOf(level, time) <= 1.03 * least && block(level) >= 500);
      expect(levels.find(isGood)).toBe(chosen);
    }),
    { numRuns: 500 },
  );
});

it('keeps to the largest level that is allowed', () => {
  expect(blockLevel({ chunks: 1024, threads: 1, expected: 0, taking: 5 })).toBe(10);
  expect(blockLevel({ chunks: 1024, threads: 1, expected: 0, taking: 5 }, 3)).toBe(3);
});

it.each([
  [{ chunks: 64, threads: 4, expected: 0, taking: 0 }, 4], // a block a thread
  [{ chunks: 64, threads: 4, expected: 16_000, taking: 0 }, 0], // a chunk takes a second
  [{ chunks: 1, threads: 4, expected: 100, taking: 1 }, 0],
])('%o: level %d', (time, level) => {
  expect(blockLevel(time)).toBe(level);
});
