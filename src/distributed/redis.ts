/** Connections to Redis. The packages are optional: they are loaded when a cluster is used. */
import { createRequire } from 'node:module';
import type { Redis } from 'ioredis';
import { InputError } from '../core/errors.ts';
import { reasonOf } from '../core/warn.ts';
import { loadPackages } from '../node/optional-packages.ts';

export interface RedisPackages {
  readonly Redis: typeof import('ioredis').Redis;
  readonly bullmq: typeof import('bullmq');
}

/** These packages are 300 CommonJS files: `require` loads them in half the time that `import` takes. */
const load = createRequire(import.meta.url);

export async function loadRedisPackages(): Promise<RedisPackages> {
  const { ioredis, bullmq } = await loadPackages('cluster', 'Redis', {
    bullmq: () => load('bullmq') as typeof import('bullmq'),
    ioredis: () => load('ioredis') as typeof import('ioredis'),
  });
  return { Redis: ioredis.Redis, bullmq };
}

const PROTOCOLS = ['redis:', 'rediss:'];
/** Milliseconds to wait for the first connection. */
const PATIENCE = 4000;
/** Longest wait between attempts to reconnect, in milliseconds. */
const SLOWEST_RETRY = 2000;

/** Throws unless the address is one of a Redis server. */
export function requireRedisUrl(who: string, url: string): string {
  let protocol = '';
  try {
    ({ protocol } = new URL(url));
  } catch {
    // no address at all
  }
  if (PROTOCOLS.includes(protocol)) return url;
  throw new InputError(`${who}: the address of Redis must look like redis://host:6379 or rediss://…; got ${url}.`);
}

/** Returns the address without its password, for messages. */
export function withoutPassword(url: string): string {
  const shown = new URL(url);
  if (shown.password) shown.password = '***';
  return shown.href;
}

/** Functions that stop a connection and its duplicates from reconnecting. */
const partings = new WeakMap<Redis, () => void>();

/** Opens a connection that reconnects by itself; resolves when it is ready. */
export async function connect({ Redis }: RedisPackages, url: string): Promise<Redis> {
  let isLeaving = false;
  const redis = new Redis(url, {
    maxRetriesPerRequest: null, // blocking commands must wait
    retryStrategy: (attempt: number) => (isLeaving ? null : Math.min(100 * attempt, SLOWEST_RETRY)),
    lazyConnect: true,
  });
  partings.set(redis, () => {
    isLeaving = true;
  });
  let reason: unknown = new Error('no answer');
  redis.on('error', (error: Error) => {
    reason = error;
  });
  const ready = new Promise<true>((resolve) => redis.once('ready', () => resolve(true)));
  redis.connect().catch((error) => {
    reason = error;
  });
  const timer = { id: undefined as NodeJS.Timeout | undefined };
  const late = new Promise<false>((resolve) => {
    timer.id = setTimeout(() => resolve(false), PATIENCE);
  });
  const refused = new Promise<false>((resolve) => {
    redis.on('error', (error: Error) => {
      if (/WRONGPASS|NOAUTH|invalid.*password|certificate/i.test(error.message)) resolve(false);
    });
  });
  const isReady = await Promise.race([ready, late, refused]);
  clearTimeout(timer.id);
  if (isReady) return redis;
  redis.disconnect();
  throw new InputError(`cluster: ${withoutPassword(url)} cannot be reached (${reasonOf(reason)}).`);
}

/** Duplicates a connection; the caller closes it. */
export const another = (redis: Redis): Redis => redis.duplicate().on('error', () => {}); // it connects again by itself

/** Error code of Redis when it is full. */
const FULL = 'OOM';

/** Rewords an error of Redis so that it shows what to do; returns others unchanged, or after `prefix`. */
export function inWords(error: unknown, prefix = ''): Error {
  const reason = error instanceof Error ? error.message : String(error);
  if (reason.startsWith(FULL)) return new InputError('cluster: Redis has no memory left: raise its maxmemory.');
  return error instanceof Error && prefix === '' ? error : new Error(`${prefix}${reason}`);
}

/** Milliseconds to wait for an unavailable server when closing. */
const PARTING = 3000;
const GLANCE = 100;

/** Waits for `closing`, but not for a server that is unavailable. */
export async function closeOrLeave(redis: Redis, closing: Promise<unknown>): Promise<void> {
  let isClosed = false;
  const closed = closing
    .catch(() => {})
    .then(() => {
      isClosed = true;
    });
  for (let away = 0; !isClosed && away < PARTING; away = redis.status === 'ready' ? 0 : away + GLANCE) {
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, GLANCE))]);
  }
  if (!isClosed) partings.get(redis)?.();
}
