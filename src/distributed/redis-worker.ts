/**
 * Worker at a queue: takes block after block, opens the samples itself, computes on its threads, and stores the sum. It serves any
 * number of runs. The event loop stays free while threads compute, so that the worker keeps its lock on the job.
 */
import { randomUUID } from 'node:crypto';
import type { Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { InputError } from '../core/errors.ts';
import { reasonOf } from '../core/warn.ts';
import type { Executor } from '../engine/executor.ts';
import type { NodeExecutorOptions } from '../node/threads/executor-options.ts';
import { createNodeExecutor } from '../node/threads/threads.ts';
import { BlockComputer } from './block-computer.ts';
import { selfAs } from './identity.ts';
import { Presence } from './members.ts';
import { DEFAULT_QUEUE, lastingKeys, queueOf } from './protocol.ts';
import {
  another,
  closeOrLeave,
  connect,
  inWords,
  loadRedisPackages,
  type RedisPackages,
  requireRedisUrl,
} from './redis.ts';

export interface RedisWorkerOptions extends NodeExecutorOptions {
  /** redis://host:port or rediss://… */
  readonly redis: string;
  /** Name of the queue; default: orthodict. */
  readonly queue?: string | undefined;
  /** Called with messages for the user. */
  readonly say?: ((words: string) => void) | undefined;
}

export interface RedisWorker {
  readonly backend: string;
  readonly threads: number;
  /** Finishes the current block and leaves. */
  close(): Promise<void>;
}

/** Milliseconds without a heartbeat after which others take over a job. */
const LOCK = 6000;
/** Milliseconds between checks for jobs of workers that have died. */
const LOOK = 2000;
/** Most times that a job may lose its worker before it fails. */
const MOST_LOST = 5;

/** Starts a worker. It serves until it is closed. */
export async function startRedisWorker(options: RedisWorkerOptions): Promise<RedisWorker> {
  const url = requireRedisUrl('worker', options.redis);
  const packages = await loadRedisPackages();
  await import('../index.ts'); // all passes of the package
  const executor = await createNodeExecutor(options);
  const redis = await connect(packages, url).catch(async (error) => {
    await executor.close();
    throw error;
  });
  return serveQueue(packages, redis, executor, options);
}

/** Takes blocks from the queue until it is closed; closes the connection and the executor with it. */
async function serveQueue(
  { bullmq }: RedisPackages,
  redis: Redis,
  executor: Executor,
  { queue: name = DEFAULT_QUEUE, say = () => {} }: RedisWorkerOptions,
): Promise<RedisWorker> {
  const self = selfAs('worker', executor.kernels, executor.threads);
  const { backend, threads } = self;
  const blocks = new BlockComputer(executor, redis, name);
  const connection = another(redis); // closed here, not by bullmq
  const release = async () => {
    for (const each of [redis, connection]) each.disconnect();
    await executor.close();
  };
  let presence: Presence | undefined;
  const compute = async (job: Job) => {
    presence?.keep().catch(() => {}); // Redis may be unavailable for a while
    return blocks.compute(job.data).catch((error) => giveUp(bullmq, error));
  };
  const limits = { lockDuration: LOCK, stalledInterval: LOOK, maxStalledCount: MOST_LOST };
  const worker: Worker = new bullmq.Worker(queueOf(name, self.version, backend), compute, { connection, ...limits });
  worker.on('error', () => {}); // connections reconnect by themselves
  worker.on('failed', (job, error) => say(`a block of ${job?.name ?? 'a pass'} failed: ${reasonOf(error)}.`));
  presence = await worker
    .waitUntilReady()
    .then(() => Presence.begin(redis, lastingKeys(name, worker.keys), randomUUID(), self, say))
    .catch(async (error) => {
      await worker.close(true).catch(() => {});
      await release();
      throw inWords(error);
    });
  const leave = async () => {
    const left = worker.close().then(() => presence?.end());
    await closeOrLeave(redis, left);
    presence?.stop();
    await release();
  };
  return { backend, threads, close: leave };
}

/** Rethrows an error; refused input ends all attempts, as every worker would refuse it. */
function giveUp({ UnrecoverableError }: typeof import('bullmq'), error: unknown): never {
  if (error instanceof InputError) throw new UnrecoverableError(`refused: ${error.message}`);
  throw error;
}
