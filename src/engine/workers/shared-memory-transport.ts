/**
 * Jobs through shared memory, one after the other. The caller writes a job into the control block's arena and computes
 * blocks of it like its workers, instead of waiting for them. Once the workers know a pass and its samples, there are no
 * messages.
 */
import { breather } from '../../core/breathe.ts';
import type { Matrix } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { PassTimings } from '../executor.ts';
import { memoryReader } from '../source/locator.ts';
import { type Block, blocksOf } from '../sum-tree.ts';
import {
  ControlBlock,
  chunkReader,
  type JobHeader,
  type JobSamples,
  SENT,
  sumBlock,
  WRITTEN,
} from './control-block.ts';
import { noReference, plainDataBytes } from './plain-data.ts';
import type { PendingJob, WorkerPool } from './pool.ts';
import type { BlockValues, Job } from './protocol.ts';
import { WorkerKnowledge } from './worker-knowledge.ts';

/**
 * Jobs beyond these limits go by message: bytes of parameters, bytes and chunks of samples that workers cannot read
 * themselves. Sums beyond them come by message: bytes of one, and of all.
 */
const MOST = { params: 1 << 24, samples: 1 << 20, chunks: 128, sum: 1 << 21, sums: 1 << 26 };
/** Milliseconds of a chunk up to which the caller computes, too: its event loop waits meanwhile. */
const SHORT = 25;
/** Milliseconds for which the caller spins before it sleeps. */
const SPIN = 0.05;

/** A job under way. */
interface SharedJob<P, C> {
  readonly job: Job<P, C>;
  readonly pending: PendingJob;
  readonly header: JobHeader;
  readonly blocks: readonly Block[];
  /** Whether the caller computes, too, and the sums of its blocks. */
  readonly callerComputes: boolean;
  readonly ownSums: Map<number, C>;
}

const noBuffer = (): never => {
  throw new Error('executor: a sum refers to shared memory.');
};

export class SharedMemoryTransport {
  readonly #pool: WorkerPool;
  readonly #threads: number;
  readonly #kernels: Kernels;
  readonly #timings: PassTimings;
  readonly #control: ControlBlock;
  readonly #knowledge: WorkerKnowledge;
  readonly #breathe = breather();
  /** Bytes of the largest sum so far, by pass. */
  readonly #sumBytes = new Map<string, number>();
  /** Resolves when all jobs have ended that have been asked for. */
  #last: Promise<void> = Promise.resolve();
  #underWay = 0;

  constructor(pool: WorkerPool, threads: number, kernels: Kernels, timings: PassTimings) {
    this.#pool = pool;
    this.#threads = threads;
    this.#kernels = kernels;
    this.#timings = timings;
    this.#control = ControlBlock.create(threads);
    this.#knowledge = new WorkerKnowledge(this.#control);
  }

  /** Whether the parameters can be written, and the samples read without waiting. */
  accepts<P, C>({ mode, source, params, ranges, first }: Job<P, C>): boolean {
    if (mode !== 'sum' || plainDataBytes(params, () => 0) > MOST.params) return false;
    if (source.locator) return memoryReader(source.locator) !== undefined;
    const bytes = source.rows * source.cols * Float64Array.BYTES_PER_ELEMENT;
    return bytes <= MOST.samples && ranges.length - first <= MOST.chunks;
  }

  /** Whether chunks are so short that the caller computes, too, and needs one worker less. */
  isShort<P, C>({ pass, source, ranges, first }: Job<P, C>): boolean {
    const { start, end } = ranges[first];
    return (this.#timings.estimate(pass, source, end - start) ?? 0) <= SHORT;
  }

  /** Resolves when the jobs under way have ended; undefined if there are none. */
  get end(): Promise<void> | undefined {
    return this.#underWay > 0 ? this.#last : undefined;
  }

  async *run<P, C>(job: Job<P, C>): AsyncGenerator<BlockValues<C>, void> {
    const pending = this.#pool.openJob(job.signal);
    const before = this.#last;
    let end = () => {};
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    this.#underWay++;
    try {
      await pending.waitFor(before);
      yield* this.#compute(await this.#open(job, pending));
    } finally {
      before
        .then(() => this.#close(pending))
        .then(() => {
          pending.close();
          this.#underWay--;
          end();
        });
    }
  }

  async #open<P, C>(job: Job<P, C>, pending: PendingJob): Promise<SharedJob<P, C>> {
    const samples = await samplesOf(job, pending);
    const blocks = [...blocksOf(job.ranges.length, this.#threads, undefined, job.first)];
    const header = this.#write(job, pending.id, blocks, samples);
    const { workers } = this.#pool;
    const callerComputes = this.isShort(job) || workers.length < this.#threads;
    const used = workers.slice(0, callerComputes ? this.#threads - 1 : this.#threads);
    this.#knowledge.prepare(used, job.pass);
    this.#control.open(blocks.length, used.length);
    return { job, pending, header, blocks, callerComputes, ownSums: new Map() };
  }

  /** Writes the header of a job into the arena, and makes room for the slots behind it. */
  #write<P, C>(job: Job<P, C>, id: number, blocks: readonly Block[], samples: JobSamples): JobHeader {
    const { pass, params, ranges } = job;
    const at = ControlBlock.headerOffset(blocks.length);
    const bytes = this.#slotBytes(pass.name, blocks.length);
    const content = {
      job: id,
      pass: pass.name,
      params,
      ranges: Float64Array.from(ranges.flatMap(({ start, end }) => [start, end])),
      blocks: Float64Array.from(blocks.flatMap(({ first, count }) => [first, count])),
      samples,
    };
    const first = at + plainDataBytes({ ...content, slots: { at, bytes } }, this.#knowledge.numberOf);
    const header: JobHeader = { ...content, slots: { at: first, bytes } };
    this.#control.reserve(first + bytes * blocks.length);
    this.#control.data.write(header, at, this.#knowledge.numberOf);
    return header;
  }

  /** Room for the largest sum so far; none if its size is not known, or too large. */
  #slotBytes(pass: string, blocks: number): number {
    const bytes = this.#sumBytes.get(pass) ?? 0;
    return bytes <= MOST.sum && bytes * blocks <= MOST.sums ? bytes : 0;
  }

  async *#compute<P, C>(shared: SharedJob<P, C>): AsyncGenerator<BlockValues<C>, void> {
    const { blocks, ownSums, callerComputes, pending } = shared;
    let next = 0;
    const isReady = () => this.#isReady(shared, next);
    for (
      let block = callerComputes ? this.#control.take() : undefined;
      block !== undefined;
      block = this.#control.take()
    ) {
      ownSums.set(block, await this.#sumBlock(shared, blocks[block]));
      this.#control.finish(block, WRITTEN);
      while (isReady()) yield { block: blocks[next], values: this.#valuesOf(shared, next++) };
    }
    while (next < blocks.length) {
      if (isReady()) yield { block: blocks[next], values: this.#valuesOf(shared, next++) };
      else await this.#waitFor(isReady, pending);
    }
    const { pass, source, ranges, first } = shared.job;
    this.#timings.record(pass, source, ranges[first].end - ranges[first].start, this.#control.fastestChunk);
  }

  #isReady<P, C>({ blocks, pending }: SharedJob<P, C>, block: number): boolean {
    if (block >= blocks.length) return false;
    const state = this.#control.stateOf(block);
    return state === WRITTEN || (state === SENT && pending.replies.has(block));
  }

  #valuesOf<P, C>({ ownSums, header, pending, job }: SharedJob<P, C>, block: number): readonly C[] {
    const { at, bytes } = header.slots;
    if (ownSums.has(block)) {
      const sum = ownSums.get(block)!;
      ownSums.delete(block);
      if (bytes === 0) this.#recordBytes(job.pass.name, sum);
      return [sum];
    }
    if (this.#control.stateOf(block) === WRITTEN) {
      return [this.#control.data.read(at + block * bytes, noBuffer) as C];
    }
    const values = pending.take<C>(block);
    this.#recordBytes(job.pass.name, values[0]);
    return values;
  }

  #recordBytes(pass: string, sum: unknown): void {
    this.#sumBytes.set(pass, Math.max(this.#sumBytes.get(pass) ?? 0, plainDataBytes(sum, noReference)));
  }

  /** The sum of a block, computed by the caller. */
  async #sumBlock<P, C>({ job, pending, header }: SharedJob<P, C>, block: Block): Promise<C> {
    const steps = sumBlock(job.pass, job.params, chunkReader(header), block, this.#kernels);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      this.#control.recordChunk(step.value);
      const pause = this.#breathe();
      if (pause) await pause;
      pending.check();
    }
  }

  /** Spins for a moment, then sleeps until the next block may be ready. */
  async #waitFor(isReady: () => boolean, pending: PendingJob): Promise<void> {
    if (spinUntil(isReady)) return;
    pending.check();
    const isFinished = this.#control.isFinished;
    if (isReady()) return; // otherwise, if all blocks are finished, a message is missing
    await (isFinished ? pending.nextEvent() : Promise.race([this.#control.untilFinished(), pending.nextEvent()]));
    pending.check();
  }

  /** Closes the job, and waits until no worker reads or writes it any more. */
  async #close(pending: PendingJob): Promise<void> {
    const control = this.#control;
    control.close();
    spinUntil(() => control.isEmpty);
    while (!control.isEmpty && !this.#pool.broken) await Promise.race([control.untilEmpty(), pending.nextEvent()]);
    this.#knowledge.release();
  }
}

/** Whether a condition becomes true within {@link SPIN}. */
function spinUntil(condition: () => boolean): boolean {
  for (const end = performance.now() + SPIN; performance.now() < end; ) if (condition()) return true;
  return false;
}

/** Where the workers find the samples, or copies of samples that they cannot read themselves. */
async function samplesOf<P, C>({ source, ranges, first }: Job<P, C>, pending: PendingJob): Promise<JobSamples> {
  if (source.locator) return { locator: source.locator };
  const copies: Matrix[] = [];
  for (const { start, end } of ranges.slice(first)) {
    pending.check();
    const { rows, cols, data } = await source.read(start, end);
    copies.push({ rows, cols, data: data.slice() });
  }
  return { first, copies };
}
