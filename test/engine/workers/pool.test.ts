/** Starting workers, and waiting for their replies. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { startEach, threadsWithin, WorkerPool } from '#src/engine/workers/pool.ts';
import type { Reply, WorkerPort } from '#src/engine/workers/protocol.ts';
import { idlePort } from '../../helpers/ports.ts';

afterEach(() => vi.restoreAllMocks());

describe('threadsWithin', () => {
  it('takes at most four threads per core', () => {
    expect([threadsWithin('f', 3, 2), threadsWithin('f', 9, 2)]).toEqual([3, 8]);
  });

  it.each([0, 1.5, 1025, Number.NaN])('refuses %s threads', (wanted) => {
    expect(() => threadsWithin('f', wanted, 2)).toThrow(
      `f: threads must be a whole number from 1 to 1024; got ${wanted}.`,
    );
  });
});

describe('startEach', () => {
  /** Starts every second worker. */
  const halting = () => {
    let started = 0;
    return async () => {
      if (started++ % 2 === 0) return idlePort([]);
      throw new Error(`no room for ${started}`);
    };
  };

  it('starts as many workers as possible, and says how many are missing', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const ports = await startEach(halting())(5, new AbortController().signal);
    expect(ports.length).toBe(3);
    expect(warn.mock.calls.flat().join()).toContain(
      '2 threads cannot be started (no room for 2): computing without them.',
    );
  });

  it('says nothing if the workers are no longer wanted', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect((await startEach(halting())(2, AbortSignal.abort())).length).toBe(1);
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('a job under way', () => {
  /** A pool with one worker, whose replies and failure the test sends. */
  async function setUp(signal?: AbortSignal) {
    let reply: (reply: Reply) => void = () => {};
    let fail: (error: Error) => void = () => {};
    const port: WorkerPort = {
      ...idlePort([]),
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
      job: pool.openJob(signal),
      reply: (each: Reply) => reply(each),
      fail: (error: Error) => fail(error),
    };
  }

  it('gets the replies to its own blocks', async () => {
    const { pool, job, reply } = await setUp();
    const other = pool.openJob(undefined);
    const event = job.nextEvent();
    reply({ job: job.id, block: 3, values: [1, 2] });
    await event;
    expect([...job.replies.keys(), ...other.replies.keys()]).toEqual([3]);
    expect(job.take(3)).toEqual([1, 2]);
    expect(job.replies.size).toBe(0);
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
