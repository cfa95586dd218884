/** What Node adds to every model: threads that start while the data is read, and are gone afterwards. */
import { writeFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inlineExecutor } from '#src/engine/executor.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { learn } from '#src/node/learn.ts';
import { type OnShape, openSamples, runOnNode } from '#src/node/run.ts';
import { scratchDirectory } from '../helpers/scratch.ts';

const scratch = scratchDirectory();
const LARGE = { rows: 20_000, cols: 64 };
const SMALL = { rows: 20_000, cols: 30 };

/** Threads that were started since the test began, and how many of them have ended. */
let started: Worker[] = [];
let ended = 0;
const onWorker = (worker: Worker) => {
  started.push(worker);
  worker.once('exit', () => ended++);
};
beforeEach(() => {
  started = [];
  ended = 0;
  process.on('worker', onWorker);
});
afterEach(() => process.off('worker', onWorker));

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Data that is not there before a thread has been started. */
async function opensAfterThreads(onShape: OnShape) {
  onShape(LARGE);
  while (started.length === 0) await soon();
  return { data: 'opened' };
}

it('threads start while the data is read, and have ended when the result is there', async () => {
  const result = await runOnNode(opensAfterThreads, { threads: 2, backend: 'js' }, async (data, { executor }) => {
    await executor!.warm!();
    return `${data} for ${executor!.threads}`;
  });
  expect(result).toBe('opened for 2');
  expect(ended).toBe(started.length);
});

it('data that takes a fraction of a second starts none', async () => {
  const open = async (onShape: OnShape) => {
    onShape(SMALL);
    await soon();
    return { data: 0 };
  };
  await runOnNode(open, { threads: 2, backend: 'js' }, async () => soon());
  expect(started.length).toBe(0);
});

it('an executor that is given is neither started nor closed', async () => {
  const calls: string[] = [];
  const executor = {
    ...inlineExecutor(referenceKernels),
    warm: async () => void calls.push('warm'),
    close: async () => void calls.push('close'),
  };
  const open = async (onShape: OnShape) => {
    onShape(LARGE);
    return { data: 0 };
  };
  const createExecutor = async () => {
    calls.push('create');
    return executor;
  };
  await runOnNode(open, { executor, createExecutor }, async () => soon());
  expect(calls).toEqual([]);
});

it('threads started for a file that cannot be opened end, and the failure to open is what is reported', async () => {
  const open = async (onShape: OnShape) => {
    await opensAfterThreads(onShape);
    throw new Error('torn');
  };
  await expect(runOnNode(open, { threads: 2, backend: 'js' }, async () => 0)).rejects.toThrow('torn');
  expect(started.length).toBeGreaterThan(0);
  expect(ended).toBe(started.length);
  const both = learn(scratch.file('missing.npy'), {}, { threads: 0 });
  await expect(both).rejects.toThrow('missing.npy: cannot be read');
});

it('a failure to get an executor is reported, and the data closed', async () => {
  let closed = 0;
  const open = async () => ({ data: 0, close: async () => void closed++ });
  await expect(runOnNode(open, { threads: 0 }, async () => 0)).rejects.toThrow('run: threads must be');
  expect(closed).toBe(1);
});

it('the shape of a file and of a matrix is told before the numbers are read', async () => {
  const shapes: string[] = [];
  const onShape: OnShape = ({ rows, cols }) => void shapes.push(`${rows}x${cols}`);
  writeFileSync(scratch.file('bad.csv'), '1,2,3\n4,5,6\n7,8,nine\n');
  await expect(openSamples(scratch.file('bad.csv'), onShape)).rejects.toThrow('line 3, column 3');
  await openSamples({ rows: 2, cols: 1, data: Float64Array.of(1, 2) }, onShape);
  expect(shapes).toEqual(['3x3', '2x1']);
});
