/**
 * Passes through shared memory, one after the other: the caller writes a round on the board, and computes blocks of it
 * like its workers instead of waiting for them. Once the workers know a pass and its samples, there are no messages.
 */
import { breather } from '../../core/breathe.ts';
import type { Matrix } from '../../core/matrix.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { AnyPass } from '../pass.ts';
import { memoryReader } from '../source/locator.ts';
import { type Block, blocksOf } from '../sum-tree.ts';
import { Board, SENT, WRITTEN } from './control-block.ts';
import type { BlockValues, Job, Transport } from './job.ts';
import type { Paces } from './pass-timings.ts';
import { flatBytes } from './plain-data.ts';
import { chunkReader, type RoundHead, type RoundSamples, sumBlock } from './round.ts';
import type { Inbox, Team } from './team.ts';
import { Roll } from './worker-knowledge.ts';

/**
 * More than this goes by message: bytes of parameters, bytes and chunks of samples that workers cannot read themselves,
 * bytes of a sum and of all sums.
 */
const MOST = { params: 1 << 24, samples: 1 << 20, carried: 128, sum: 1 << 21, sums: 1 << 26 };
/** Milliseconds of a chunk up to which the caller computes, too: its event loop waits meanwhile. */
const SHORT = 25;
/** Milliseconds for which the caller looks for the last blocks before it sleeps. */
const IMPATIENCE = 0.05;

/** A round under way. */
interface Round<P, C> {
  readonly job: Job<P, C>;
  readonly inbox: Inbox;
  readonly head: RoundHead;
  readonly blocks: readonly Block[];
  /** Whether the caller computes, too, and the sums of the blocks it did. */
  readonly joins: boolean;
  readonly own: Map<number, C>;
}

const noReference = (): undefined => undefined;
const noBuffer = (): never => {
  throw new Error('executor: a sum refers to shared memory.');
};

export class Rounds implements Transport {
  readonly #team: Team;
  readonly #threads: number;
  readonly #kernels: Kernels;
  readonly #board: Board;
  readonly #roll: Roll;
  readonly #breathe = breather();
  /** Bytes of the largest sum so far, by pass. */
  readonly #sums = new Map<string, number>();
  readonly #paces: Paces;
  /** Resolves when all rounds have ended that have been asked for. */
  #last: Promise<void> = Promise.resolve();
  #underWay = 0;

  constructor(team: Team, threads: number, kernels: Kernels, paces: Paces) {
    this.#team = team;
    this.#threads = threads;
    this.#kernels = kernels;
    this.#paces = paces;
    this.#board = Board.create(threads);
    this.#roll = new Roll(this.#board);
  }

  /** Whether the parameters can be written, and the samples read without waiting. */
  accepts<P, C>({ mode, source, params, ranges, first }: Job<P, C>): boolean {
    if (mode !== 'sum' || flatBytes(params, () => 0) > MOST.params) return false;
    if (source.locator) return memoryReader(source.locator) !== undefined;
    const bytes = source.rows * source.cols * Float64Array.BYTES_PER_ELEMENT;
    return bytes <= MOST.samples && ranges.length - first <= MOST.carried;
  }

  /** Whether chunks are so short that the caller computes, too, and needs one worker less. */
  isShort<P, C>({ pass, source, ranges, first }: Job<P, C>): boolean {
    const { start, end } = ranges[first];
    return (this.#paces.expect(pass as AnyPass, source, end - start) ?? 0) <= SHORT;
  }

  /** Resolves when the rounds under way have ended; undefined if there are none. */
  get end(): Promise<void> | undefined {
    return this.#underWay > 0 ? this.#last : undefined;
  }

  async *run<P, C>(job: Job<P, C>): AsyncGenerator<BlockValues<C>, void> {
    const inbox = this.#team.openInbox(job.signal);
    const before = this.#last;
    let end = () => {};
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    this.#underWay++;
    try {
      await inbox.until(before);
      yield* this.#conduct(await this.#open(job, inbox));
    } finally {
      before
        .then(() => this.#settle(inbox))
        .then(() => {
          inbox.close();
          this.#underWay--;
          end();
        });
    }
  }

  async #open<P, C>(job: Job<P, C>, inbox: Inbox): Promise<Round<P, C>> {
    const samples = await samplesOf(job, inbox);
    const blocks = [...blocksOf(job.ranges.length, this.#threads, undefined, job.first)];
    const head = this.#write(job, inbox.run, blocks, samples);
    const joins = this.isShort(job) || this.#team.members.length < this.#threads;
    const workers = this.#team.members.slice(0, joins ? this.#threads - 1 : this.#threads);
    this.#roll.call(workers, job.pass as AnyPass);
    this.#board.open(blocks.length, workers.length);
    return { job, inbox, head, blocks, joins, own: new Map() };
  }

  #write<P, C>(job: Job<P, C>, run: number, blocks: readonly Block[], samples: RoundSamples): RoundHead {
    const { pass, params, ranges } = job;
    const at = Board.headAt(blocks.length);
    const bytes = this.#slotFor(pass.name, blocks.length);
    const content = {
      run,
      pass: pass.name,
      params,
      ranges: Float64Array.from(ranges.flatMap(({ start, end }) => [start, end])),
      blocks: Float64Array.from(blocks.flatMap(({ first, count }) => [first, count])),
      samples,
    };
    const first = at + flatBytes({ ...content, slots: { at, bytes } }, this.#roll.numberOf);
    const head: RoundHead = { ...content, slots: { at: first, bytes } };
    this.#board.reserve(first + bytes * blocks.length);
    this.#board.flat.write(head, at, this.#roll.numberOf);
    return head;
  }

  /** Room for a sum as large as those before; none if that is not known, or too large. */
  #slotFor(pass: string, blocks: number): number {
    const bytes = this.#sums.get(pass) ?? 0;
    return bytes <= MOST.sum && bytes * blocks <= MOST.sums ? bytes : 0;
  }

  async *#conduct<P, C>(round: Round<P, C>): AsyncGenerator<BlockValues<C>, void> {
    const { blocks, own, joins, inbox } = round;
    let next = 0;
    const isReady = () => this.#isReady(round, next);
    for (let block = joins ? this.#board.take() : undefined; block !== undefined; block = this.#board.take()) {
      own.set(block, await this.#sumBlock(round, blocks[block]));
      this.#board.finish(block, WRITTEN);
      while (isReady()) yield { block: blocks[next], values: this.#valuesOf(round, next++) };
    }
    while (next < blocks.length) {
      if (isReady()) yield { block: blocks[next], values: this.#valuesOf(round, next++) };
      else await this.#news(inbox, isReady);
    }
    const { pass, source, ranges, first } = round.job;
    this.#paces.note(pass as AnyPass, source, ranges[first].end - ranges[first].start, this.#board.pace);
  }

  #isReady<P, C>({ blocks, inbox }: Round<P, C>, block: number): boolean {
    if (block >= blocks.length) return false;
    const state = this.#board.stateOf(block);
    return state === WRITTEN || (state === SENT && inbox.replies.has(block));
  }

  #valuesOf<P, C>({ own, head, inbox, job }: Round<P, C>, block: number): readonly C[] {
    const { at, bytes } = head.slots;
    if (own.has(block)) {
      const sum = own.get(block)!;
      own.delete(block);
      if (bytes === 0) this.#learnSize(job.pass.name, sum);
      return [sum];
    }
    if (this.#board.stateOf(block) === WRITTEN) {
      return [this.#board.flat.read(at + block * bytes, noBuffer) as C];
    }
    const values = inbox.take<C>(block);
    this.#learnSize(job.pass.name, values[0]);
    return values;
  }

  #learnSize(pass: string, sum: unknown): void {
    this.#sums.set(pass, Math.max(this.#sums.get(pass) ?? 0, flatBytes(sum, noReference)));
  }

  /** The sum of a block, computed here. */
  async #sumBlock<P, C>({ job, inbox, head }: Round<P, C>, block: Block): Promise<C> {
    const steps = sumBlock(job.pass, job.params, chunkReader(head.ranges, head.samples), block, this.#kernels);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done) return step.value;
      this.#board.note(step.value);
      const pause = this.#breathe();
      if (pause) await pause;
      inbox.check();
    }
  }

  /** Looks for a while, then sleeps until all blocks are finished or a message has come. */
  async #news(inbox: Inbox, isReady: () => boolean): Promise<void> {
    if (lookFor(isReady)) return;
    inbox.check();
    const isFinished = this.#board.isFinished;
    if (isReady()) return; // finished since the last look: what is missing now is a message that has not come
    await (isFinished ? inbox.news() : Promise.race([this.#board.untilFinished(), inbox.news()]));
    inbox.check();
  }

  /** Closes the round and waits until nobody reads or writes it any more. */
  async #settle(inbox: Inbox): Promise<void> {
    const board = this.#board;
    board.close();
    lookFor(() => board.isEmpty);
    while (!board.isEmpty && !this.#team.broken) await Promise.race([board.untilEmpty(), inbox.news()]);
    this.#roll.dismiss();
  }
}

/** Whether it comes true within {@link IMPATIENCE}. */
function lookFor(condition: () => boolean): boolean {
  for (const end = performance.now() + IMPATIENCE; performance.now() < end; ) if (condition()) return true;
  return false;
}

/** Where the workers find the samples; those that they cannot read themselves are copied. */
async function samplesOf<P, C>({ source, ranges, first }: Job<P, C>, inbox: Inbox): Promise<RoundSamples> {
  if (source.locator) return { locator: source.locator };
  const carried: Matrix[] = [];
  for (const { start, end } of ranges.slice(first)) {
    inbox.check();
    const { rows, cols, data } = await source.read(start, end);
    carried.push({ rows, cols, data: data.slice() });
  }
  return { first, carried };
}
