/**
 * An executor over any kind of workers that exchange messages: threads in Node, web workers in a browser. The kind
 * supplies {@link WorkerPort}s; this module hands out blocks of chunks, and adds up the returned sums in the order of
 * the tree.
 */
import { InputError } from '../core/errors.ts';
import type { Matrix } from '../core/matrix.ts';
import { isShared } from '../core/share.ts';
import type { Kernels } from '../kernels/kernels.ts';
import type { Executor } from './executor.ts';
import { inlineExecutor } from './inline.ts';
import type { Pass } from './pass.ts';
import { introduce } from './registry.ts';
import { type RowRange, rangesOf, requireSamples, type Source } from './source.ts';
import { type Block, blocksOf, sumTree } from './sum-tree.ts';
import {
  type ChunkRequest,
  type Reply,
  type RunDescription,
  transferables,
  type WorkerPort,
} from './worker-messages.ts';

/** Blocks under way per worker: one being computed and one waiting, so that no worker idles. */
const UNDER_WAY = 2;
/** Most blocks per worker that are being computed or wait for an earlier block. */
const RUN_AHEAD = 4;
/** Most chunks of a block whose contributions come back one by one, or whose samples travel with the message. */
const MOST_CARRIED = 2;

/** A running pass. */
interface Job {
  readonly id: number;
  readonly description: RunDescription;
  readonly source: Source;
  readonly ranges: readonly RowRange[];
  readonly blocks: readonly Block[];
  /** Workers that have been told of it. */
  readonly begun: Set<number>;
  readonly replies: Map<number, Reply>;
  wake: () => void;
}

/**
 * `start` starts the workers; it is called at the first pass with several chunks. It may get fewer than `threads`, or
 * none: then the calling thread computes.
 */
export function workersExecutor(
  threads: number,
  start: () => Promise<readonly WorkerPort[]>,
  kernels: Kernels,
): Executor {
  const inline = inlineExecutor(kernels);
  let starting: Promise<void> | undefined;
  let pool: WorkerPool | undefined;
  let closed = false;
  /** The pool that computes these chunks; none if the calling thread does. */
  const poolFor = async (ranges: readonly RowRange[]): Promise<WorkerPool | undefined> => {
    // a single chunk is not worth a message: the calling thread would only wait
    if (ranges.length === 1 && !closed && !pool?.broken) return undefined;
    await warm();
    return pool;
  };
  const warm = (): Promise<void> => {
    if (closed) throw new Error('executor: already closed.');
    starting ??= start().then((ports) => {
      pool = ports.length > 0 ? new WorkerPool(ports) : undefined;
      threads = Math.max(1, ports.length);
    });
    return starting;
  };
  return {
    kernels,
    get threads() {
      return threads;
    },
    async sum(pass, params, source, signal) {
      requireSamples(pass.name, source);
      const ranges = rangesOf(source, pass.effort);
      const workers = await poolFor(ranges);
      if (!workers) return inline.sum(pass, params, source, signal);
      const tree = sumTree(pass.add);
      for await (const { block, values } of workers.run('sum', pass, params, source, ranges, signal)) {
        tree.push(values[0], block.level);
      }
      return tree.total()!;
    },
    async *map(pass, params, source, signal) {
      const ranges = rangesOf(source, pass.effort);
      const workers = await poolFor(ranges);
      if (!workers) yield* inline.map(pass, params, source, signal);
      else for await (const { values } of workers.run('map', pass, params, source, ranges, signal)) yield* values;
    },
    warm,
    async close() {
      closed = true;
      await starting;
      await pool?.close();
    },
  };
}

/** Hands out blocks to the least busy workers, for any number of passes at once. */
class WorkerPool {
  broken: Error | undefined;
  readonly #ports: readonly WorkerPort[];
  /** Blocks under way and their chunks, by worker. */
  readonly #load: { blocks: number; chunks: number }[];
  /** Passes that have ended since the last message, by worker. */
  readonly #ended: number[][];
  readonly #jobs = new Map<number, Job>();
  #count = 0;

  constructor(ports: readonly WorkerPort[]) {
    this.#ports = ports;
    this.#load = ports.map(() => ({ blocks: 0, chunks: 0 }));
    this.#ended = ports.map(() => []);
    ports.forEach((port, worker) => {
      port.onReply((reply) => {
        this.#unload(worker, reply.chunks);
        this.#jobs.get(reply.run)?.replies.set(reply.block, reply);
        this.#wakeAll(); // a free worker may serve any pass
      });
      port.onFailure((error) => this.#break(error));
    });
  }

  /** The values of every block, in order. */
  async *run<P, C>(
    mode: RunDescription['mode'],
    pass: Pass<P, C>,
    params: P,
    source: Source,
    ranges: readonly RowRange[],
    signal: AbortSignal | undefined,
  ): AsyncGenerator<{ block: Block; values: readonly C[] }, void> {
    const description = { pass: introduce(pass), params, locator: source.locator, mode };
    const carried = mode === 'map' || !source.locator;
    const blocks = [...blocksOf(ranges.length, this.#ports.length, carried ? MOST_CARRIED : undefined)];
    const job: Job = {
      id: ++this.#count,
      description,
      source,
      ranges,
      blocks,
      begun: new Set(),
      replies: new Map(),
      wake: () => {},
    };
    const onAbort = () => job.wake();
    signal?.addEventListener('abort', onAbort);
    this.#jobs.set(job.id, job);
    try {
      for (let next = 0, sent = 0; next < blocks.length; ) {
        signal?.throwIfAborted();
        if (this.broken) throw this.broken;
        const worker = this.#idlest();
        const ahead = sent < Math.min(blocks.length, next + RUN_AHEAD * this.#ports.length);
        if (ahead && this.#load[worker].blocks < UNDER_WAY) await this.#post(job, sent++, worker);
        else if (job.replies.has(next)) yield { block: blocks[next], values: take<C>(job, next++) };
        else await sleep(job);
      }
    } finally {
      signal?.removeEventListener('abort', onAbort);
      this.#jobs.delete(job.id);
      for (const worker of job.begun) this.#ended[worker].push(job.id);
    }
  }

  async close(): Promise<void> {
    this.#break(this.broken ?? new Error('executor: closed while a pass was running.'));
    await Promise.all(this.#ports.map((port) => port.terminate()));
  }

  #idlest(): number {
    const chunks = this.#load.map((load) => load.chunks);
    return chunks.indexOf(Math.min(...chunks));
  }

  async #post({ id, description, source, ranges, blocks, begun }: Job, block: number, worker: number): Promise<void> {
    const { count } = blocks[block];
    this.#load[worker].blocks++; // before the samples are read: another pass must not take the same place
    this.#load[worker].chunks += count;
    try {
      const chunks = await chunksOf(blocks[block], ranges, source);
      const begin = begun.has(worker) ? undefined : description;
      this.#ports[worker].post({ run: id, begin, block, chunks, ended: this.#ended[worker] }, transferables(chunks));
      this.#ended[worker] = [];
      begun.add(worker);
    } catch (error) {
      this.#unload(worker, count);
      this.#wakeAll();
      throw error;
    }
  }

  #unload(worker: number, chunks: number): void {
    this.#load[worker].blocks--;
    this.#load[worker].chunks -= chunks;
  }

  #break(error: Error): void {
    this.broken ??= error; // the first one is the cause
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const job of this.#jobs.values()) job.wake();
  }
}

/** The values of a block that has been computed. */
function take<C>({ replies }: Job, block: number): readonly C[] {
  const reply = replies.get(block)!;
  replies.delete(block);
  if ('failure' in reply) throw reply.refused ? new InputError(reply.failure) : new Error(reply.failure);
  return reply.values as readonly C[];
}

/** Waits for a reply, an abort or a failure. */
const sleep = (job: Job): Promise<void> =>
  new Promise((resolve) => {
    job.wake = resolve;
  });

/** The chunks of a block, with their samples where the worker cannot read them itself. */
async function chunksOf({ first, count }: Block, ranges: readonly RowRange[], source: Source): Promise<ChunkRequest[]> {
  const chunks: ChunkRequest[] = [];
  for (let index = first; index < first + count; index++) {
    const { start, end } = ranges[index];
    const samples = source.locator ? undefined : ownCopyUnlessShared(await source.read(start, end));
    chunks.push({ index, start, end, samples });
  }
  return chunks;
}

/** Shared memory is passed by reference; anything else is copied, because the source may reuse its buffer. */
function ownCopyUnlessShared(samples: Matrix): Matrix {
  return isShared(samples) ? samples : { ...samples, data: samples.data.slice() };
}
