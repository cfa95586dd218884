/** A worker at a queue: what it says of itself, which keys it keeps alive, and what it leaves when it is closed. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { selfAs } from '#src/distributed/identity.ts';
import { keysOf, LIFE, queueOf } from '#src/distributed/protocol.ts';
import { another, connect, loadRedisPackages } from '#src/distributed/redis.ts';
import { startRedisWorker } from '#src/distributed/redis-worker.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { patient } from '../helpers/patience.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { noRedis, RedisServer } from './redis-server.ts';

const scratch = scratchDirectory();

describe.skipIf(noRedis)('a worker', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start(scratch.path);
  });
  afterAll(() => server?.stop());

  it('keeps the keys of its queue with every job, names a block that fails, and leaves the list when it is closed', async () => {
    const packages = await loadRedisPackages();
    const redis = await connect(packages, server.url);
    const { members } = keysOf('kept');
    const said: string[] = [];
    const say = (words: string) => void said.push(words);
    const worker = await startRedisWorker({ redis: server.url, queue: 'kept', backend: 'js', threads: 1, say });
    expect(worker).toMatchObject({ backend: expect.stringMatching(/^js-/), threads: 1 });
    const present = Object.values(await redis.hgetall(members)).map((text) => JSON.parse(text));
    expect(present).toMatchObject([{ role: 'worker', backend: worker.backend, threads: 1, pid: process.pid }]);

    const { version, backend } = selfAs('driver', referenceKernels, 0);
    const connection = another(redis);
    const queue = new packages.bullmq.Queue(queueOf('kept', version, backend), { connection });
    await redis.expire(members, 100); // as if long ago
    await queue.add('survey', { damaged: true });
    await vi.waitFor(() => expect(said).toHaveLength(1), patient(5000));
    expect(said[0]).toMatch(/^a block of survey failed: .+\.$/);
    expect(await redis.ttl(members)).toBeGreaterThan(LIFE.value - 100);

    await worker.close();
    expect(await redis.hlen(members)).toBe(0);
    await queue.close();
    for (const each of [redis, connection]) each.disconnect();
  });
});
