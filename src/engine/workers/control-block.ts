/**
 * Memory that a caller and its workers share, to compute jobs without messages, one job at a time.
 *
 *     caller   writes the job into the arena, opens it, wakes the workers
 *     all      enter; take block after block, write the sum of each into its slot and mark it finished; leave
 *     caller   adds up the sums, closes the job
 *
 * A waiting worker sleeps until the wake counter changes. It enters before it looks whether a job is open, and the caller
 * writes the next job only when the last one is closed and no worker is inside: so nobody reads what is being written,
 * however late a worker wakes up. A sleeping worker receives no messages; an interrupt makes it receive them again.
 *
 *     control   the words below, then for every worker the last epoch in which it was interrupted
 *     arena     the state of every block; the job (plain-data.ts); a slot for the sum of every block
 */
import type { Matrix } from '../../core/matrix.ts';
import { canShare } from '../../core/shared-memory.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { Chunk, Pass } from '../pass.ts';
import { memoryReader } from '../source/locator.ts';
import type { Locator } from '../source/source.ts';
import { type Block, sumTree } from '../sum-tree.ts';
import { PlainDataMemory } from './plain-data.ts';

/** Indices of the control words. */
const [WAKE_COUNT, OPEN, BLOCKS, NEXT, FINISHED, INSIDE, WORKERS, FASTEST, INTERRUPTED] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** How a block ended: its sum is in its slot, or came by message because it does not fit there or the block failed. */
export const WRITTEN = 1;
export const SENT = 2;

/** Whether workers and this thread can wait for each other in shared memory. */
export const canWait = (): boolean =>
  canShare && typeof Atomics !== 'undefined' && typeof Atomics.waitAsync === 'function';

export class ControlBlock {
  readonly #words: Int32Array;
  #arena: SharedArrayBuffer;
  #states: Int32Array;
  #data: PlainDataMemory;

  constructor(
    readonly control: SharedArrayBuffer,
    arena: SharedArrayBuffer,
  ) {
    this.#words = new Int32Array(control);
    this.#arena = arena;
    this.#states = new Int32Array(arena);
    this.#data = new PlainDataMemory(arena);
  }

  /** A new control block for a number of workers. */
  static create(workers: number): ControlBlock {
    return new ControlBlock(new SharedArrayBuffer(4 * (INTERRUPTED + workers)), new SharedArrayBuffer(1 << 16));
  }

  get arena(): SharedArrayBuffer {
    return this.#arena;
  }

  /** Makes room in the arena. No worker may be inside. */
  reserve(bytes: number): void {
    if (bytes <= this.#arena.byteLength) return;
    this.#arena = new SharedArrayBuffer(2 ** Math.ceil(Math.log2(bytes)));
    this.#states = new Int32Array(this.#arena);
    this.#data = new PlainDataMemory(this.#arena);
  }

  /** The arena as plain data. */
  get data(): PlainDataMemory {
    return this.#data;
  }

  /** The byte at which a job of `blocks` blocks is written: after their states. */
  static headerOffset(blocks: number): number {
    return 8 * Math.ceil(blocks / 2);
  }

  /** Opens the job that has been written, to the first `workers` workers. */
  open(blocks: number, workers: number): void {
    this.#states.fill(0, 0, blocks);
    Atomics.store(this.#words, BLOCKS, blocks);
    Atomics.store(this.#words, NEXT, 0);
    Atomics.store(this.#words, FINISHED, 0);
    Atomics.store(this.#words, WORKERS, workers);
    Atomics.store(this.#words, FASTEST, 2 ** 31 - 1);
    Atomics.store(this.#words, OPEN, 1);
    this.#wakeAll();
  }

  get isOpen(): boolean {
    return Atomics.load(this.#words, OPEN) === 1;
  }

  /** Ends the job: whoever is inside leaves after the current chunk. */
  close(): void {
    Atomics.store(this.#words, OPEN, 0);
  }

  get blocks(): number {
    return Atomics.load(this.#words, BLOCKS);
  }

  /** Takes the next block; undefined if all are taken. */
  take(): number | undefined {
    const block = Atomics.add(this.#words, NEXT, 1);
    return block < this.blocks ? block : undefined;
  }

  get isFinished(): boolean {
    return Atomics.load(this.#words, FINISHED) === this.blocks;
  }

  finish(block: number, state: typeof WRITTEN | typeof SENT): void {
    Atomics.store(this.#states, block, state);
    if (Atomics.add(this.#words, FINISHED, 1) + 1 === this.blocks) Atomics.notify(this.#words, FINISHED);
  }

  /** 0 until the block is finished. */
  stateOf(block: number): number {
    return Atomics.load(this.#states, block);
  }

  /** Milliseconds of the fastest chunk of the job so far: slower ones may have waited for a core. */
  get fastestChunk(): number {
    return Atomics.load(this.#words, FASTEST) / 1000;
  }

  /** Records the milliseconds of a chunk. */
  recordChunk(milliseconds: number): void {
    if (milliseconds < this.fastestChunk) Atomics.store(this.#words, FASTEST, 1000 * milliseconds);
  }

  /** Enters; returns whether a job is open to this worker. Leave in either case. */
  enter(worker: number): boolean {
    Atomics.add(this.#words, INSIDE, 1);
    return this.isOpen && worker < Atomics.load(this.#words, WORKERS);
  }

  leave(): void {
    if (Atomics.sub(this.#words, INSIDE, 1) === 1) Atomics.notify(this.#words, INSIDE);
  }

  /** How often workers have been woken. */
  get wakeCount(): number {
    return Atomics.load(this.#words, WAKE_COUNT);
  }

  /** Blocks the thread while the wake counter is still `wakeCount`. */
  sleep(wakeCount: number): void {
    Atomics.wait(this.#words, WAKE_COUNT, wakeCount);
  }

  /** Ends the wait of a worker. Epochs count its waits: one that has not begun yet will end at once. */
  interrupt(worker: number, epoch: number): void {
    Atomics.store(this.#words, INTERRUPTED + worker, epoch);
    this.#wakeAll();
  }

  /** Whether a wait is to end. Call it after {@link enter}: the job may need what the interrupting message brings. */
  isInterrupted(worker: number, epoch: number): boolean {
    return Atomics.load(this.#words, INTERRUPTED + worker) >= epoch;
  }

  /** Resolves when all blocks are finished; may resolve sooner. */
  untilFinished(): Promise<unknown> {
    return this.#untilNotified(FINISHED, (finished) => finished === this.blocks);
  }

  /** Whether no worker is inside. */
  get isEmpty(): boolean {
    return Atomics.load(this.#words, INSIDE) === 0;
  }

  /** Resolves when no worker is inside; may resolve sooner. */
  untilEmpty(): Promise<unknown> {
    return this.#untilNotified(INSIDE, (inside) => inside === 0);
  }

  #untilNotified(word: number, isOver: (value: number) => boolean): Promise<unknown> {
    const value = Atomics.load(this.#words, word);
    return Promise.resolve(isOver(value) || Atomics.waitAsync(this.#words, word, value).value);
  }

  #wakeAll(): void {
    Atomics.add(this.#words, WAKE_COUNT, 1);
    Atomics.notify(this.#words, WAKE_COUNT);
  }
}

/** What workers find in the arena about a job. */
export interface JobHeader {
  /** Number of the job. */
  readonly job: number;
  /** Name of the pass. */
  readonly pass: string;
  readonly params: unknown;
  /** Start and end of every chunk. */
  readonly ranges: Float64Array;
  /** First chunk and number of chunks of every block. */
  readonly blocks: Float64Array;
  readonly samples: JobSamples;
  /** Byte at which the first slot begins, and bytes of each. */
  readonly slots: { readonly at: number; readonly bytes: number };
}

/** Where the samples are in shared memory, or copies of the samples of every chunk from number `first` on. */
export type JobSamples = { readonly locator: Locator } | { readonly first: number; readonly copies: readonly Matrix[] };

/** Reads the chunks of a job, without waiting. */
export function chunkReader({ ranges, samples }: Pick<JobHeader, 'ranges' | 'samples'>): (index: number) => Chunk {
  if ('copies' in samples) {
    return (index) => ({ samples: samples.copies[index - samples.first], start: ranges[2 * index], index });
  }
  const { read } = memoryReader(samples.locator)!;
  return (index) => {
    const [start, end] = [ranges[2 * index], ranges[2 * index + 1]];
    return { samples: read(start, end), start, index };
  };
}

/** Adds up a block, chunk by chunk, on the calling thread and on workers alike; yields the milliseconds of each chunk. */
export function* sumBlock<P, C>(
  pass: Pass<P, C>,
  params: P,
  chunkOf: (index: number) => Chunk,
  { first, count }: Pick<Block, 'first' | 'count'>,
  kernels: Kernels,
): Generator<number, C> {
  const tree = sumTree(pass.add);
  for (let index = first; index < first + count; index++) {
    const started = performance.now();
    tree.push(pass.contribute(chunkOf(index), params, kernels));
    yield performance.now() - started;
  }
  return tree.total()!;
}
