/**
 * An executor over workers of any kind that exchange messages: threads in Node, web workers in a browser. The platform
 * supplies {@link WorkerPort}s.
 *
 * Starting a worker can cost more than the computation. So the calling thread begins alone; when it has seen enough work it
 * starts workers, continues meanwhile, and hands over the chunks that are left when they are ready. A brief pass is computed
 * by the calling thread alone, because waking workers would take as long. Sums are added up in the order of the tree, so the
 * result does not show where a chunk was computed.
 */
import type { Kernels } from '../../kernels/kernels.ts';
import { type Executor, inlineExecutor, PassTimings } from '../executor.ts';
import type { Pass } from '../pass.ts';
import { rangesOf, requireSamples, type Source } from '../source/source.ts';
import { type Block, chunksWithin, sumTree } from '../sum-tree.ts';
import { canWait } from './control-block.ts';
import { MessageTransport } from './message-transport.ts';
import { plainDataBytes } from './plain-data.ts';
import { type StartWorkers, WorkerPool } from './pool.ts';
import type { BlockValues, Job } from './protocol.ts';
import { SharedMemoryTransport } from './shared-memory-transport.ts';

/** Milliseconds of work in the calling thread that make workers worthwhile: about what it takes to start one. */
const WORTH_WORKERS = 100;
/** Milliseconds of a pass up to which the calling thread computes it alone. */
const BRIEF = 1.5;

/** `threads`: how many compute, including the calling one. `start` is called when there is work for workers. */
export function workersExecutor(threads: number, start: StartWorkers, kernels: Kernels): Executor {
  const dispatcher = new Dispatcher(threads, start, kernels);
  const { pool } = dispatcher;
  return {
    kernels,
    get threads() {
      return pool.threads;
    },
    async sum<P, C>(pass: Pass<P, C>, params: P, source: Source, signal?: AbortSignal, within?: Block) {
      requireSamples(pass.name, source);
      const tree = sumTree(pass.add);
      const job = { mode: 'sum', pass, params, source, signal } as const;
      for await (const { block, values } of dispatcher.run<P, C>(job, within)) tree.push(values[0], block.level);
      return tree.total()!;
    },
    async *map<P, C>(pass: Pass<P, C>, params: P, source: Source, signal?: AbortSignal, within?: Block) {
      const job = { mode: 'map', pass, params, source, signal } as const;
      for await (const { values } of dispatcher.run<P, C>(job, within)) yield* values;
    },
    warm: () => pool.start(),
    close: () => dispatcher.close(),
  };
}

/** Decides where the blocks of a job are computed: in the calling thread, or by workers over one of two transports. */
class Dispatcher {
  readonly pool: WorkerPool;
  readonly #threads: number;
  readonly #inline: Executor;
  readonly #timings = new PassTimings();
  readonly #messages: MessageTransport;
  readonly #sharedMemory: SharedMemoryTransport | undefined;
  /** Jobs by message that are under way or wait for the shared memory to be free. */
  #byMessage = 0;
  /** Milliseconds of passes with several chunks that the calling thread has computed. */
  #seen = 0;
  #closed = false;

  constructor(threads: number, start: StartWorkers, kernels: Kernels) {
    this.pool = new WorkerPool(threads, start);
    this.#threads = threads;
    this.#inline = inlineExecutor(kernels);
    this.#messages = new MessageTransport(this.pool, threads);
    if (canWait()) this.#sharedMemory = new SharedMemoryTransport(this.pool, threads, kernels, this.#timings);
  }

  /** The first chunks come from the calling thread until there are workers, the others from workers. */
  async *run<P, C>(task: Omit<Job<P, C>, 'ranges' | 'first'>, within?: Block): AsyncGenerator<BlockValues<C>, void> {
    if (this.#closed) throw new Error('executor: already closed.');
    if (this.pool.broken) throw this.pool.broken;
    const all = rangesOf(task.source, task.pass.effort);
    const { first, end } = chunksWithin(all, within);
    if (first === end) return;
    const job: Job<P, C> = { ...task, ranges: all.slice(0, end), first };
    const isBrief = this.#isBrief(job);
    let next = first;
    if (isBrief || !this.pool.isReady) {
      if (end - first > 1) requireSendable(task.params);
      for await (const value of this.#computeHere(job, within, isBrief)) {
        yield { block: { first: next++, count: 1, level: 0 }, values: [value] };
      }
    }
    if (next < end) yield* this.#computeOnWorkers({ ...job, first: next });
  }

  #isBrief<P, C>({ pass, source, ranges, first }: Job<P, C>): boolean {
    const last = ranges.length - 1;
    const rows = ranges[last].end - ranges[first].start;
    return first === last || (this.#timings.estimate(pass, source, rows) ?? Number.POSITIVE_INFINITY) <= BRIEF;
  }

  /** Chunks computed by the calling thread: all of a brief pass; of others those until workers are ready. */
  async *#computeHere<P, C>(job: Job<P, C>, within: Block | undefined, isBrief: boolean): AsyncGenerator<C, void> {
    const { pass, params, source, ranges, first, signal } = job;
    let done = 0;
    let fastest = Number.POSITIVE_INFINITY;
    let started = performance.now();
    for await (const value of this.#inline.map(pass, params, source, signal, within)) {
      if (this.pool.broken) throw this.pool.broken;
      const milliseconds = performance.now() - started;
      const { start, end } = ranges[first + done++];
      this.#timings.record(pass, source, end - start, milliseconds);
      yield value;
      if (!isBrief) {
        this.#seen += milliseconds;
        fastest = Math.min(fastest, milliseconds);
        // the very first chunk may take long because code is being compiled
        const expected = done > 1 ? fastest * (ranges.length - first - done) : 0;
        if (this.#seen + expected > WORTH_WORKERS) void this.pool.start();
        if (this.pool.isReady) return;
      }
      started = performance.now();
    }
  }

  /** Uses shared memory where possible, otherwise messages. */
  async *#computeOnWorkers<P, C>(job: Job<P, C>): AsyncGenerator<BlockValues<C>, void> {
    const sharedMemory = this.#sharedMemory;
    // a job by message may last as long as its reader wants, so jobs through shared memory do not wait for its end
    if (sharedMemory && this.#byMessage === 0 && sharedMemory.accepts(job)) {
      if (!sharedMemory.isShort(job)) void this.pool.start(this.#threads);
      yield* sharedMemory.run(job);
      return;
    }
    void this.pool.start(this.#threads);
    this.#byMessage++;
    try {
      yield* this.#messages.run(job, sharedMemory?.end);
    } finally {
      this.#byMessage--;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.pool.close();
  }
}

/** Refuses parameters that workers would refuse, so that the error does not depend on the amount of work. */
function requireSendable(params: unknown): void {
  if (!Number.isFinite(plainDataBytes(params, () => 0))) structuredClone(params);
}
