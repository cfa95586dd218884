/**
 * A worker at a queue: takes block after block, opens the samples itself, computes on its threads, and stores the sum. Any
 * number of runs. The event loop stays free while threads compute, so that the queue knows that the worker lives.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import * as v from 'valibot';
import { InputError } from '../core/errors.ts';
import { reasonOf } from '../core/warn.ts';
import type { Executor } from '../engine/executor.ts';
import type { AnyPass } from '../engine/pass.ts';
import { registeredPasses } from '../engine/registry.ts';
import type { RowRange, Source } from '../engine/source.ts';
import { createNodeExecutor, type NodeExecutorOptions } from '../node/threads/threads.ts';
import { arithmeticOf, version } from './identity.ts';
import { Presence } from './members.ts';
import { type BlockDone, type BlockJob, blockJob, DEFAULT_QUEUE, keysOf, LIFE, MOST, queueOf } from './protocol.ts';
import { connect, loadRedisPackages, requireRedisUrl } from './redis.ts';
import { openRemote } from './remote-sources.ts';
import { fromBytes, toBytes } from './wire.ts';

export interface RedisWorkerOptions extends NodeExecutorOptions {
  /** redis://host:port or rediss://… */
  readonly redis: string;
  readonly queue?: string | undefined;
  /** Told of everything worth a line. */
  readonly say?: ((words: string) => void) | undefined;
}

export interface RedisWorker {
  readonly backend: string;
  readonly threads: number;
  /** Finishes the block under way and leaves. */
  close(): Promise<void>;
}

/** Milliseconds without a sign of life after which others take over a job. */
const LOCK = 6000;
/** Milliseconds between looks for jobs of workers that have died. */
const LOOK = 2000;
/** Times that a job may lose its worker before it is given up. */
const MOST_LOST = 5;
/** Parameters of passes that are kept. */
const KEPT = 8;

export async function startRedisWorker(options: RedisWorkerOptions): Promise<RedisWorker> {
  const { queue: name = DEFAULT_QUEUE, say = () => {} } = options;
  const url = requireRedisUrl('worker', options.redis);
  const packages = await loadRedisPackages();
  await import('../index.ts'); // all passes of the package
  const executor = await createNodeExecutor(options);
  const redis = await connect(packages, url);
  const backend = arithmeticOf(executor.kernels);
  const { threads } = executor;
  const self = { role: 'worker', version: version(), backend, threads, host: hostname(), pid: process.pid } as const;
  const presence = await Presence.begin(redis, keysOf(name).members, randomUUID(), () => self, say);
  const blocks = new BlockComputer(executor, redis, name);
  const connection = redis.duplicate(); // closed here, not by bullmq
  const worker: Worker = new packages.bullmq.Worker(
    queueOf(name, self.version, backend),
    async (job: Job) => blocks.compute(job.data).catch((error) => giveUp(packages.bullmq, error)),
    {
      connection,
      lockDuration: LOCK,
      stalledInterval: LOOK,
      maxStalledCount: MOST_LOST,
    },
  );
  worker.on('error', () => {}); // connections come back by themselves
  worker.on('failed', (job, error) => say(`a block of ${job?.name ?? 'a pass'} failed: ${reasonOf(error)}.`));
  await worker.waitUntilReady();
  return {
    backend,
    threads,
    async close() {
      await worker.close();
      await presence.end();
      for (const each of [redis, connection]) each.disconnect();
      await executor.close();
    },
  };
}

/** Input that is refused here is refused everywhere: no other attempt. */
function giveUp({ UnrecoverableError }: typeof import('bullmq'), error: unknown): never {
  if (error instanceof InputError) throw new UnrecoverableError(`refused: ${error.message}`);
  throw error;
}

/** Computes blocks that come from a queue, which is not trusted. */
export class BlockComputer {
  /** Parameters by their hash, the last used last. */
  readonly #params = new Map<string, unknown>();

  constructor(
    readonly executor: Executor,
    readonly redis: Redis,
    readonly name: string,
  ) {}

  async compute(data: unknown): Promise<BlockDone | null> {
    const parsed = v.safeParse(blockJob, data);
    if (!parsed.success)
      throw new InputError(`cluster: a job is damaged (${v.getDotPath(parsed.issues[0]) ?? 'form'}).`);
    const job = parsed.output;
    const keys = keysOf(this.name);
    if (!(await this.redis.exists(keys.run(job.run)))) return null; // its driver is gone
    const started = performance.now();
    const bytes = await this.#sum(job);
    await this.redis.set(keys.result(job.result), Buffer.from(bytes.buffer), 'EX', LIFE.result);
    return { bytes: bytes.length, seconds: (performance.now() - started) / 1000 };
  }

  async #sum(job: BlockJob): Promise<Uint8Array> {
    const pass = passOf(job.pass);
    const params = await this.#paramsOf(job.params);
    const source = await sourceOf(job);
    try {
      if (job.mode === 'sum') {
        const sum = await this.executor.sum(pass, params, source, undefined, job.block);
        return toBytes(sum, `the sum of ${pass.name}`, MOST.result);
      }
      const values: unknown[] = [];
      for await (const value of this.executor.map(pass, params, source, undefined, job.block)) values.push(value);
      return toBytes(values, `a block of ${pass.name}`, MOST.result);
    } finally {
      await source.close?.();
    }
  }

  async #paramsOf(hash: string): Promise<unknown> {
    const known = this.#params.has(hash) ? this.#params.get(hash) : await this.#fetch(hash);
    this.#params.delete(hash);
    this.#params.set(hash, known);
    for (const oldest of this.#params.keys()) {
      if (this.#params.size <= KEPT) break;
      this.#params.delete(oldest);
    }
    return known;
  }

  async #fetch(hash: string): Promise<unknown> {
    const bytes = await this.redis.getBuffer(keysOf(this.name).params(hash));
    if (!bytes) throw new Error('cluster: the parameters of a pass are no longer there.');
    return fromBytes(bytes);
  }
}

function passOf(name: string): AnyPass {
  const pass = registeredPasses().find((each) => each.name === name);
  if (!pass) throw new InputError(`cluster: the pass "${name}" is not one of this package.`);
  return pass;
}

async function sourceOf({ source: wanted }: BlockJob): Promise<Source> {
  const source = await openRemote(wanted.locator);
  const { rows, cols, precision } = source;
  if (rows !== wanted.rows || cols !== wanted.cols || precision !== wanted.precision) {
    await source.close?.();
    const found = `${rows}×${cols} ${precision}`;
    throw new InputError(`cluster: samples must be ${wanted.rows}×${wanted.cols} ${wanted.precision}; got ${found}.`);
  }
  return wanted.ranges ? { ...source, ranges: pairsOf(wanted.ranges) } : source;
}

const pairsOf = (numbers: readonly number[]): RowRange[] =>
  Array.from({ length: numbers.length >> 1 }, (_, k) => ({ start: numbers[2 * k], end: numbers[2 * k + 1] }));
