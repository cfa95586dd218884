/** When workers are started, which blocks they compute, and what happens to a pass if they cannot be started. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Executor } from '#src/engine/executor.ts';
import { inlineExecutor, PassTimings } from '#src/engine/executor.ts';
import type { Pass } from '#src/engine/pass.ts';
import { definePass } from '#src/engine/pass.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import type { Source } from '#src/engine/source/source.ts';
import { workersExecutor } from '#src/engine/workers/executor.ts';
import type { ComputeRequest } from '#src/engine/workers/protocol.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { byMessages } from '../../helpers/by-messages.ts';
import { bits } from '../../helpers/bytes.ts';
import { computingPort, idlePort } from '../../helpers/ports.ts';

const [rows, cols] = [20_000, 50];
const data = Float64Array.from({ length: rows * cols }, (_, i) => Math.sin(i));
const source: Source = {
  ...memorySource({ rows, cols, data }),
  ranges: Array.from({ length: 40 }, (_, k) => ({ start: 500 * k, end: 500 * k + 500 })),
};
const survey = (executor: Executor) => executor.sum(surveyPass, { moments: false }, source);
const expected = bits(await survey(inlineExecutor(referenceKernels)));

/** The test sets the time: how long chunks take decides when workers are started. */
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterAll(() => void vi.useRealTimers());

/** Every chunk takes `milliseconds`. */
const slowPass: Pass<{ readonly milliseconds: number }, Float64Array> = definePass(import.meta.url, {
  name: 'slow-chunk',
  contribute({ samples }, { milliseconds }) {
    vi.advanceTimersByTime(milliseconds);
    return Float64Array.of(samples.data[0]);
  },
  add: (total, part) => Float64Array.of(total[0] + part[0] / 3),
});
/** Each chunk takes its own time. */
const pacedPass: Pass<{ readonly chunks: readonly number[] }, Float64Array> = definePass(import.meta.url, {
  name: 'paced-chunk',
  contribute({ start }, { chunks }) {
    vi.advanceTimersByTime(chunks[start]);
    return Float64Array.of(start);
  },
  add: (total) => total,
});
const slow = (executor: Executor, milliseconds: number) => executor.sum(slowPass, { milliseconds }, source);

describe('workersExecutor', () => {
  it('computes in the calling thread where no worker can be started, to the same bits', async () => {
    const wanted: number[] = [];
    const none = async (count: number) => {
      wanted.push(count);
      return [];
    };
    const executor = workersExecutor(4, none, referenceKernels);
    expect(executor.threads).toBe(4);
    await executor.warm?.();
    expect(bits(await survey(executor))).toBe(expected);
    let samples = 0;
    for await (const part of executor.map(surveyPass, { moments: false }, source)) samples += part.samples;
    expect([samples, executor.threads, wanted]).toEqual([rows, 1, [3]]);
    await executor.close();
    await expect(survey(executor)).rejects.toThrow('already closed');
  });

  it('starts no workers for little work, and one less than it has threads for much, once', async () => {
    const wanted: number[] = [];
    const start = async (count: number) => {
      wanted.push(count);
      return Array.from({ length: count }, () => computingPort(referenceKernels));
    };
    const executor = await byMessages(() => workersExecutor(3, start, referenceKernels));
    const alone = await slow(executor, 0);
    expect([wanted, executor.threads]).toEqual([[], 3]);
    const sums = [bits(await slow(executor, 4)), bits(await slow(executor, 4))];
    expect(wanted).toEqual([2, 1]); // without the calling thread, passes by messages take one more
    expect(sums.every((sum) => sum === bits(alone))).toBe(true);
    await executor.close();
  });

  it.each([
    { name: 'exactly 100 ms', chunks: [25, 25, 25, 25], after: [] },
    { name: 'more, by the second chunk', chunks: [26, 26, 26, 26], after: [2] },
    { name: 'more, by the fastest chunk', chunks: [50, 20, 40, 30, 1], after: [2] },
    { name: 'one slow chunk, while code is compiled', chunks: [90, ...Array<number>(10).fill(1)], after: [] },
    { name: 'the same with one more', chunks: [90, ...Array<number>(11).fill(1)], after: [2] },
    { name: 'exactly 100 ms, the fastest chunk being one of the first', chunks: [1, 1, 96, 1, 1], after: [] },
    { name: 'more, but not as expected', chunks: [1, 1, 96, 1, 5], after: [5] },
  ])('expects the work that is left from the fastest chunk after the first: $name', async ({ chunks, after }) => {
    let done = 0;
    const started: number[] = [];
    const start = async () => {
      started.push(done);
      return [];
    };
    const executor = workersExecutor(2, start, referenceKernels);
    const ranges = chunks.map((_, k) => ({ start: k, end: k + 1 }));
    const paced = { ...source, ranges };
    for await (const _ of executor.map(pacedPass, { chunks }, paced)) done++;
    expect(started).toEqual(after);
    await executor.close();
  });

  it('continues while workers start, then hands over the chunks that are left', async () => {
    const port = computingPort(referenceKernels);
    let ready: (ports: [typeof port]) => void = () => {};
    const first = new Promise<[typeof port]>((resolve) => {
      ready = resolve;
    });
    let starts = 0;
    const start = () => (starts++ === 0 ? first : Promise.resolve([]));
    const executor = await byMessages(() => workersExecutor(2, start, referenceKernels));
    void executor.warm?.();
    const parts: string[] = [];
    for await (const part of executor.map(surveyPass, { moments: false }, source)) {
      parts.push(bits(part));
      if (parts.length !== 7) continue;
      ready([port]);
      await new Promise((resolve) => setTimeout(resolve));
    }
    const alone: string[] = [];
    for await (const part of inlineExecutor(referenceKernels).map(surveyPass, { moments: false }, source)) {
      alone.push(bits(part));
    }
    expect(parts).toEqual(alone);
    const handed = port.sent.flatMap((message) => (message as ComputeRequest).chunks.map(({ index }) => index));
    expect(handed).toEqual(Array.from({ length: 33 }, (_, k) => 7 + k));
    expect(bits(await survey(executor))).toBe(expected);
    expect(port.holds).toBe(0);
    await executor.close();
  });

  it('uses the workers that it got, and ends a pass that waits for them when it is closed', async () => {
    const sent: unknown[] = [];
    const start = async (count: number) => (count === 3 ? [idlePort(sent)] : []);
    const executor = await byMessages(() => workersExecutor(4, start, referenceKernels));
    await executor.warm?.();
    const sum = expect(survey(executor)).rejects.toThrow('closed while a pass');
    await new Promise((resolve) => setTimeout(resolve));
    expect([executor.threads, sent.length]).toEqual([2, 2]);
    await executor.close();
    await sum;
  });

  it('can be closed while workers start, and while the calling thread computes', async () => {
    const start = async () => [idlePort([])];
    for (const warm of [true, false]) {
      const executor = workersExecutor(2, start, referenceKernels);
      if (warm) void executor.warm?.();
      const sum = expect(slow(executor, 15)).rejects.toThrow('closed while a pass');
      await new Promise((resolve) => setTimeout(resolve));
      await executor.close();
      await sum;
    }
  });

  it('refuses parameters that cannot be sent, however little work there is', async () => {
    const executor = workersExecutor(2, async () => [], referenceKernels);
    const params = { moments: false, extra: () => 1 };
    await expect(executor.sum(surveyPass, params, source)).rejects.toThrow('could not be cloned');
    const chunks = (count: number) => ({ ...source, ranges: source.ranges!.slice(0, count) });
    await expect(executor.sum(surveyPass, params, chunks(2))).rejects.toThrow('could not be cloned');
    await executor.sum(surveyPass, params, chunks(1)); // no worker ever takes part in these
    await executor.close();
  });

  it('breaks if starting fails in an unforeseen way', async () => {
    const start = () => Promise.reject(new Error('unforeseen'));
    const executor = workersExecutor(2, start, referenceKernels);
    await executor.warm?.();
    await expect(survey(executor)).rejects.toThrow('unforeseen');
    await executor.close();
  });

  it('judges by the rows that are asked for whether a pass is brief', async () => {
    const executor = workersExecutor(2, async () => [], referenceKernels);
    const judged = vi.spyOn(PassTimings.prototype, 'estimate');
    for (const [within, rows] of [
      [undefined, 20_000],
      [{ first: 8, count: 4, level: 2 }, 2000],
    ] as const) {
      judged.mockClear();
      await executor.sum(surveyPass, { moments: false }, source, undefined, within);
      expect(judged.mock.calls[0][2]).toBe(rows);
    }
    judged.mockRestore();
    await executor.close();
  });
});
