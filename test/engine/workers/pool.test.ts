/** Starting workers, and waiting for their replies. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { startEach, threadsWithin, WorkerPool } from '#src/engine/workers/pool.ts';
import type { Reply, WorkerPort } from '#src/engine/workers/protocol.ts';
import { idlePort } from '../../helpers/ports.ts';

afterEach(() => vi.restoreAllMocks());

describe('threadsWithin', () => {
  it.each([
    [1, 8, 1],
    [8, 2, 8],
    [9, 2, 8],
    [1024, 2, 8],
    [1024, 300, 1024],
  ])('takes at most four threads per core: of %d on %d cores %d', (wanted, cores, threads) => {
    expect(threadsWithin('f', wanted, cores)).toBe(threads);
  });

  it.each([0, -1, 1.5, 1025, Number.NaN, '2' as never])('refuses %s threads', (wanted) => {
    expect(() => threadsWithin('f', wanted, 2)).toThrow(
      `f: threads must be a whole number from 1 to 1024; got ${wanted}.`,
    );
  });
});

describe('startEach', () => {
  /** The first `failing` starts fail. */
  const failingFirst = (failing: number, reason: string) => {
    let tried = 0;
    return startEach(async () => {
      if (tried++ < failing) throw new Error(reason);
      return idlePort([]);
    });
  };

  it.each([
    [3, 0, 'none', []],
    [3, 1, 'one', ['orthodict: 1 thread cannot be started (one): computing without it.']],
    [3, 2, 'two', ['orthodict: 2 threads cannot be started (two): computing without them.']],
    [2, 2, 'all', ['orthodict: 2 threads cannot be started (all): computing without them.']],
  ])('starts %d workers, of which %d fail, and says how many are missing', async (count, failing, reason, words) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const ports = await failingFirst(failing, reason)(count, new AbortController().signal);
    expect(ports).toHaveLength(count - failing);
    expect(warn.mock.calls.map(([text]) => text)).toEqual(words);
  });

  it('says nothing if the workers are no longer wanted', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(await failingFirst(1, 'aborted')(2, AbortSignal.abort())).toHaveLength(1);
    expect(warn).not.toHaveBeenCalled();
  });
});

/** Whether a promise has settled by now. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const record = () => {
    settled = true;
  };
  promise.then(record, record);
  await new Promise((resolve) => setTimeout(resolve, 2));
  return settled;
}

describe('a job under way', () => {
  /** A pool with one worker, whose replies and failure the test sends. */
  async function setUp(signal?: AbortSignal) {
    let reply: (reply: Reply) => void = () => {};
    let fail: (error: Error) => void = () => {};
    const log: string[] = [];
    const port: WorkerPort = {
      ...idlePort([]),
      post: (message) => void log.push(`post ${JSON.stringify(message)}`),
      release: () => void log.push('release'),
      terminate: async () => void log.push('terminate'),
      onReply: (listener) => {
        reply = listener;
      },
      onFailure: (listener) => {
        fail = listener;
      },
    };
    const pool = new WorkerPool(2, async () => [port]);
    await pool.start();
    return {
      pool,
      log,
      job: pool.openJob(signal),
      reply: (each: Reply) => reply(each),
      fail: (error: Error) => fail(error),
    };
  }

  it('gets the replies to its own blocks, until it is closed', async () => {
    const { pool, job, reply } = await setUp();
    const other = pool.openJob(undefined);
    const events = [job.nextEvent(), other.nextEvent()];
    reply({ job: job.id, block: 3, values: [1, 2] });
    await Promise.all(events); // a worker that is free may serve any job
    expect([...job.replies.keys(), ...other.replies.keys()]).toEqual([3]);
    expect(job.take(3)).toEqual([1, 2]);
    expect(job.replies.size).toBe(0);
    job.close();
    reply({ job: job.id, block: 4, values: [] });
    expect(job.replies.size).toBe(0);
  });

  it('frees a worker with the reply to a block that it was sent by message', async () => {
    const { pool, job, log, reply } = await setUp();
    const [worker] = pool.workers;
    worker.load.blocks = 2;
    worker.load.chunks = 7;
    reply({ job: job.id, block: 3, chunks: 5, values: [] });
    expect([worker.load, log]).toEqual([{ blocks: 1, chunks: 2 }, ['release']]);
    reply({ job: job.id, block: 4, values: [] }); // found in shared memory: it was not sent
    expect(worker.load).toEqual({ blocks: 1, chunks: 2 });
  });

  it('waits for a promise, whatever else happens', async () => {
    const { pool, job } = await setUp();
    let come: (value: unknown) => void = () => {};
    const promise = new Promise((resolve) => {
      come = resolve;
    });
    const waiting = job.waitFor(promise);
    pool.wakeAll();
    expect(await isSettled(waiting)).toBe(false);
    come(1);
    expect(await isSettled(waiting)).toBe(true);
  });

  it('that is aborted stops alone', async () => {
    const abort = new AbortController();
    const { pool, job } = await setUp(abort.signal);
    const other = pool.openJob(undefined).waitFor(new Promise(() => {}));
    abort.abort(new Error('enough'));
    expect(() => job.check()).toThrow('enough');
    expect(await isSettled(other)).toBe(false);
    job.close();
    const late = job.nextEvent();
    abort.signal.dispatchEvent(new Event('abort'));
    pool.wakeAll();
    expect(await isSettled(late)).toBe(false);
  });

  it('interrupts a worker that waits at a control block before a message, and at the end', async () => {
    const { pool, log } = await setUp();
    const [worker] = pool.workers;
    const endWait = () => void log.push('interrupt');
    worker.endWait = endWait;
    worker.post({ job: 1 } as never);
    worker.post({ job: 2 } as never);
    expect(log).toEqual(['post {"job":1}', 'interrupt', 'post {"job":2}']);
    worker.endWait = endWait;
    await pool.close();
    expect(log.slice(3)).toEqual(['interrupt', 'terminate']);
  });

  it('throws the failure of a block, as bad input where that is the cause', async () => {
    const { job, reply } = await setUp();
    reply({ job: job.id, block: 0, failure: 'broken' });
    reply({ job: job.id, block: 1, failure: 'refused', refused: true });
    expect(() => job.take(0)).toThrow('broken');
    expect(() => job.take(1)).toThrow(InputError);
  });

  it('stops waiting when it is aborted or a worker fails', async () => {
    const never = new Promise(() => {});
    const abort = new AbortController();
    const aborted = await setUp(abort.signal);
    const waiting = expect(aborted.job.waitFor(never)).rejects.toThrow('enough');
    abort.abort(new Error('enough'));
    await waiting;
    const failed = await setUp();
    const other = expect(failed.job.waitFor(never)).rejects.toThrow('died');
    failed.fail(new Error('died'));
    failed.fail(new Error('a later failure'));
    await other;
    expect(failed.pool.broken?.message).toBe('died');
  });
});
