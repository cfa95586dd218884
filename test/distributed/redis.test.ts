/** Addresses of Redis, the words of its errors, and how long a caller waits for it. */
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
  });
});

it('a server that is not there is named, without the password', async () => {
  const connecting = connect(await loadRedisPackages(), 'redis://:secret@127.0.0.1:1');
  await expect(connecting).rejects.toThrow(/^cluster: redis:\/\/:\*\*\*@127\.0\.0\.1:1 cannot be reached \(.*\)\.$/);
}, 30_000);
