/** Samples given to a public function: a matrix, or a source whose shape and rows are checked. Also reading all samples at once. */
import { describe, expect, it } from 'vitest';
import { identity } from '#src/core/matrix.ts';
import { shareMatrix } from '#src/core/shared-memory.ts';
import { memorySource, readAll, sourceOf } from '#src/engine/source/memory.ts';
import type { Source } from '#src/engine/source/source.ts';
import { sliceOf } from '#src/engine/source/views.ts';

const own = (changes: Partial<Source> = {}): Source => ({
  rows: 3,
  cols: 2,
  precision: 'f64',
  read: async (start, end) => ({ rows: end - start, cols: 2, data: new Float64Array(2 * (end - start)) }),
  ...changes,
});

describe('sourceOf', () => {
  it('takes a source of this package as it is, and shares nothing that is not in shared memory', () => {
    const source = memorySource(identity(2));
    expect(sourceOf('learn', source)).toBe(source);
    expect(source.locator).toBeUndefined();
  });

  it.each([
    [0, 2],
    [3, 0],
    [-1, 2],
    [1.5, 2],
    [3, 1.5],
    [Number.NaN, 2],
  ])('refuses a source of %d×%d', (rows, cols) => {
    expect(() => sourceOf('learn', own({ rows, cols }))).toThrow(
      `learn: samples must be at least one row and one column; got ${rows}×${cols}.`,
    );
  });

  it('refuses rows of another shape, and numbers that are not finite', async () => {
    expect((await sourceOf('learn', own()).read(1, 3)).rows).toBe(2);
    const reads = (matrix: unknown) => sourceOf('learn', own({ read: async () => matrix as never })).read(1, 3);
    await expect(reads(identity(1))).rejects.toThrow('rows 1 to 3 of samples must be a 2×2 matrix; got 1×1.');
    await expect(reads({ rows: 2, cols: 1, data: new Float64Array(2) })).rejects.toThrow('got 2×1.');
    await expect(reads(null)).rejects.toThrow('got null.');
    const data = Float64Array.of(1, 2, 3, Number.NaN);
    await expect(reads({ rows: 2, cols: 2, data })).rejects.toThrow('must be finite; got NaN at row 2, column 1.');
  });
});

describe('readAll', () => {
  const whole = memorySource(shareMatrix({ rows: 60, cols: 1, data: Float64Array.from({ length: 60 }, (_, i) => i) }));

  it('copies what is not in memory as float64, chunk by chunk', async () => {
    const own = memorySource({ rows: 2, cols: 2, data: Float64Array.of(1, 2, 3, 4) });
    expect(await readAll(own)).toBe(own.matrix);
    const single = memorySource({ rows: 2, cols: 2, data: Float32Array.of(1, 2, 3, 4) });
    expect(await readAll(single)).toEqual(own.matrix);
    const ranges = [0, 25, 50].map((start) => ({ start, end: Math.min(60, start + 25) }));
    expect((await readAll({ ...sliceOf(whole, 0, 60), ranges })).data).toEqual(Float64Array.from(whole.matrix.data));
  });

  it('ends by an abort, and says when they are too many', async () => {
    const source = sliceOf(whole, 0, 60);
    await expect(readAll(source, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    const huge = { ...source, rows: 2 ** 31, cols: 2 ** 31 };
    await expect(readAll(huge, undefined, 'learnMixture')).rejects.toThrow(
      'learnMixture: samples must be few enough to be held in memory as float64; got 2147483648 × 2147483648 numbers.',
    );
  });
});
