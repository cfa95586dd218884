/** Which jobs go through shared memory, and when the caller computes, too. */
import { describe, expect, it, vi } from 'vitest';
import { shareMatrix } from '#src/core/shared-memory.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import type { Source } from '#src/engine/source/source.ts';
import { WorkerPool } from '#src/engine/workers/pool.ts';
import { SharedMemoryTransport } from '#src/engine/workers/shared-memory-transport.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { surveyPass } from '#src/passes/survey.ts';

const matrix = { rows: 240, cols: 5, data: new Float64Array(1200) };
const ranges = Array.from({ length: 12 }, (_, k) => ({ start: 20 * k, end: 20 * k + 20 }));

describe('what goes through shared memory', () => {
  const estimate = vi.fn<(pass: unknown, source: Source, rows: number) => number | undefined>();
  const pool = new WorkerPool(2, async () => []);
  const transport = new SharedMemoryTransport(pool, 2, referenceKernels, { estimate, record() {} } as never);
  const job = (change: object = {}) => ({
    mode: 'sum',
    pass: surveyPass,
    params: {},
    source: memorySource(matrix),
    ranges,
    first: 0,
    signal: undefined,
    ...change,
  });
  const accepts = (change?: object) => transport.accepts(job(change) as never);
  const numbers = (rows: number) => ({ rows, cols: 1, data: new Float64Array(rows) });
  const chunks = (count: number) => Array.from({ length: count }, (_, k) => ({ start: k, end: k + 1 }));

  it('is sums of samples that are at hand, and of few that are not', () => {
    expect([accepts(), accepts({ mode: 'map' })]).toEqual([true, false]);
    const shared = memorySource(shareMatrix(numbers(200_000)));
    expect(accepts({ source: shared, ranges: chunks(1000) })).toBe(true);
    expect(accepts({ source: { ...shared, locator: { kind: 'file' } } })).toBe(false);
    for (const [rows, accepted] of [
      [2 ** 17, true],
      [2 ** 17 + 1, false],
    ] as const) {
      expect(accepts({ source: memorySource(numbers(rows)) })).toBe(accepted);
    }
    expect([128, 129].map((count) => accepts({ ranges: chunks(count) }))).toEqual([true, false]);
    expect([129, 130].map((count) => accepts({ ranges: chunks(count), first: 1 }))).toEqual([true, false]);
  });

  it('has parameters of at most 16 MB', () => {
    // an object of one entry, with a short name, takes 7 words beside the numbers
    expect(accepts({ params: { x: new Float64Array(2 ** 21 - 7) } })).toBe(true);
    expect(accepts({ params: { x: new Float64Array(2 ** 21 - 6) } })).toBe(false);
    expect(accepts({ params: { x: () => 1 } })).toBe(false);
  });

  it('is shared with the caller where chunks are short, by the rows of the chunk that is next', () => {
    for (const [milliseconds, short] of [
      [undefined, true],
      [25, true],
      [26, false],
    ] as const) {
      estimate.mockReturnValue(milliseconds);
      expect(transport.isShort(job({ first: 3 }) as never)).toBe(short);
      expect(estimate.mock.lastCall![2]).toBe(20);
    }
  });
});
