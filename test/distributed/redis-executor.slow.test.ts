/** The driver of a queue with workers in this process: results, and blocks that fail, are lost or come back damaged. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { identity } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { BlockComputer } from '#src/distributed/block-computer.ts';
import { selfAs } from '#src/distributed/identity.ts';
import { Presence } from '#src/distributed/members.ts';
import { type BlockJob, keysOf, lastingKeys, queueOf } from '#src/distributed/protocol.ts';
import { another, connect, loadRedisPackages } from '#src/distributed/redis.ts';
import { type BlockProgress, createRedisExecutor, type RedisExecutorOptions } from '#src/distributed/redis-executor.ts';
import { startRedisWorker } from '#src/distributed/redis-worker.ts';
import type { Executor } from '#src/engine/executor.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import type { Source } from '#src/engine/source/source.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { openSource, readMatrix, writeArray } from '#src/node/index.ts';
import { finishShards, openShards, writeShards } from '#src/node/io/shards.ts';
import { encodePass } from '#src/passes/encode.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { bits } from '../helpers/bytes.ts';
import { patient } from '../helpers/patience.ts';
import { scratchDirectory } from '../helpers/scratch.ts';
import { noRedis, RedisServer } from './redis-server.ts';

const scratch = scratchDirectory();
const local = inlineExecutor(referenceKernels);
const samples = normalMatrix(1600, 3, createRandom(1, 'queue'));
const CHUNKS = 16;
const moments = { moments: true };
const encoding = {
  transform: { kind: 'dense', encoder: identity(3) },
  conditioning: { scale: 1 },
  selection: {},
} as never;

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

describe.skipIf(noRedis)('through Redis', () => {
  let server: RedisServer;
  let source: Source;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    server = await RedisServer.start(scratch.path);
    await writeArray(scratch.file('data.npy'), samples);
    const ranges = Array.from({ length: CHUNKS }, (_, k) => ({ start: 100 * k, end: 100 * k + 100 }));
    source = { ...(await openSource(scratch.file('data.npy'), { memoryLimit: 0 })), ranges };
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    await source?.close?.();
    await server?.stop();
  });

  async function driver(queue: string, more: Partial<RedisExecutorOptions> = {}): Promise<Executor> {
    const executor = await createRedisExecutor({
      redis: server.url,
      queue,
      backend: 'js',
      threads: 1,
      brief: 0,
      ...more,
    });
    closing.push(() => executor.close());
    return executor;
  }

  async function worker(queue: string): Promise<void> {
    const { close } = await startRedisWorker({ redis: server.url, queue, backend: 'js', threads: 1 });
    closing.push(close);
  }

  /** A worker that does with a job what a test wants; `compute`: what it should do. */
  async function oddWorker(
    queue: string,
    act: (job: BlockJob, compute: () => Promise<unknown>, refuse: (reason: string) => never) => unknown,
    threads = 1,
  ): Promise<BlockJob[]> {
    const packages = await loadRedisPackages();
    const redis = await connect(packages, server.url);
    const connection = another(redis);
    const self = selfAs('worker', referenceKernels, threads);
    const computer = new BlockComputer(local, redis, queue);
    const jobs: BlockJob[] = [];
    const refuse = (reason: string): never => {
      throw new packages.bullmq.UnrecoverableError(reason);
    };
    const bull = new packages.bullmq.Worker(
      queueOf(queue, self.version, self.backend),
      async ({ data }) => {
        jobs.push(data);
        return act(data, () => computer.compute(data), refuse);
      },
      { connection },
    );
    bull.on('error', () => {});
    await bull.waitUntilReady();
    const presence = await Presence.begin(redis, lastingKeys(queue, bull.keys), randomUUID(), self, () => {});
    closing.push(async () => {
      await bull.close();
      await presence.end();
      for (const each of [redis, connection]) each.disconnect();
    });
    return jobs;
  }

  it('sums, codes and files are those of one thread', async () => {
    await worker('good');
    const seen: (BlockProgress | undefined)[] = [];
    const executor = await driver('good', { onBlocks: (progress) => seen.push(progress) });
    expect(executor.threads).toBe(1);
    for (let round = 0; round < 2; round++) {
      expect(bits(await executor.sum(surveyPass, moments, source))).toBe(
        bits(await local.sum(surveyPass, moments, source)),
      );
    }
    const codes = await all(executor.map(encodePass, encoding, source));
    expect(bits(codes)).toBe(bits(await all(local.map(encodePass, encoding, source))));
    const target = await openShards(scratch.file('codes'), 'codes');
    const blocks = [0, 8].map((first) => ({ first, count: 8, level: 3 }));
    const work = { executor, pass: encodePass, params: encoding, source, target };
    expect((await all(writeShards(work, blocks))).map(({ rows }) => rows)).toEqual([800, 800]);
    await finishShards(target);
    expect((await readMatrix(scratch.file('codes'))).data).toEqual(samples.data);
    const told = seen.filter((progress) => progress !== undefined);
    expect(told.every(({ workers, done, blocks }) => workers === 1 && done >= 0 && done < blocks)).toBe(true);
    expect(seen.at(-1)).toBeUndefined();
    const first = seen.slice(0, seen.indexOf(undefined));
    expect(new Set(first.map((progress) => progress!.blocks)).size).toBe(1);
    expect(first.map((progress) => progress!.done)).toEqual(first.map((_, k) => k));
    expect(first).toHaveLength(first[0]!.blocks);
  });

  it('nothing is left when it has been closed', async () => {
    await worker('clean');
    const executor = await driver('clean');
    await executor.sum(surveyPass, moments, source);
    const redis = await connect(await loadRedisPackages(), server.url);
    const keys = async (pattern: string) => (await redis.keys(`clean:${pattern}`)).length;
    expect(await keys('run:*')).toBe(1);
    for (const close of closing.splice(0).reverse()) await close();
    expect([await keys('run:*'), await keys('result:*'), await redis.hlen(keysOf('clean').members)]).toEqual([0, 0, 0]);
    for (const key of await redis.keys('clean:value:*')) expect(await redis.ttl(key)).toBeLessThanOrEqual(30);
    redis.disconnect();
  });

  it('waits for workers, and says so once', async () => {
    const said: string[] = [];
    const executor = await driver('late', { say: (words) => said.push(words), threads: 2 });
    expect(executor.threads).toBe(2); // those of this machine, while nobody else has been counted
    const sum = executor.sum(surveyPass, moments, source);
    await sleep(700);
    await worker('late');
    expect(bits(await sum)).toBe(bits(await local.sum(surveyPass, moments, source)));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/^waiting for workers at queue late \(late-\S+-js-\w+\) …$/);
  });

  it('keeps some blocks under way, and more for more threads', async () => {
    for (const [threads, ahead] of [
      [1, 8],
      [6, 12],
    ]) {
      const waiting: number[] = [];
      const packages = await loadRedisPackages();
      const queue = `ahead-${threads}`;
      const jobs = await oddWorker(
        queue,
        async ({ run }, compute) => {
          const redis = await connect(packages, server.url);
          const name = queueOf(
            queue,
            selfAs('worker', referenceKernels, 1).version,
            selfAs('worker', referenceKernels, 1).backend,
          );
          waiting.push((await redis.llen(`bull:${name}:wait`)) + 1);
          redis.disconnect();
          expect(run).toBeTruthy();
          return compute();
        },
        threads,
      );
      const executor = await driver(queue);
      const wide = { ...source, ranges: Array.from({ length: 400 }, (_, k) => ({ start: 4 * k, end: 4 * k + 4 })) };
      const codes = await all(executor.map(encodePass, encoding, wide));
      expect(codes).toHaveLength(400);
      expect(jobs.every(({ block }) => block.count <= 8)).toBe(true);
      expect(executor.threads).toBe(threads);
      expect(Math.max(...waiting)).toBe(ahead);
      for (const close of closing.splice(0).reverse()) await close();
    }
  });

  describe('a block', () => {
    const sums = (queue: string) => async () => {
      const executor = await driver(queue);
      return executor.sum(surveyPass, moments, source);
    };

    it('that does not fit into memory is halved, and again', async () => {
      const jobs = await oddWorker('large', ({ block }, compute, refuse) =>
        block.count > 1 ? refuse('Array buffer allocation failed') : compute(),
      );
      const odd = { ...source, ranges: source.ranges!.slice(0, 13) };
      const executor = await driver('large');
      const rows = (value: { samples: number }) => value.samples;
      expect(bits(await executor.sum(surveyPass, moments, odd))).toBe(bits(await local.sum(surveyPass, moments, odd)));
      expect(rows(await local.sum(surveyPass, moments, odd))).toBe(1300);
      const single = jobs.filter(({ block }) => block.count === 1).map(({ block }) => block.first);
      expect(single.sort((a, b) => a - b)).toEqual(Array.from({ length: 13 }, (_, k) => k));
      for (const { block } of jobs) expect(block.first % 2 ** block.level).toBe(0);
    });

    it.each<[string, string, new (...words: never[]) => Error, string]>([
      ['does not fit alone', 'out of memory', Error, 'cluster: out of memory'],
      ['is refused', 'refused: cluster: samples are bad', InputError, 'cluster: samples are bad'],
      ['is refused for want of memory', 'refused: not enough memory', InputError, 'not enough memory'],
      ['fails', 'boom', Error, 'cluster: boom'],
    ])('that %s ends the pass', async (name, reason, type, message) => {
      await oddWorker(`end ${name}`, (_, __, refuse) => refuse(reason));
      const error = await sums(`end ${name}`)().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(type);
      expect((error as Error).message).toBe(message);
    });

    it('whose parameters are lost is asked for again, until it is hopeless', async () => {
      let left = 3;
      await oddWorker('lost', (_, compute, refuse) => (left-- > 0 ? refuse('they are no longer there') : compute()));
      expect(bits(await sums('lost')())).toBe(bits(await local.sum(surveyPass, moments, source)));
      const jobs = await oddWorker('hopeless', (_, __, refuse) => refuse('they are no longer there'));
      await expect(sums('hopeless')()).rejects.toThrow('cluster: Redis loses what is stored there: is it restarted');
      expect(jobs.length).toBeGreaterThanOrEqual(21);
    });

    it('whose parameters are lost finds them again, because the driver stores them again', async () => {
      const redis = await connect(await loadRedisPackages(), server.url);
      closing.push(async () => redis.disconnect());
      let isFirst = true;
      await oddWorker('forgotten', async (_, compute) => {
        if (isFirst) await redis.del(...(await redis.keys('forgotten:value:*')));
        isFirst = false;
        return compute();
      });
      expect(bits(await sums('forgotten')())).toBe(bits(await local.sum(surveyPass, moments, source)));
    });

    it('whose result is lost is computed again', async () => {
      let left = 2;
      await oddWorker('empty', (_, compute) => (left-- > 0 ? { bytes: 0, seconds: 0 } : compute()));
      expect(bits(await sums('empty')())).toBe(bits(await local.sum(surveyPass, moments, source)));
    });

    it('with a damaged answer ends the pass', async () => {
      const packages = await loadRedisPackages();
      const redis = await connect(packages, server.url);
      await oddWorker('damaged', async ({ result }) => {
        await redis.set(keysOf('damaged').result(result), Buffer.from('years of work'));
        return { bytes: 13, seconds: 0 };
      });
      await expect(sums('damaged')()).rejects.toThrow("cluster: a worker's answer for survey is damaged (bytes).");
      redis.disconnect();
    });
  });

  it('a pass that is aborted, and one whose executor is closed, end at once', async () => {
    await oddWorker('slow', () => sleep(400));
    const executor = await driver('slow');
    const abort = new AbortController();
    const sum = executor.sum(surveyPass, moments, source, abort.signal);
    setTimeout(() => abort.abort(new Error('enough')), 100);
    await expect(sum).rejects.toThrow('enough');
    await expect(executor.sum(surveyPass, moments, source, abort.signal)).rejects.toThrow('enough');
    const closed = expect(executor.sum(surveyPass, moments, source)).rejects.toThrow('the executor was closed');
    await sleep(100);
    await executor.close();
    await closed;
  });

  it('results that nobody took are deleted when a pass is aborted', async () => {
    const held: (() => void)[] = [];
    const hold = ({ block }: BlockJob, compute: () => Promise<unknown>) =>
      block.first === 0 ? new Promise<void>((resolve) => held.push(resolve)).then(compute) : compute();
    for (let k = 0; k < 2; k++) await oddWorker('untaken', hold); // one waits, the other goes on
    const executor = await driver('untaken');
    closing.push(async () => {
      for (const release of held) release();
    });
    const abort = new AbortController();
    const pass = expect(all(executor.map(encodePass, encoding, source, abort.signal))).rejects.toThrow('enough');
    const redis = await connect(await loadRedisPackages(), server.url);
    const results = async () => (await redis.keys('untaken:result:*')).length;
    await vi.waitFor(async () => expect(await results()).toBeGreaterThan(0), patient(1000));
    abort.abort(new Error('enough'));
    await pass;
    await vi.waitFor(async () => expect(await results()).toBe(0), patient(1000));
    redis.disconnect();
  });

  it('results are found without the message that a job has ended', async () => {
    const redis = await connect(await loadRedisPackages(), server.url);
    closing.push(async () => redis.disconnect());
    const taken: boolean[] = [];
    await oddWorker('unheard', async ({ result }, compute) => {
      const done = await compute();
      const isGone = async () => expect(await redis.exists(keysOf('unheard').result(result))).toBe(0);
      await vi.waitFor(isGone, { timeout: patient(5000), interval: 50 }).then(
        () => taken.push(true),
        () => taken.push(false),
      );
      return done; // its message comes after the result was taken
    });
    const executor = await driver('unheard');
    const two = { ...source, ranges: source.ranges!.slice(0, 2) };
    expect(bits(await executor.sum(surveyPass, moments, two))).toBe(bits(await local.sum(surveyPass, moments, two)));
    await vi.waitFor(() => expect(taken.length).toBeGreaterThan(0), patient(1000));
    expect(taken).not.toContain(false);
  });

  it('an address that is none is refused before anything is started', async () => {
    await expect(createRedisExecutor({ redis: 'here' })).rejects.toThrow(
      'cluster: the address of Redis must look like',
    );
    await expect(startRedisWorker({ redis: 'here' })).rejects.toThrow('worker: the address of Redis must look like');
  });
});
