/** Addresses of Redis, the words of its errors, and how long a caller waits for it. */
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import {
  closeOrLeave,
  connect,
  inWords,
  loadRedisPackages,
  requireRedisUrl,
  withoutPassword,
} from '#src/distributed/redis.ts';

it('an address is that of a Redis server', () => {
  for (const url of ['redis://host:6379', 'rediss://:secret@host/2']) expect(requireRedisUrl('worker', url)).toBe(url);
  for (const url of ['http://host', 'host:6379', '', 'redis//host']) {
    expect(() => requireRedisUrl('worker', url)).toThrow(
      `worker: the address of Redis must look like redis://host:6379 or rediss://…; got ${url}.`,
    );
  }
  expect(withoutPassword('redis://me:secret@host:1/0')).toBe('redis://me:***@host:1/0');
  expect(withoutPassword('redis://host:1')).toBe('redis://host:1');
});

it('errors are said in words', () => {
  const full = inWords(new Error('OOM command not allowed'), 'cluster: ');
  expect(full).toBeInstanceOf(InputError);
  expect(full.message).toBe('cluster: Redis has no memory left: raise its maxmemory.');
  const other = new TypeError('a bug');
  expect(inWords(other)).toBe(other);
  expect(inWords(other, 'cluster: ').message).toBe('cluster: a bug');
  expect(inWords('words').message).toBe('words');
});

describe('closing', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Milliseconds until it has ended; `status` at each of them. */
  async function waited(closing: Promise<unknown>, status: (milliseconds: number) => string): Promise<number> {
    const started = Date.now();
    const redis = {
      get status() {
        return status(Date.now() - started);
      },
    };
    let ended = -1;
    const done = closeOrLeave(redis as never, closing).then(() => {
      ended = Date.now() - started;
    });
    await vi.advanceTimersByTimeAsync(20_000);
    await done;
    return ended;
  }

  it('waits as long as it takes while Redis is there, and a few seconds while it is away', async () => {
    const after = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    expect(await waited(Promise.resolve(), () => 'ready')).toBeLessThanOrEqual(100);
    expect(await waited(Promise.reject(new Error('away')), () => 'reconnecting')).toBeLessThanOrEqual(100);
    const long = await waited(after(9000), () => 'ready');
    expect(long).toBeGreaterThanOrEqual(9000);
    expect(long).toBeLessThanOrEqual(9100);
    const never = new Promise(() => {});
    const away = await waited(never, () => 'reconnecting');
    expect(away).toBeGreaterThanOrEqual(2900);
    expect(away).toBeLessThanOrEqual(3100);
    const again = await waited(never, (at) => (at > 1950 && at < 2050 ? 'ready' : 'reconnecting'));
    expect(again).toBeGreaterThanOrEqual(4900);
    expect(again).toBeLessThanOrEqual(5100);
    // it looks every 100 ms: a server that is back between two of these is not seen
    expect(await waited(never, (at) => (at > 2050 && at < 2150 ? 'ready' : 'reconnecting'))).toBe(5100);
    expect(await waited(never, (at) => (at > 2110 && at < 2190 ? 'ready' : 'reconnecting'))).toBe(3000);
  });
});

it('a connection is opened again at growing intervals, until somebody leaves it', async () => {
  vi.useFakeTimers();
  type Options = { readonly maxRetriesPerRequest: unknown; retryStrategy(attempt: number): number | null };
  let options: Options | undefined;
  class Redis extends EventEmitter {
    readonly status = 'reconnecting';
    constructor(_: string, given: Options) {
      super();
      options = given;
    }
    async connect() {
      this.emit('ready');
    }
  }
  const redis = await connect({ Redis } as never, 'redis://host');
  const waits = () => [1, 2, 19, 20, 21, 1000].map((attempt) => options!.retryStrategy(attempt));
  expect(waits()).toEqual([100, 200, 1900, 2000, 2000, 2000]);
  expect(options!.maxRetriesPerRequest).toBeNull(); // commands wait as long as it takes
  await closeOrLeave(redis, Promise.resolve());
  expect(waits()[0]).toBe(100);
  const leaving = closeOrLeave(redis, new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(3100);
  await leaving;
  expect(waits()).toEqual(Array(6).fill(null));
  vi.useRealTimers();
});

describe('a connection that fails', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** What becomes of a connection whose server gives this error at once, and is ready after so many milliseconds. */
  async function connected(error: string, readyAfter: number): Promise<string> {
    const started = Date.now();
    let parted = 0;
    class Redis extends EventEmitter {
      disconnect() {
        parted++;
      }
      async connect() {
        setTimeout(() => this.emit('ready'), readyAfter);
        setTimeout(() => this.emit('error', new Error(error)), 0);
      }
    }
    const outcome = connect({ Redis } as never, 'redis://host:1').then(
      () => 'ready',
      (reason: Error) => reason.message,
    );
    const ended = outcome.then((words) => `${words} after ${Date.now() - started}, left ${parted} times`);
    await vi.advanceTimersByTimeAsync(10_000);
    return ended;
  }

  it('waits four seconds for the server', async () => {
    expect(await connected('connect ECONNREFUSED', 3999)).toBe('ready after 3999, left 0 times');
    expect(await connected('connect ECONNREFUSED', 4001)).toBe(
      'cluster: redis://host:1 cannot be reached (connect ECONNREFUSED). after 4000, left 1 times',
    );
  });

  it.each(['WRONGPASS', 'NOAUTH', 'ERR invalid password', 'self-signed certificate'])(
    'does not wait where waiting does not help: %s',
    async (error) => {
      expect(await connected(error, 3000)).toMatch(/cannot be reached \(.*\)\. after [01], left 1 times$/);
    },
  );
});

it('a server that is not there is named, without the password', async () => {
  const connecting = connect(await loadRedisPackages(), 'redis://:secret@127.0.0.1:1');
  await expect(connecting).rejects.toThrow(/^cluster: redis:\/\/:\*\*\*@127\.0\.0\.1:1 cannot be reached \(.*\)\.$/);
}, 30_000);
