/** Jobs by messages: which worker gets a block, the state after a failure, and when the process may end. */
import { expect, it } from 'vitest';
import { shareMatrix } from '#src/core/shared-memory.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import type { AnyPass } from '#src/engine/pass.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import type { Source } from '#src/engine/source/source.ts';
import { MessageTransport } from '#src/engine/workers/message-transport.ts';
import { WorkerPool } from '#src/engine/workers/pool.ts';
import type { ComputeRequest, Job, WorkerPort } from '#src/engine/workers/protocol.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { bits } from '../../helpers/bytes.ts';
import { computingPort, idlePort } from '../../helpers/ports.ts';

const [rows, cols] = [48, 2];
const matrix = { rows, cols, data: Float64Array.from({ length: rows * cols }, (_, i) => Math.sin(i)) };
const ranges = Array.from({ length: 12 }, (_, k) => ({ start: 4 * k, end: 4 * k + 4 }));
const job = (source: Source, signal?: AbortSignal): Job<unknown, unknown> => ({
  mode: 'map',
  pass: surveyPass as AnyPass,
  params: { moments: false },
  source: { ...source, ranges },
  ranges,
  first: 0,
  signal,
});

/** A pool of these workers. */
async function poolOf(ports: readonly WorkerPort[]): Promise<WorkerPool> {
  const pool = new WorkerPool(1 + ports.length, async () => ports);
  await pool.start();
  return pool;
}

async function started(count: number) {
  const ports = Array.from({ length: count }, () => computingPort(referenceKernels));
  const pool = await poolOf(ports);
  return { pool, ports, messages: new MessageTransport(pool, count) };
}

async function valuesOf(messages: MessageTransport, given: Job<unknown, unknown>): Promise<string[]> {
  const values: unknown[] = [];
  for await (const block of messages.run(given)) values.push(...block.values);
  return values.map(bits);
}

async function expected(): Promise<string[]> {
  const values: string[] = [];
  const source = { ...memorySource(matrix), ranges };
  for await (const value of inlineExecutor(referenceKernels).map(surveyPass, { moments: false }, source)) {
    values.push(bits(value));
  }
  return values;
}

it('values come in the order of the chunks, and a worker gets the description of a pass once', async () => {
  const { messages, ports } = await started(3);
  for (const source of [memorySource(matrix), memorySource(shareMatrix(matrix))]) {
    expect(await valuesOf(messages, job(source))).toEqual(await expected());
  }
  for (const { sent, holds } of ports) {
    const requests = sent as ComputeRequest[];
    const jobs = [...new Set(requests.map((request) => request.job))];
    expect(jobs).toHaveLength(2);
    for (const id of jobs) {
      const own = requests.filter((request) => request.job === id);
      expect(own.map(({ begin }) => begin !== undefined)).toEqual(own.map((_, k) => k === 0));
    }
    expect(requests.find((request) => request.job === jobs[1])!.ended).toEqual([jobs[0]]);
    expect(holds).toBe(0);
  }
});

it('no worker gets a third block before it has answered', async () => {
  const sent: unknown[][] = [[], []];
  const pool = await poolOf(sent.map(idlePort));
  const abort = new AbortController();
  const values = new MessageTransport(pool, 2).run(job(memorySource(matrix), abort.signal));
  const first = values.next();
  await new Promise((resolve) => setTimeout(resolve));
  expect(sent.map((own) => own.length)).toEqual([2, 2]);
  expect(pool.workers.map(({ load }) => load.blocks)).toEqual([2, 2]);
  abort.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
});

it('samples that cannot be read leave nothing under way', async () => {
  const { pool, messages, ports } = await started(2);
  let reads = 0;
  const source: Source = {
    ...memorySource(matrix),
    async read(start, end) {
      if (++reads === 3) throw new Error('unreadable');
      return memorySource(matrix).read(start, end);
    },
  };
  await expect(valuesOf(messages, job(source))).rejects.toThrow('unreadable');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(pool.workers.map(({ load }) => load)).toEqual([
    { blocks: 0, chunks: 0 },
    { blocks: 0, chunks: 0 },
  ]);
  expect(ports.map(({ holds }) => holds)).toEqual([0, 0]);
  expect(await valuesOf(messages, job(memorySource(matrix)))).toEqual(await expected());
});

it('a pass goes on when another one gives up the place that it waits for', async () => {
  const { messages } = await started(1);
  const failures: ((reason: Error) => void)[] = [];
  const hanging: Source = {
    ...memorySource(matrix),
    read: () => new Promise((_, reject) => failures.push(reject)),
  };
  const stuck = [0, 1].map(() => valuesOf(messages, job(hanging)).catch((error: Error) => error.message));
  await new Promise((resolve) => setTimeout(resolve));
  expect(failures).toHaveLength(2); // both places of the worker are taken
  const values = valuesOf(messages, job(memorySource(matrix)));
  await new Promise((resolve) => setTimeout(resolve));
  failures[0](new Error('first'));
  expect(await values).toEqual(await expected());
  failures[1](new Error('second'));
  expect(await Promise.all(stuck)).toEqual(['first', 'second']);
});

it('a source may overwrite what it gave: samples are copied unless they are shared', async () => {
  const { messages } = await started(2);
  const buffer = new Float64Array(4 * cols);
  const source: Source = {
    ...memorySource(matrix),
    async read(start, end) {
      buffer.set(matrix.data.subarray(start * cols, end * cols));
      return { rows: end - start, cols, data: buffer };
    },
  };
  expect(await valuesOf(messages, job(source))).toEqual(await expected());
});
