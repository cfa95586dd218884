/** Passes by messages: blocks are sent to the least busy workers, which reply with their values. For any number of passes at once. */
import type { Matrix } from '../../core/matrix.ts';
import { isShared } from '../../core/shared-memory.ts';
import { introduce } from '../registry.ts';
import { type Block, blocksOf } from '../sum-tree.ts';
import type { BlockValues, Job, Transport } from './job.ts';
import { type ChunkRequest, type RunDescription, transferables } from './protocol.ts';
import type { Inbox, Member, Team } from './team.ts';

/** Blocks under way per worker: one being computed and one waiting, so that no worker idles. */
const UNDER_WAY = 2;
/** Most blocks per worker that are being computed or wait for an earlier block. */
const RUN_AHEAD = 4;
/** Most chunks of a block whose contributions come back one by one, or whose samples travel with the message. */
const MOST_CARRIED = 2;

/** A pass under way. */
interface Run {
  readonly inbox: Inbox;
  readonly job: Job<unknown, unknown>;
  readonly description: RunDescription;
  readonly blocks: readonly Block[];
  /** Workers that have been told of it. */
  readonly begun: Set<Member>;
}

export class Messages implements Transport {
  constructor(
    readonly team: Team,
    readonly threads: number,
  ) {}

  /** Begins after the promise, if there is one. */
  async *run<P, C>(job: Job<P, C>, after?: Promise<void>): AsyncGenerator<BlockValues<C>, void> {
    const { mode, pass, params, source, ranges, first, signal } = job;
    const { members } = this.team;
    const most = mode === 'map' || !source.locator ? MOST_CARRIED : undefined;
    const blocks = [...blocksOf(ranges.length, this.threads, most, first)];
    const description = { pass: introduce(pass), params, locator: source.locator, mode };
    const inbox = this.team.openInbox(signal);
    const run: Run = { inbox, job: job as Job<unknown, unknown>, description, blocks, begun: new Set() };
    try {
      if (after) await inbox.until(after);
      for (let next = 0, sent = 0; next < blocks.length; ) {
        inbox.check();
        const member = idlest(members);
        const ahead = sent < Math.min(blocks.length, next + RUN_AHEAD * members.length);
        if (ahead && member.load.blocks < UNDER_WAY) await this.#post(run, sent++, member);
        else if (inbox.replies.has(next)) yield { block: blocks[next], values: inbox.take<C>(next++) };
        else await inbox.news();
      }
    } finally {
      inbox.close();
      for (const member of run.begun) member.ended.push(inbox.run);
    }
  }

  async #post({ inbox, job, description, blocks, begun }: Run, block: number, member: Member): Promise<void> {
    const { count } = blocks[block];
    member.load.blocks++; // before the samples are read: another pass must not take the same place
    member.load.chunks += count;
    member.port.hold();
    try {
      const chunks = await chunksOf(blocks[block], job);
      const begin = begun.has(member) ? undefined : description;
      member.post({ run: inbox.run, begin, block, chunks, ended: member.ended }, transferables(chunks));
      member.ended = [];
      begun.add(member);
    } catch (error) {
      member.unload(count);
      this.team.wakeAll();
      throw error;
    }
  }
}

const idlest = (members: readonly Member[]): Member =>
  members.reduce((best, member) => (member.load.chunks < best.load.chunks ? member : best));

/** The chunks of a block, with their samples where the worker cannot read them itself. */
async function chunksOf({ first, count }: Block, { ranges, source }: Job<unknown, unknown>): Promise<ChunkRequest[]> {
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
