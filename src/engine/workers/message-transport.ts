/** Jobs by messages: blocks are sent to the least busy workers, which reply with their values. Any number of jobs at once. */
import type { Matrix } from '../../core/matrix.ts';
import { isShared } from '../../core/shared-memory.ts';
import { describePass } from '../pass.ts';
import { type Block, blocksOf } from '../sum-tree.ts';
import type { PendingJob, WorkerHandle, WorkerPool } from './pool.ts';
import { type BlockValues, type ChunkRequest, type Job, type JobDescription, transferables } from './protocol.ts';

/** Blocks under way per worker: one being computed and one waiting, so that no worker idles. */
const UNDER_WAY = 2;
/** Most blocks per worker that are being computed or wait for an earlier block. */
const RUN_AHEAD = 4;
/** Most chunks of a block whose contributions come back one by one, or whose samples travel with the message. */
const MOST_CARRIED = 2;

/** What a job says of its samples. */
type Samples = Pick<Job<unknown, unknown>, 'source' | 'ranges'>;

/** A job under way. */
interface Sending {
  readonly pending: PendingJob;
  readonly job: Samples;
  readonly description: JobDescription;
  readonly blocks: readonly Block[];
  /** Workers that have received the description. */
  readonly begun: Set<WorkerHandle>;
}

export class MessageTransport {
  constructor(
    readonly pool: WorkerPool,
    readonly threads: number,
  ) {}

  /** `after`: the job begins when this promise resolves. */
  async *run<P, C>(job: Job<P, C>, after?: Promise<void>): AsyncGenerator<BlockValues<C>, void> {
    const { mode, pass, params, source, ranges, first, signal } = job;
    const { workers } = this.pool;
    const most = mode === 'map' || !source.locator ? MOST_CARRIED : undefined;
    const blocks = [...blocksOf(ranges.length, this.threads, most, first)];
    const description = { pass: describePass(pass), params, locator: source.locator, mode };
    const pending = this.pool.openJob(signal);
    const sending: Sending = { pending, job, description, blocks, begun: new Set() };
    try {
      if (after) await pending.waitFor(after);
      for (let next = 0, sent = 0; next < blocks.length; ) {
        pending.check();
        const worker = leastBusy(workers);
        const mayRunAhead = sent < Math.min(blocks.length, next + RUN_AHEAD * workers.length);
        if (mayRunAhead && worker.load.blocks < UNDER_WAY) await this.#post(sending, sent++, worker);
        else if (pending.replies.has(next)) yield { block: blocks[next], values: pending.take<C>(next++) };
        else await pending.nextEvent();
      }
    } finally {
      pending.close();
      for (const worker of sending.begun) worker.ended.push(pending.id);
    }
  }

  async #post(
    { pending, job, description, blocks, begun }: Sending,
    block: number,
    worker: WorkerHandle,
  ): Promise<void> {
    const { count } = blocks[block];
    worker.load.blocks++; // before the samples are read: another job must not take the same place
    worker.load.chunks += count;
    worker.port.hold();
    try {
      const chunks = await chunksOf(blocks[block], job);
      const begin = begun.has(worker) ? undefined : description;
      worker.post({ job: pending.id, begin, block, chunks, ended: worker.ended }, transferables(chunks));
      worker.ended = [];
      begun.add(worker);
    } catch (error) {
      worker.unload(count);
      this.pool.wakeAll();
      throw error;
    }
  }
}

const leastBusy = (workers: readonly WorkerHandle[]): WorkerHandle =>
  workers.reduce((best, worker) => (worker.load.chunks < best.load.chunks ? worker : best));

/** The chunks of a block, with their samples where the worker cannot read them itself. */
async function chunksOf({ first, count }: Block, { source, ranges }: Samples): Promise<ChunkRequest[]> {
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
