/** Threads of Node: when they start, that they compute and end, and which wishes are refused. */
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { shareMatrix } from '#src/core/shared-memory.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { createNodeExecutor } from '#src/node/threads/threads.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { bits } from '../../helpers/bytes.ts';
import { patient } from '../../helpers/patience.ts';

const DIST = new URL('../../../dist/', import.meta.url).href;
const matrix = shareMatrix(normalMatrix(600, 4, createRandom(1, 'threads')));
const source = { ...memorySource(matrix), ranges: [0, 200, 400].map((start) => ({ start, end: start + 200 })) };

describe('threads', () => {
  it(
    'are there after they have been asked for, and gone after the executor was closed',
    async () => {
      const started: Worker[] = [];
      let ended = 0;
      const onWorker = (worker: Worker) => {
        started.push(worker);
        worker.once('exit', () => ended++);
      };
      process.on('worker', onWorker);
      const executor = await createNodeExecutor({ threads: 3, backend: 'js' });
      expect([executor.threads, executor.kernels.name, started.length]).toEqual([3, 'js', 0]);
      await executor.warm!();
      expect([started.length, ended]).toEqual([2, 0]);
      const right = await inlineExecutor(referenceKernels).sum(surveyPass, { moments: true }, source);
      for (let round = 0; round < 3; round++) {
        expect(bits(await executor.sum(surveyPass, { moments: true }, source))).toBe(bits(right));
      }
      expect(started.length).toBe(2); // chunks are short: the calling thread computes, too
      await executor.close();
      expect(ended).toBe(2);
      process.off('worker', onWorker);
    },
    patient(8000),
  );

  it('of one there are none, and the calling thread computes', async () => {
    const executor = await createNodeExecutor({ threads: 1, backend: 'js' });
    await executor.warm?.();
    expect(executor.threads).toBe(1);
    await executor.close();
  });

  it('are counted, and kernels named', async () => {
    await expect(createNodeExecutor({ threads: 0 })).rejects.toThrow('createNodeExecutor: threads must be');
    await expect(createNodeExecutor(5 as never)).rejects.toThrow('createNodeExecutor: options must be an object');
    await expect(createNodeExecutor({ backend: 'gpu' as never })).rejects.toThrow('backend must be');
  });
});

describe('a BLAS that is not there', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('is named where it was asked for, and done without otherwise', async () => {
    vi.stubEnv('ORTHODICT_BLAS', 'libnothing.so');
    const { selectNodeKernels } = await import(`${DIST}node/threads/kernels.js?without-blas`);
    await expect(selectNodeKernels('native')).rejects.toThrow(
      /^learn: backend must be one that runs here; got native, but libnothing\.so: .+/,
    );
    const { kernels, library } = await selectNodeKernels('auto');
    expect([kernels.name, library]).toEqual([expect.stringMatching(/^(wasm|js)/), undefined]);
  });
});
