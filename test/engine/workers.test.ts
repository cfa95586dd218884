import { describe, expect, it } from 'vitest';
import { inlineExecutor } from '#src/engine/inline.ts';
import { memorySource } from '#src/engine/memory.ts';
import type { Reply, WorkerPort } from '#src/engine/worker-messages.ts';
import { workersExecutor } from '#src/engine/workers.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { surveyPass } from '#src/passes/survey.ts';

const [rows, cols] = [20_000, 50]; // more than one chunk
const source = memorySource({ rows, cols, data: Float64Array.from({ length: rows * cols }, (_, i) => i % 7) });
const expected = await inlineExecutor(referenceKernels).sum(surveyPass, { moments: false }, source);

/** A worker that computes nothing: it counts what it is sent. */
const idle = (sent: unknown[]): WorkerPort => ({
  post: (request) => void sent.push(request),
  onReply: (_: (reply: Reply) => void) => {},
  onFailure: () => {},
  terminate: async () => {},
});

describe('workersExecutor', () => {
  it('computes in the calling thread where no worker can be had, to the same bits', async () => {
    let starts = 0;
    const none = async () => {
      starts++;
      return [];
    };
    const executor = workersExecutor(4, none, referenceKernels);
    expect(executor.threads).toBe(4);
    expect(await executor.sum(surveyPass, { moments: false }, source)).toEqual(expected);
    let samples = 0;
    for await (const part of executor.map(surveyPass, { moments: false }, source)) samples += part.samples;
    expect([samples, executor.threads, starts]).toEqual([rows, 1, 1]);
    await executor.close();
    await expect(executor.sum(surveyPass, { moments: false }, source)).rejects.toThrow('already closed');
  });

  it('uses the workers that it got, and ends a pass that waits for them when it is closed', async () => {
    const sent: unknown[] = [];
    const executor = workersExecutor(4, async () => [idle(sent)], referenceKernels);
    const sum = expect(executor.sum(surveyPass, { moments: false }, source)).rejects.toThrow('closed while a pass');
    await new Promise((resolve) => setTimeout(resolve));
    expect([executor.threads, sent.length > 0]).toEqual([1, true]);
    await executor.close();
    await sum;
  });

  it('can be closed while workers start', async () => {
    const executor = workersExecutor(2, async () => [idle([]), idle([])], referenceKernels);
    const sum = expect(executor.sum(surveyPass, { moments: false }, source)).rejects.toThrow('closed while a pass');
    await executor.close();
    await sum;
  });
});
