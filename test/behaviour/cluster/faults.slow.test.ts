/** Whatever is wrong with workers, jobs, memory or the way to Redis: the bytes of one thread, or one clear line. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { BlockComputer } from '#src/distributed/block-computer.ts';
import { arithmeticIdentity, selfAs, version } from '#src/distributed/identity.ts';
import { createRedisExecutor } from '#src/distributed/index.ts';
import { Presence } from '#src/distributed/members.ts';
import { keysOf, queueOf } from '#src/distributed/protocol.ts';
import type { Executor } from '#src/engine/executor.ts';
import { createNodeExecutor, openSource } from '#src/node/index.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { succeed, TestCluster } from '../../distributed/cluster.ts';
import { noRedis, RedisServer } from '../../distributed/redis-server.ts';
import { bits } from '../../helpers/bytes.ts';
import { FileServer } from '../../helpers/http-server.ts';
import { patient } from '../../helpers/patience.ts';
import { DIST, start, startCli } from '../../helpers/run.ts';
import { scratchDirectory } from '../../helpers/scratch.ts';

const scratch = scratchDirectory();
const f = scratch.file;
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RUN = ['--method', 'ksvd', '--growth', 'none', '--max-iterations', '4'];
let cluster: TestCluster;

describe.skipIf(noRedis)('on a cluster', () => {
  beforeAll(async () => {
    cluster = await TestCluster.start(scratch);
    await cluster.learnAlone('one.npz', ...RUN);
  }, patient(60_000));
  afterEach(() => cluster.clear());
  afterAll(async () => cluster?.server.stop());

  it('a worker of another version is not used, and both say so', async () => {
    mkdirSync(f('other'));
    cpSync(DIST, f('other/dist'), { recursive: true });
    symlinkSync(`${ROOT}node_modules`, f('other/node_modules'));
    const manifest = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
    writeFileSync(f('other/package.json'), JSON.stringify({ ...manifest, version: '9.9.9' }));
    const other = cluster.startWorkerOf(f('other/dist/'), {});
    await other.said(/ready/);
    cluster.startWorker();
    const said = await succeed(cluster.learnHere('version.npz', ...RUN));
    expect(said).toMatch(/not used: worker .*\(version 9\.9\.9, wasm-[-\w]+, 1 thread\); this is version/);
    expect(cluster.sameBytes('version.npz', 'one.npz')).toBe(true);
    const driver = await createRedisExecutor({ redis: cluster.server.url, threads: 1, backend: 'wasm' });
    await other.said(/not used: driver .*this is version 9\.9\.9/);
    await driver.close();
    other.kill('SIGTERM');
    expect((await other.finished).stderr).toMatch(/not used: driver/);
  });

  it('two drivers at one queue do not get in the way of each other', async () => {
    cluster.startWorker();
    cluster.startWorker();
    await Promise.all(['x.npz', 'y.npz'].map((out) => succeed(cluster.learnHere(out, ...RUN))));
    expect([cluster.sameBytes('x.npz', 'one.npz'), cluster.sameBytes('y.npz', 'one.npz')]).toEqual([true, true]);
  });

  it('Redis may lose all it had', async () => {
    cluster.startWorker();
    const second = cluster.startWorker();
    await second.said(/ready/);
    const run = cluster.learnHere('lost.npz', ...RUN, '--checkpoint', f('lost-run.npz'), '--checkpoint-every', '0');
    while (!existsSync(f('lost-run.npz'))) await sleep(10);
    await cluster.server.stop('SIGKILL');
    await cluster.server.begin();
    await succeed(run);
    expect(cluster.sameBytes('lost.npz', 'one.npz')).toBe(true);
  });

  it('while Redis is away, workers and runs can be ended', async () => {
    const worker = cluster.startWorker();
    await worker.said(/ready/);
    const flags = [
      '--method',
      'ksvd',
      '--growth',
      'none',
      '--max-iterations',
      '400',
      '--checkpoint',
      f('away.npz'),
      '--checkpoint-every',
      '0',
    ];
    const run = cluster.learnHere('away-model.npz', ...flags);
    while (!existsSync(f('away.npz'))) await sleep(10);
    await cluster.server.stop('SIGKILL');
    worker.kill('SIGTERM');
    run.kill('SIGTERM');
    const [left, interrupted] = await Promise.all([worker.finished, run.finished]);
    await cluster.server.begin();
    expect([left.code, left.stderr]).toEqual([0, expect.stringMatching(/leaving\.\n$/)]);
    expect([interrupted.code, interrupted.stderr]).toEqual([130, expect.stringMatching(/^learn: interrupted/)]);
  });

  it('a worker that is told to leave does so after its block, in the middle of a run', async () => {
    const leaving = cluster.startWorker();
    await leaving.said(/ready/);
    const run = cluster.learnHere('left.npz', ...RUN, '--checkpoint', f('left-run.npz'), '--checkpoint-every', '0');
    while (!existsSync(f('left-run.npz'))) await sleep(10);
    leaving.kill('SIGTERM');
    expect((await leaving.finished).code).toBe(0);
    cluster.startWorker();
    await succeed(run);
    expect(cluster.sameBytes('left.npz', 'one.npz')).toBe(true);
  });

  /** What is in Redis: jobs and results of runs; and what never expires. */
  async function leftovers(): Promise<{ ofRuns: string[]; forEver: string[] }> {
    const redis = new Redis(cluster.server.url);
    const keys = await redis.keys('*');
    const lives = await Promise.all(keys.map((key) => redis.ttl(key)));
    redis.disconnect();
    const ofRuns = keys.filter((key) => /:(result|run):|-\w+:[\da-f]{8}-/.test(key));
    return { ofRuns, forEver: keys.filter((_, k) => lives[k] === -1) };
  }

  it('nothing of a run is left in Redis when it has ended; nothing lasts for ever, however runs and workers end', async () => {
    const redis = new Redis(cluster.server.url);
    await redis.flushall();
    redis.disconnect();
    const worker = cluster.startWorker();
    await worker.said(/ready/);
    const kill = cluster.learnHere('kill.npz', ...RUN, '--checkpoint', f('kill-run.npz'), '--checkpoint-every', '0');
    while (!existsSync(f('kill-run.npz'))) await sleep(10);
    expect((await leftovers()).ofRuns.length).toBeGreaterThan(0);
    for (const process of [kill, worker]) process.kill('SIGKILL');
    await Promise.all([kill.finished, worker.finished]);
    // BullMQ's own keys, made a moment before the kill; a worker that comes later takes the jobs and lets the lists expire
    expect((await leftovers()).forEver.filter((key) => !key.startsWith('bull:'))).toEqual([]);
    const visitor = cluster.startWorker();
    await visitor.said(/ready/);
    const lasting = async () => (await leftovers()).forEver.filter((key) => !/:stalled$/.test(key));
    await vi.waitFor(async () => expect(await lasting()).toEqual([]), patient(10_000));
    visitor.kill('SIGKILL');
    await visitor.finished;
    await cluster.server.stop('SIGKILL'); // it keeps nothing
    await cluster.server.begin();
    cluster.startWorker();
    await succeed(cluster.learnHere('kept.npz', ...RUN));
    expect(await leftovers()).toEqual({ ofRuns: [], forEver: [] });
  });

  it('poisoned jobs harm neither workers nor runs', async () => {
    const worker = cluster.startWorker();
    await worker.said(/ready/);
    const executor = await createNodeExecutor({ threads: 1, backend: 'wasm' });
    const name = queueOf('orthodict', version(), arithmeticIdentity(executor.kernels));
    await executor.close();
    const queue = new Queue(name, { connection: { url: cluster.server.url } });
    for (const data of [null, { pass: 'survey' }, { __proto__: { evil: 1 }, run: 'x'.repeat(5000) }, 'eval(1)']) {
      await queue.add('poison', data, { attempts: 2 });
    }
    await succeed(cluster.learnHere('poisoned.npz', ...RUN));
    expect(cluster.sameBytes('poisoned.npz', 'one.npz')).toBe(true);
    expect(await queue.getFailedCount()).toBe(4);
    await queue.close();
    worker.kill('SIGTERM');
    expect((await worker.finished).stderr.match(/a block of poison failed: refused: .*a job is damaged/g)?.length).toBe(
      4,
    );
  });

  describe('where memory is too small for a block', () => {
    /** Starts a worker that has room for at most `most` chunks at a time. */
    async function smallWorker(most: number): Promise<{ close(): Promise<void>; tried: number[] }> {
      const local = await createNodeExecutor({ threads: 1, backend: 'wasm' });
      const tried: number[] = [];
      const sum: Executor['sum'] = async (pass, params, source, signal, within) => {
        tried.push(within!.count);
        if (within!.count > most) throw new RangeError('Array buffer allocation failed');
        return local.sum(pass, params, source, signal, within);
      };
      const redis = new Redis(cluster.server.url, { maxRetriesPerRequest: null });
      const blocks = new BlockComputer({ ...local, sum }, redis, 'small');
      const name = queueOf('small', version(), arithmeticIdentity(local.kernels));
      const self = selfAs('worker', local.kernels, local.threads);
      const members = keysOf('small').members;
      const presence = await Presence.begin(redis, [members], `${most}`, self, () => {});
      const connection = redis.duplicate();
      const worker = new Worker(name, (job) => blocks.compute(job.data), { connection });
      const close = async () => {
        await worker.close();
        await presence.end();
        for (const each of [redis, connection]) each.disconnect();
        await local.close();
      };
      return { close, tried };
    }

    it.each([
      [2, undefined],
      [0, /cluster: Array buffer allocation failed/],
    ])('with room for %s chunks', async (most, failure) => {
      const worker = await smallWorker(most);
      const executor = await createRedisExecutor({
        redis: cluster.server.url,
        queue: 'small',
        threads: 1,
        backend: 'wasm',
      });
      const source = await openSource(f('data.npy'), { memoryLimit: 0 });
      try {
        const sum = executor.sum(surveyPass, { moments: true }, source);
        if (failure) await expect(sum).rejects.toThrow(failure);
        else {
          const here = await createNodeExecutor({ threads: 1, backend: 'wasm' });
          expect(bits(await sum)).toBe(bits(await here.sum(surveyPass, { moments: true }, source)));
          await here.close();
        }
        expect(Math.max(...worker.tried)).toBeGreaterThan(2);
      } finally {
        await executor.close();
        await source.close?.();
        await worker.close();
      }
    });
  });

  it('samples behind an address, and codes, are the same', async () => {
    const files = await FileServer.start(scratch.path);
    cluster.startWorker();
    cluster.startWorker();
    try {
      const args = ['learn', files.url('data.npy'), '--out', f('http.npz'), '--backend', 'wasm', ...RUN];
      await succeed(startCli([...args, '--redis', cluster.server.url]));
      expect(cluster.sameBytes('http.npz', 'one.npz')).toBe(true);
      const encode = (out: string, ...more: string[]) =>
        succeed(startCli(['encode', f('one.npz'), f('data.npy'), '--out', f(out), '--backend', 'wasm', ...more]));
      await encode('here.npy', '--threads', '1');
      await encode('there.npy', '--redis', cluster.server.url);
      expect(cluster.sameBytes('there.npy', 'here.npy')).toBe(true);
      await encode('codes/', '--redis', cluster.server.url);
      expect(cluster.sameBytes('codes/codes-00000.npy', 'here.npy')).toBe(true);
    } finally {
      await files.stop();
    }
  });

  it.skipIf(spawnSync('openssl', ['version']).status !== 0)('TLS works, if the certificate is trusted', async () => {
    const [key, certificate] = [f('key.pem'), f('certificate.pem')];
    const request = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1';
    execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    const secure = await RedisServer.startSecure(scratch.path, key, certificate);
    const trust = { NODE_EXTRA_CA_CERTS: certificate };
    const flags = ['--redis', secure.url, '--backend', 'wasm'];
    const worker = start(`${DIST}cli/main.js`, ['worker', ...flags, '--threads', '1'], undefined, trust);
    try {
      const args = ['learn', f('data.npy'), '--out', f('secure.npz'), ...RUN, ...flags];
      await succeed(start(`${DIST}cli/main.js`, args, undefined, trust));
      expect(cluster.sameBytes('secure.npz', 'one.npz')).toBe(true);
      const { code, stderr } = await startCli(args).finished;
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/rediss:.* cannot be reached \(self-signed certificate/),
      ]);
    } finally {
      worker.kill('SIGKILL');
      await worker.finished;
      await secure.stop();
    }
  });
});
