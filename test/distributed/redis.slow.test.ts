/** The same bytes on a cluster as on one thread, whatever happens to workers, to Redis and to the driver. More in drill.ts. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../helpers/run.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { succeed, TestCluster } from './cluster.ts';
import { noRedis, RedisServer } from './redis-server.ts';

const scratch = scratchDirectory();
const f = scratch.file;
let cluster: TestCluster;

/** A run of a second. */
const SHORT = ['--precision', 'f64', '--max-iterations', '25', '--tolerance', '0'];
/** One of several. */
const LONG = ['--method', 'ksvd', '--max-iterations', '20'];

describe.skipIf(noRedis)('through Redis', () => {
  beforeAll(async () => {
    cluster = await TestCluster.start(scratch, '--appendonly', 'yes', '--appendfsync', 'always');
    await succeed(cluster.learn('one.npz', '--threads', '1', ...SHORT));
  }, 60_000);
  afterEach(() => cluster.clear());
  afterAll(async () => cluster?.server.stop());

  it('three workers give the bytes of one thread', async () => {
    for (let k = 0; k < 3; k++) cluster.startWorker();
    await succeed(cluster.learnHere('three.npz', ...SHORT));
    expect(cluster.sameBytes('three.npz', 'one.npz')).toBe(true);
  });

  it.each([
    ['ksvd', '--max-iterations', '2', '--starts', '2'],
    ['pca', '--holdout', '0.1'],
    ['givens', '--max-iterations', '3'],
  ])('so they do with %s', async (method, ...others) => {
    const flags = ['--method', method, ...others];
    cluster.startWorker();
    cluster.startWorker();
    await succeed(cluster.learn('a.npz', '--threads', '1', ...flags));
    await succeed(cluster.learnHere('b.npz', ...flags));
    expect(cluster.sameBytes('a.npz', 'b.npz')).toBe(true);
  });

  describe('in a run of some seconds', () => {
    beforeAll(async () => {
      await succeed(cluster.learn('long.npz', '--threads', '1', ...LONG));
    }, 60_000);

    it('a worker may be killed, and another may join late', async () => {
      const [first] = [cluster.startWorker(), cluster.startWorker()];
      await first.said(/ready/);
      const run = cluster.learnHere('killed.npz', ...LONG);
      await sleep(2000);
      first.kill('SIGKILL');
      cluster.startWorker();
      await succeed(run);
      expect(cluster.sameBytes('killed.npz', 'long.npz')).toBe(true);
    }, 90_000);

    it('Redis may be restarted', async () => {
      const [first] = [cluster.startWorker(), cluster.startWorker()];
      await first.said(/ready/);
      const run = cluster.learnHere('restarted.npz', ...LONG);
      await sleep(1500);
      await cluster.server.stop();
      await sleep(1000);
      await cluster.server.begin();
      await succeed(run);
      expect(cluster.sameBytes('restarted.npz', 'long.npz')).toBe(true);
    }, 90_000);

    it('the driver may be killed, and resumes', async () => {
      cluster.startWorker();
      cluster.startWorker();
      const flags = [...LONG, '--checkpoint', f('run.npz'), '--checkpoint-every', '0'];
      const run = cluster.learnHere('resumed.npz', ...flags);
      while (!existsSync(f('run.npz'))) await sleep(20);
      await sleep(300);
      run.kill('SIGKILL');
      await run.finished;
      expect(existsSync(f('resumed.npz'))).toBe(false);
      await succeed(cluster.learnHere('resumed.npz', ...flags, '--resume'));
      expect(cluster.sameBytes('resumed.npz', 'long.npz')).toBe(true);
    }, 90_000);
  });

  it('a run waits for workers, and says so', async () => {
    const run = cluster.learnHere('late.npz', '--queue', 'late', ...SHORT);
    await run.said(/waiting for workers/);
    cluster.startWorker('--queue', 'late');
    expect(await succeed(run)).toContain('waiting for workers at queue late');
    expect(cluster.sameBytes('late.npz', 'one.npz')).toBe(true);
  });

  it('a worker leaves on SIGTERM', async () => {
    const worker = cluster.startWorker();
    await worker.said(/ready at queue/);
    worker.kill('SIGTERM');
    const { code, stderr } = await worker.finished;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/ready at queue orthodict.*\n.*leaving/)]);
  });

  it('a worker with other kernels is not used, and both say so', async () => {
    const other = cluster.startWorker('--backend', 'js');
    await other.said(/ready at queue/);
    cluster.startWorker();
    expect(await succeed(cluster.learnHere('other.npz', ...SHORT))).toMatch(/not used: worker .*js-/);
    expect(cluster.sameBytes('other.npz', 'one.npz')).toBe(true);
  });

  it('says that Redis is full, or wants a password, which it does not show', async () => {
    const full = await RedisServer.start(scratch.path, '--maxmemory', '1kb', '--maxmemory-policy', 'noeviction');
    const locked = await RedisServer.start(scratch.path, '--requirepass', 'right');
    try {
      const run = await cluster.learn('full.npz', '--redis', full.url).finished;
      expect([run.code, run.stderr]).toEqual([2, 'cluster: Redis has no memory left: raise its maxmemory.\n']);
      const wrong = await runCli(['worker', '--redis', `redis://:wrong@127.0.0.1:${locked.port}`]);
      expect([wrong.code, wrong.stderr]).toEqual([
        2,
        expect.stringMatching(/redis:\/\/:\*\*\*@.* cannot be reached \(WRONGPASS/),
      ]);
    } finally {
      await Promise.all([full.stop(), locked.stop()]);
    }
  }, 60_000);
});

it('says what is wrong with an address', async () => {
  const nowhere = await runCli(['worker', '--redis', 'redis://127.0.0.1:1']);
  expect([nowhere.code, nowhere.stderr]).toEqual([
    2,
    expect.stringMatching(/redis:\/\/127.0.0.1:1.* cannot be reached/),
  ]);
  const odd = await runCli(['worker', '--redis', 'localhost']);
  expect([odd.code, odd.stderr]).toEqual([2, expect.stringMatching(/must look like redis:\/\/host:6379/)]);
}, 30_000);
