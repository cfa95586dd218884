/** Jobs through shared memory with one thread: copies of samples, aborts, sums that do not fit their slots. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { shareMatrix } from '#src/core/shared-memory.ts';
import type { Executor } from '#src/engine/executor.ts';
import { inlineExecutor, PassTimings } from '#src/engine/executor.ts';
import type { AnyPass, Pass } from '#src/engine/pass.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import type { Source } from '#src/engine/source/source.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { createNodeExecutor } from '#src/node/index.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { slowPass } from '../../contracts/odd-pass.mjs';
import { bits } from '../../helpers/bytes.ts';
import { testSeed } from '../../helpers/seed.ts';

const [ROWS, COLS, CHUNKS] = [240, 5, 12];
const matrix = normalMatrix(ROWS, COLS, createRandom(testSeed(2), 'rounds'));
const ranges = Array.from({ length: CHUNKS }, (_, k) => ({ start: 20 * k, end: 20 * k + 20 }));
const survey = surveyPass as Pass<{ readonly moments: boolean }, unknown>;

let executor: Executor;
beforeAll(async () => {
  vi.spyOn(PassTimings.prototype, 'estimate').mockReturnValue(undefined); // no pass is brief
  executor = await createNodeExecutor({ threads: 2, backend: 'js' });
  await executor.warm?.();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await executor.close();
});

const expected = async (source: Source) =>
  bits(await inlineExecutor(referenceKernels).sum(survey, { moments: true }, source));

describe('samples that threads cannot read themselves', () => {
  it('are copied: a source may read into the same buffer again and again', async () => {
    const buffer = new Float64Array(20 * COLS);
    const source: Source = {
      rows: ROWS,
      cols: COLS,
      precision: 'f64',
      ranges,
      async read(start, end) {
        buffer.set(matrix.data.subarray(start * COLS, end * COLS));
        return { rows: end - start, cols: COLS, data: buffer };
      },
    };
    const right = await expected({ ...memorySource(matrix), ranges });
    for (let round = 0; round < 3; round++)
      expect(bits(await executor.sum(survey, { moments: true }, source))).toBe(right);
  });

  it('are no longer read after an abort', async () => {
    const abort = new AbortController();
    let reads = 0;
    const source: Source = {
      ...memorySource(matrix),
      ranges,
      async read(start, end) {
        if (++reads === 3) abort.abort(new Error('enough'));
        return memorySource(matrix).read(start, end);
      },
    };
    await expect(executor.sum(survey, { moments: true }, source, abort.signal)).rejects.toThrow('enough');
    expect(reads).toBe(3);
    expect(bits(await executor.sum(survey, { moments: true }, { ...memorySource(matrix), ranges }))).toBe(
      await expected({ ...memorySource(matrix), ranges }),
    );
  });
});

it('the caller and its thread share a pass, again and again', async () => {
  const source = { ...memorySource(shareMatrix(matrix)), ranges };
  for (let round = 0; round < 3; round++) {
    const seen = new Int32Array(new SharedArrayBuffer(8));
    const params = { milliseconds: 1, seen, together: true };
    const { rows } = (await executor.sum(slowPass as AnyPass, params, source)) as { rows: number };
    expect([rows, seen[0] + seen[1]]).toEqual([ROWS, CHUNKS]);
    expect(Math.min(...seen)).toBeGreaterThan(0);
  }
});

it('the caller computes where a thread is missing or chunks are short, and waits otherwise', async () => {
  const source = { ...memorySource(shareMatrix(matrix)), ranges };
  const estimate = vi.mocked(PassTimings.prototype.estimate);
  const fresh = await createNodeExecutor({ threads: 2, backend: 'js' });
  await fresh.warm?.();
  const sharesOf = async (milliseconds: number, together: boolean) => {
    estimate.mockReturnValue(milliseconds);
    const seen = new Int32Array(new SharedArrayBuffer(8));
    await fresh.sum(slowPass as AnyPass, { milliseconds: 1, seen, together }, source);
    expect(seen[0] + seen[1]).toBe(CHUNKS);
    return [...seen].map((chunks) => chunks > 0);
  };
  expect(await sharesOf(30, true)).toEqual([true, true]); // one thread, and another one is asked for
  await fresh.warm?.();
  expect(await sharesOf(30, false)).toEqual([false, true]);
  expect(await sharesOf(5, true)).toEqual([true, true]);
  estimate.mockReturnValue(undefined);
  await fresh.close();
});

it('sums of unknown size come by message, later ones in their slots', async () => {
  const source = { ...memorySource(shareMatrix(matrix)), ranges };
  const right = await expected(source);
  const fresh = await createNodeExecutor({ threads: 2, backend: 'js' });
  await fresh.warm?.();
  for (let round = 0; round < 3; round++) expect(bits(await fresh.sum(survey, { moments: true }, source))).toBe(right);
  await fresh.close();
});

it('an abort ends the chunks of the caller, too', async () => {
  const seen = new Int32Array(new SharedArrayBuffer(8));
  const abort = new AbortController();
  const source = { ...memorySource(matrix), ranges };
  const sum = executor.sum(slowPass as AnyPass, { milliseconds: 20, seen }, source, abort.signal);
  setTimeout(() => abort.abort(new Error('enough')), 30);
  await expect(sum).rejects.toThrow('enough');
  expect(seen[0] + seen[1]).toBeLessThan(CHUNKS);
});
