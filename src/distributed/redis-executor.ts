/**
 * Driver's side of a queue: blocks go to workers on other machines as jobs, their sums come back as values under keys. A job
 * or parameters that Redis has lost are added again; a job that fails on every worker ends the pass with its reason.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import { InputError } from '../core/errors.ts';
import type { Executor } from '../engine/executor.ts';
import { type Block, equalBlocks } from '../engine/sum-tree.ts';
import type { NodeExecutorOptions } from '../node/threads/executor-options.ts';
import { createNodeExecutor } from '../node/threads/threads.ts';
import { blockLevel } from './block-size.ts';
import { type BlockValue, type Cluster, clusterExecutor, type RemotePass } from './cluster-executor.ts';
import { damaged } from './form.ts';
import { selfAs } from './identity.ts';
import { Presence } from './members.ts';
import { type BlockJob, DEFAULT_QUEUE, keysOf, LIFE, lastingKeys, MOST, queueOf } from './protocol.ts';
import {
  another,
  closeOrLeave,
  connect,
  inWords,
  loadRedisPackages,
  type RedisPackages,
  requireRedisUrl,
} from './redis.ts';
import { StoredValues } from './stored-values.ts';
import { fromBytes, toBytes, toText } from './wire.ts';

export interface RedisExecutorOptions extends NodeExecutorOptions {
  /** redis://host:port or rediss://… */
  readonly redis: string;
  /** Name of the queue; default: orthodict. */
  readonly queue?: string | undefined;
  /** Longest pass, in milliseconds, that is computed here: about the cost of a round trip. Default 25. */
  readonly brief?: number | undefined;
  /** Called with messages for the user: that there are no workers, that some do not fit. */
  readonly say?: ((words: string) => void) | undefined;
  /** Called with the progress of a pass; undefined between passes. */
  readonly onBlocks?: ((progress: BlockProgress | undefined) => void) | undefined;
}

/** Progress of a pass, and the workers that compute it. */
export interface BlockProgress {
  readonly workers: number;
  readonly done: number;
  readonly blocks: number;
}

const BRIEF = 25;
/** Blocks under way, at least; next: for every thread. Results wait in Redis until it is their turn. */
const FEWEST_AHEAD = 8;
const AHEAD = 2;
/** Level of blocks whose contributions come back one by one: 8 chunks, some tens of megabytes. */
const MOST_MAPPED = 3;
/** Most times that a pass may lose what it has stored in Redis. */
const MOST_LOST = 20;
const ADVICE = 'is it restarted again and again, or is its maxmemory-policy not noeviction?';
/** Message of a worker that does not find what a job refers to. */
const LOST = /no longer there/;
/** Most attempts at a block that fails. */
const ATTEMPTS = 3;
/** Milliseconds between checks for the first worker. */
const GLANCE = 300;
/** Milliseconds between checks of jobs without an answer. */
const LOOK = 2000;

/** Makes an executor on the workers of a queue. */
export async function createRedisExecutor(options: RedisExecutorOptions): Promise<Executor> {
  requireRedisUrl('cluster', options.redis);
  const loading = loadRedisPackages();
  loading.catch(() => {}); // reported below
  const local = await createNodeExecutor(options);
  try {
    return clusterExecutor(local, await Workers.open(await loading, local, options));
  } catch (error) {
    await local.close();
    throw inWords(error);
  }
}

interface NamedJob {
  readonly id: string;
  readonly name: string;
  readonly data: BlockJob;
}

/** A job in the queue, and the promise of its end: undefined, or an error. */
interface Added {
  readonly job: NamedJob;
  readonly answer: Promise<Error | undefined>;
}

/** A job without an answer yet. */
interface Waiting {
  readonly job: NamedJob;
  resolve(failure: Error | undefined): void;
}

/** The workers at a queue, on the side of their driver. */
class Workers implements Cluster {
  readonly #run = randomUUID();
  readonly #waiting = new Map<string, Waiting>();
  readonly #values: StoredValues;
  /** Milliseconds to fetch and add the last sum, by pass. */
  readonly #taking = new Map<string, number>();
  readonly #looks: NodeJS.Timeout;
  #jobs = 0;
  /** Time when it last renewed its keys and counted the workers. */
  #met = Number.NEGATIVE_INFINITY;
  #workers = 0;
  #workerThreads = 0;
  #isLooking = false;
  /** Resolves when nothing is left of finished passes. */
  #forgetting: Promise<unknown> = Promise.resolve();

  private constructor(
    readonly local: Executor,
    readonly brief: number,
    readonly name: string,
    readonly redis: Redis,
    readonly queue: Queue,
    readonly events: QueueEvents,
    readonly presence: Presence,
    readonly say: (words: string) => void,
    readonly progress: (progress: BlockProgress | undefined) => void,
    readonly connections: readonly Redis[],
  ) {
    this.#values = new StoredValues(redis, keysOf(name).value);
    events.on('completed', ({ jobId }) => this.#answer(jobId));
    events.on('failed', ({ jobId, failedReason }) => this.#answer(jobId, failedReason));
    events.on('error', () => {});
    this.#looks = setInterval(() => void this.#look().catch(() => {}), LOOK);
    this.#looks.unref();
  }

  static async open(packages: RedisPackages, local: Executor, options: RedisExecutorOptions): Promise<Workers> {
    const { queue: name = DEFAULT_QUEUE, brief = BRIEF, say = () => {}, onBlocks = () => {} } = options;
    const url = requireRedisUrl('cluster', options.redis);
    const redis = await connect(packages, url);
    const self = selfAs('driver', local.kernels, 0);
    const queueName = queueOf(name, self.version, self.backend);
    const connections = [another(redis), another(redis)] as const; // closed here, not by bullmq
    try {
      const queue = new packages.bullmq.Queue(queueName, { connection: connections[0] });
      queue.on('error', () => {}); // connections reconnect by themselves
      const presence = await Presence.begin(redis, lastingKeys(name, queue.keys), randomUUID(), self, say);
      const events = new packages.bullmq.QueueEvents(queueName, { connection: connections[1] });
      await Promise.all([queue.waitUntilReady(), events.waitUntilReady()]);
      return new Workers(local, brief, name, redis, queue, events, presence, say, onBlocks, connections);
    } catch (error) {
      for (const connection of [redis, ...connections]) connection.disconnect();
      throw error;
    }
  }

  /** Number of threads of the workers last counted, or here if there were none. */
  get threads(): number {
    return this.#workerThreads || this.local.threads;
  }

  async *blocks(pass: RemotePass, signal: AbortSignal | undefined): AsyncGenerator<BlockValue, void> {
    const held: string[] = [];
    const added: Added[] = [];
    try {
      yield* this.#compute(pass, held, added, (work) => orAborted(work, signal), signal);
    } catch (error) {
      throw inWords(error);
    } finally {
      this.progress(undefined);
      const ids = added.map(({ job }) => job.id);
      const forgotten = this.#forget(ids, held).catch(() => {}); // all of it expires
      this.#forgetting = Promise.all([this.#forgetting, forgotten]);
    }
  }

  /** Computes a pass. `held`, `added`: what is stored for it, and its jobs under way; `soon` waits unless it is aborted. */
  async *#compute(
    pass: RemotePass,
    held: string[],
    added: Added[],
    soon: <T>(work: Promise<T>) => Promise<T>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<BlockValue, void> {
    const { pass: name, mode } = pass.request;
    const jobOf = await this.#prepare(pass, held, soon, signal);
    const blocks = [...(pass.blocks ?? equalBlocks(pass.chunks, this.#levelOf(pass)))];
    const add = (some: readonly Block[]) => soon(this.#add(some.map(jobOf)));
    let losses = 0;
    for (let done = 0; blocks.length + added.length > 0; ) {
      const ahead = Math.max(FEWEST_AHEAD, AHEAD * this.threads);
      if (blocks.length > 0 && added.length < ahead / 2) {
        added.push(...(await add(blocks.splice(0, ahead - added.length))));
      }
      this.progress({ workers: this.#workers, done, blocks: done + added.length + blocks.length });
      const { job, answer } = added[0];
      const { block } = job.data;
      const failure = await soon(answer);
      const started = performance.now();
      const bytes = failure ? undefined : await soon(this.#fetch(job.id));
      added.shift();
      if (bytes) {
        yield { block, value: answerOf(name, bytes) };
        this.#taking.set(name, performance.now() - started); // includes the caller's work on it
        this.#forgetResults([job.id]);
        done++;
      } else if (!failure || LOST.test(failure.message)) {
        if (++losses > MOST_LOST) throw new InputError(`cluster: Redis loses what is stored there: ${ADVICE}`);
        await soon(this.#restore());
        added.unshift(...(await add([block])));
      } else added.unshift(...(await add(smallerBlocks(block, mode, failure))));
    }
  }

  /** Stores what the jobs of a pass refer to, and waits for workers; returns what makes a job of a block. */
  async #prepare(
    { request }: RemotePass,
    held: string[],
    soon: <T>(work: Promise<T>) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<(block: Block) => NamedJob> {
    const { pass: name, mode, target } = request;
    const hold = async (bytes: Uint8Array) => {
      held.push(await soon(this.#values.hold(bytes)));
      return held.at(-1)!;
    };
    const params = await hold(toBytes(request.params, `the parameters of ${name}`, MOST.value));
    const source = await hold(toText(request.source, 'the list of files', MOST.value));
    await soon(this.#meetSomebody(signal));
    return (block) => {
      const result = `${this.#run}-${this.#jobs++}`;
      return { id: result, name, data: { run: this.#run, pass: name, params, source, mode, target, block, result } };
    };
  }

  #levelOf({ request, chunks, expected }: RemotePass): number {
    const time = { chunks, threads: this.threads, expected, taking: this.#taking.get(request.pass) ?? 0 };
    return blockLevel(time, request.mode === 'map' ? MOST_MAPPED : undefined);
  }

  /** Renews the key of the driver and counts the workers, unless it has just done so. */
  async #meet(): Promise<void> {
    if (performance.now() - this.#met < LOOK) return;
    this.#met = performance.now();
    await this.redis.set(keysOf(this.name).run(this.#run), '1', 'EX', LIFE.run);
    const workers = await this.presence.others();
    this.#workers = workers.length;
    this.#workerThreads = workers.reduce((sum, { threads }) => sum + threads, 0);
  }

  /** Waits until there are workers: the block size depends on them. */
  async #meetSomebody(signal: AbortSignal | undefined): Promise<void> {
    await this.#meet();
    if (this.#workers > 0) return;
    this.say(`waiting for workers at queue ${this.name} (${this.queue.name}) …`);
    while (this.#workers === 0 && !signal?.aborted) {
      await sleep(GLANCE);
      this.#met = Number.NEGATIVE_INFINITY;
      await this.#meet();
    }
  }

  /** Stores again everything that workers need, after Redis has lost some of it. */
  async #restore(): Promise<void> {
    this.#met = Number.NEGATIVE_INFINITY;
    await this.#meet();
    await this.#values.keep();
  }

  async #add(jobs: readonly NamedJob[]): Promise<Added[]> {
    const added = jobs.map((job) => {
      const answer = new Promise<Error | undefined>((resolve) => this.#waiting.set(job.id, { job, resolve }));
      return { job, answer };
    });
    try {
      await this.#enqueue(jobs);
    } catch (error) {
      for (const { id } of jobs) this.#waiting.delete(id);
      throw error;
    }
    return added;
  }

  /** Jobs expire unless the driver comes back to look at them. A driver that is killed leaves no job without an end. */
  async #enqueue(jobs: readonly NamedJob[]): Promise<void> {
    const adding = this.queue.addBulk(
      jobs.map(({ id, name, data }) => ({ name, data, opts: { ...JOB_OPTIONS, jobId: id } })),
    );
    adding.catch(() => {}); // awaited below
    await new Promise(setImmediate); // the jobs are on their way: commands on the same connection come right behind them
    const expiries = jobs.map(({ id }) => this.connections[0].expire(this.queue.toKey(id), LIFE.value));
    await Promise.all([adding, this.presence.keep(), ...expiries]);
  }

  #answer(id: string, failure?: string): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    waiting.resolve(failure === undefined ? undefined : failureOf(failure));
  }

  /** Returns a result, or null if it is not there. */
  async #fetch(id: string): Promise<Uint8Array | null> {
    return this.redis.getBuffer(keysOf(this.name).result(id));
  }

  /** Checks jobs without an answer: while Redis is unavailable, events may be missed and jobs lost. One check at a time. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#restore();
      for (const [id, { job }] of [...this.#waiting]) await this.#lookAt(id, job);
    } finally {
      this.#isLooking = false;
    }
  }

  async #lookAt(id: string, { name, data }: NamedJob): Promise<void> {
    const isThere = await this.redis.expire(this.queue.toKey(id), LIFE.value); // before its result: it is gone after it
    if (await this.redis.expire(keysOf(this.name).result(id), LIFE.result)) this.#answer(id);
    else if (!isThere && this.#waiting.has(id)) await this.#enqueue([{ id, name, data }]);
  }

  /** Deletes the jobs of a finished pass, their results, and soon what they refer to. */
  async #forget(ids: readonly string[], held: readonly string[]): Promise<void> {
    const unfinished = ids.filter((id) => this.#waiting.delete(id));
    this.#forgetResults(ids);
    for (const hash of held) await this.#values.release(hash);
    await Promise.all(unfinished.map((id) => this.queue.remove(id).catch(() => 0))); // a job being computed ends by itself
  }

  #forgetResults(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.redis.unlink(...ids.map((id) => keysOf(this.name).result(id))).catch(() => {}); // they expire anyway
  }

  async close(): Promise<void> {
    clearInterval(this.#looks);
    this.presence.stop();
    for (const id of [...this.#waiting.keys()]) this.#answer(id, 'the executor was closed');
    await closeOrLeave(this.redis, this.#sayGoodbye());
    for (const connection of [this.redis, ...this.connections]) connection.disconnect();
  }

  async #sayGoodbye(): Promise<void> {
    const leave = async () => {
      await this.#forgetting;
      const left = this.redis.unlink(keysOf(this.name).run(this.#run));
      await Promise.all([left, this.presence.end(), this.queue.close()]); // independent of each other
    };
    // while Redis is unavailable nothing can be deleted, and events have a connection of their own that would reconnect for ever
    await Promise.all([this.events.close(), leave()]);
  }
}

/** Decodes an answer; a damaged one is no fault of this program. */
function answerOf(pass: string, bytes: Uint8Array): unknown {
  try {
    return fromBytes(bytes);
  } catch {
    throw damaged(`a worker's answer for ${pass} is`, 'bytes');
  }
}

/** Jobs are removed when they end: their return value comes with an event, and the result has a key of its own. */
const JOB_OPTIONS = {
  attempts: ATTEMPTS,
  backoff: { type: 'fixed', delay: 200 },
  removeOnComplete: true,
  removeOnFail: true,
};

/** Messages of a worker whose memory was too small, or of BullMQ if the worker died of it again and again. */
const TOO_LARGE = /memory|allocation|invalid array length|stalled/i;

/** Halves a block for which memory was too small; otherwise throws its failure. */
function smallerBlocks({ first, count, level }: Block, mode: BlockJob['mode'], failure: Error): Block[] {
  const half = 2 ** (level - 1);
  const canSplit = count > 1 && mode !== 'write' && !(failure instanceof InputError) && TOO_LARGE.test(failure.message);
  if (!canSplit) throw failure;
  if (count <= half) return smallerBlocks({ first, count, level: level - 1 }, mode, failure);
  return [
    { first, count: half, level: level - 1 },
    { first: first + half, count: count - half, level: level - 1 },
  ];
}

const REFUSED = 'refused: ';
function failureOf(reason: string): Error {
  if (reason.startsWith(REFUSED)) return new InputError(reason.slice(REFUSED.length));
  return inWords(new Error(reason), 'cluster: ');
}

async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    stop = () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stop();
  }
}
