/** A cluster gives the same bytes as one thread, whatever happens to workers, to Redis and to the driver. More in drill.ts. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { patient } from '../helpers/patience.ts';
import { type Running, runCli } from '../helpers/run.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { succeed, TestCluster } from './cluster.ts';
import { noRedis, RedisServer } from './redis-server.ts';

const scratch = scratchDirectory();
const f = scratch.file;
let cluster: TestCluster;

const SHORT = ['--precision', 'f64', '--max-iterations', '25', '--tolerance', '0'];
/** Iterations that take long enough for something to happen after the first. */
const LONG = ['--method', 'ksvd', '--growth', 'none', '--max-iterations', '8'];

describe.skipIf(noRedis)('through Redis', () => {
  beforeAll(async () => {
    cluster = await TestCluster.start(scratch, '--appendonly', 'yes', '--appendfsync', 'always');
    await cluster.learnAlone('one.npz', ...SHORT);
  }, patient(60_000));
  afterAll(async () => {
    await cluster?.clear();
    await cluster?.server.stop();
  });

  describe('three workers give the bytes of one thread', () => {
    beforeAll(async () => {
      const workers = [1, 2, 3].map(() => cluster.startWorker());
      await Promise.all(workers.map((worker) => worker.said(/ready/)));
    });
    afterAll(() => cluster.clear());

    it.each([
      ['msp', ...SHORT],
      ['ksvd', '--max-iterations', '2', '--starts', '2'],
      ['pca', '--holdout', '0.1'],
      ['givens', '--max-iterations', '3'],
    ])('with %s', async (method, ...others) => {
      const flags = ['--method', method, ...others];
      await cluster.learnAlone('a.npz', ...flags);
      await succeed(cluster.learnHere('b.npz', ...flags));
      expect(cluster.sameBytes('a.npz', 'b.npz')).toBe(true);
    });
  });

  describe('in the middle of a run', () => {
    beforeAll(() => cluster.learnAlone('long.npz', ...LONG), 60_000);
    afterEach(() => cluster.clear());

    /** A run that has made its first iteration, so that what happens now happens in the middle of it. */
    async function begunRun(out: string): Promise<{ run: Running; flags: string[] }> {
      const checkpoint = f(`run-${out}`);
      const flags = [...LONG, '--checkpoint', checkpoint, '--checkpoint-every', '0'];
      const run = cluster.learnHere(out, ...flags);
      while (!existsSync(checkpoint)) await sleep(10);
      return { run, flags };
    }

    it(
      'a worker may be killed, and another may join late',
      async () => {
        const workers = [cluster.startWorker(), cluster.startWorker()];
        await Promise.all(workers.map((worker) => worker.said(/ready/)));
        const { run } = await begunRun('killed.npz');
        workers[0].kill('SIGKILL');
        cluster.startWorker();
        await succeed(run);
        expect(cluster.sameBytes('killed.npz', 'long.npz')).toBe(true);
      },
      patient(90_000),
    );

    it(
      'Redis may be restarted',
      async () => {
        cluster.startWorker();
        cluster.startWorker();
        const { run } = await begunRun('restarted.npz');
        await cluster.server.stop();
        await sleep(700); // several attempts to connect fail
        await cluster.server.begin();
        await succeed(run);
        expect(cluster.sameBytes('restarted.npz', 'long.npz')).toBe(true);
      },
      patient(90_000),
    );

    it(
      'the driver may be killed, and resumes',
      async () => {
        cluster.startWorker();
        cluster.startWorker();
        const { run, flags } = await begunRun('resumed.npz');
        run.kill('SIGKILL');
        await run.finished;
        expect(existsSync(f('resumed.npz'))).toBe(false);
        await succeed(cluster.learnHere('resumed.npz', ...flags, '--resume'));
        expect(cluster.sameBytes('resumed.npz', 'long.npz')).toBe(true);
      },
      patient(90_000),
    );
  });

  it('a run waits for workers, and says so; a worker leaves on SIGTERM', async () => {
    const run = cluster.learnHere('late.npz', '--queue', 'late', ...SHORT);
    await run.said(/waiting for workers/);
    const worker = cluster.startWorker('--queue', 'late');
    expect(await succeed(run)).toContain('waiting for workers at queue late');
    expect(cluster.sameBytes('late.npz', 'one.npz')).toBe(true);
    worker.kill('SIGTERM');
    const { code, stderr } = await worker.finished;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/ready at queue late.*\n.*leaving/)]);
  });

  it('a worker with other kernels is not used, and both say so', async () => {
    const other = cluster.startWorker('--backend', 'js');
    await other.said(/ready at queue/);
    cluster.startWorker();
    expect(await succeed(cluster.learnHere('other.npz', ...SHORT))).toMatch(/not used: worker .*js-/);
    expect(cluster.sameBytes('other.npz', 'one.npz')).toBe(true);
  });

  it(
    'says that Redis is full, or wants a password, which it does not show',
    async () => {
      const full = await RedisServer.start(scratch.path, '--maxmemory', '1kb', '--maxmemory-policy', 'noeviction');
      const locked = await RedisServer.start(scratch.path, '--requirepass', 'right');
      try {
        const [run, wrong] = await Promise.all([
          cluster.learn('full.npz', '--redis', full.url).finished,
          runCli(['worker', '--redis', `redis://:wrong@127.0.0.1:${locked.port}`]),
        ]);
        expect([run.code, run.stderr]).toEqual([2, 'cluster: Redis has no memory left: raise its maxmemory.\n']);
        expect([wrong.code, wrong.stderr]).toEqual([
          2,
          expect.stringMatching(/redis:\/\/:\*\*\*@.* cannot be reached \(WRONGPASS/),
        ]);
      } finally {
        await Promise.all([full.stop(), locked.stop()]);
      }
    },
    patient(60_000),
  );
});

it(
  'says what is wrong with an address',
  async () => {
    const addresses = ['redis://127.0.0.1:1', 'localhost'];
    const [nowhere, odd] = await Promise.all(addresses.map((address) => runCli(['worker', '--redis', address])));
    expect([nowhere.code, nowhere.stderr]).toEqual([
      2,
      expect.stringMatching(/redis:\/\/127.0.0.1:1.* cannot be reached/),
    ]);
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringMatching(/must look like redis:\/\/host:6379/)]);
  },
  patient(30_000),
);
