/** Passes through shared memory with a thread of its own: copies of what the caller lends, aborts, messages that do not fit. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { shareMatrix } from '#src/core/share.ts';
import type { Executor } from '#src/engine/executor.ts';
import { inlineExecutor } from '#src/engine/inline.ts';
import { memorySource } from '#src/engine/memory.ts';
import { Paces } from '#src/engine/paces.ts';
import type { AnyPass, Pass } from '#src/engine/pass.ts';
import { Rounds } from '#src/engine/rounds.ts';
import type { Source } from '#src/engine/source.ts';
import { Team } from '#src/engine/team.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { createNodeExecutor } from '#src/node/index.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { slowPass } from '../contracts/odd-pass.mjs';
import { bits } from '../helpers/bytes.ts';
import { testSeed } from '../helpers/seed.ts';

const [ROWS, COLS, CHUNKS] = [240, 5, 12];
const matrix = normalMatrix(ROWS, COLS, createRandom(testSeed(2), 'rounds'));
const ranges = Array.from({ length: CHUNKS }, (_, k) => ({ start: 20 * k, end: 20 * k + 20 }));
const survey = surveyPass as Pass<{ readonly moments: boolean }, unknown>;

let executor: Executor;
beforeAll(async () => {
  vi.spyOn(Paces.prototype, 'expect').mockReturnValue(undefined); // no pass is brief
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
  const pace = vi.mocked(Paces.prototype.expect);
  const fresh = await createNodeExecutor({ threads: 2, backend: 'js' });
  await fresh.warm?.();
  const sharesOf = async (milliseconds: number, together: boolean) => {
    pace.mockReturnValue(milliseconds);
    const seen = new Int32Array(new SharedArrayBuffer(8));
    await fresh.sum(slowPass as AnyPass, { milliseconds: 1, seen, together }, source);
    expect(seen[0] + seen[1]).toBe(CHUNKS);
    return [...seen].map((chunks) => chunks > 0);
  };
  expect(await sharesOf(30, true)).toEqual([true, true]); // one thread, and another one is asked for
  await fresh.warm?.();
  expect(await sharesOf(30, false)).toEqual([false, true]);
  expect(await sharesOf(5, true)).toEqual([true, true]);
  pace.mockReturnValue(undefined);
  await fresh.close();
});

it('sums of which the thread cannot tell the size beforehand come by message, then in their slots', async () => {
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

describe('what goes through shared memory', () => {
  const expectMilliseconds = vi.fn<(pass: unknown, source: Source, rows: number) => number | undefined>();
  const rounds = new Rounds(new Team(), 2, referenceKernels, { expect: expectMilliseconds, note() {} } as never);
  const job = (change: object = {}) => ({
    mode: 'sum',
    pass: survey,
    params: {},
    source: memorySource(matrix),
    ranges,
    first: 0,
    signal: undefined,
    ...change,
  });
  const accepts = (change?: object) => rounds.accepts(job(change) as never);
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
      expectMilliseconds.mockReturnValue(milliseconds);
      expect(rounds.isShort(job({ first: 3 }) as never)).toBe(short);
      expect(expectMilliseconds.mock.lastCall![2]).toBe(20);
    }
  });
});
