/** The worker's side of a board: sleeps until the bell rings, then takes blocks of the round. */
import { weigh } from '../../core/shared-memory.ts';
import type { Kernels } from '../../kernels/kernels.ts';
import type { AnyPass } from '../pass.ts';
import type { MeetPass } from '../registry.ts';
import { Board, SENT, WRITTEN } from './control-block.ts';
import { flatBytes, type SharedMemory, sizeOf } from './plain-data.ts';
import { type Attendance, failureOf, type SendReply } from './protocol.ts';
import { chunkReader, type RoundHead, sumBlock } from './round.ts';

/** A contribution is written by value; one that shares memory with the caller goes by message. */
const noReference = (): undefined => undefined;

export class Attendant {
  readonly #kernels: Kernels;
  readonly #send: SendReply;
  readonly #meet: MeetPass;
  /** The passes met so far, or why they could not be loaded. */
  readonly #passes = new Map<string, AnyPass | Error>();
  readonly #buffers = new Map<number, SharedMemory>();

  constructor(kernels: Kernels, send: SendReply, meet: MeetPass) {
    this.#kernels = kernels;
    this.#send = send;
    this.#meet = meet;
  }

  /** Learns what the worker has not been told, then blocks its thread until it is called away. */
  async attend({ words, arena, seat, visit, passes, buffers, forget }: Attendance): Promise<void> {
    for (const number of forget) this.#buffers.delete(number);
    for (const [number, buffer] of buffers) this.#buffers.set(number, weigh(buffer, sizeOf(buffer)));
    for (const pass of passes) this.#passes.set(pass.name, await this.#meet(pass).catch(asError));
    const board = new Board(words, arena);
    for (;;) {
      const rings = board.rings; // before looking around, so as not to sleep through what rings meanwhile
      const isOpen = board.enter(seat);
      const isCalled = board.isCalledAway(seat, visit);
      if (isOpen && !isCalled) this.#takeBlocks(board);
      board.leave();
      if (isCalled) return;
      board.sleep(rings);
    }
  }

  #takeBlocks(board: Board): void {
    const head = board.flat.read(Board.headAt(board.blocks), (number) => this.#bufferOf(number)) as RoundHead;
    const { run, slots } = head;
    for (let block = board.take(); block !== undefined; block = board.take()) {
      try {
        const summed = this.#sum(head, block, board);
        if (!summed) return;
        const fits = flatBytes(summed.value, noReference) <= slots.bytes;
        if (fits) board.flat.write(summed.value, slots.at + block * slots.bytes, noReference);
        else this.#send({ run, block, values: [summed.value] });
        board.finish(block, fits ? WRITTEN : SENT);
      } catch (error) {
        this.#send({ run, block, ...failureOf(error) });
        board.finish(block, SENT);
      }
    }
  }

  /** The sum of a block; undefined if the round is closed meanwhile. */
  #sum({ pass: name, params, ranges, blocks, samples }: RoundHead, block: number, board: Board) {
    const pass = this.#passes.get(name);
    if (!pass || pass instanceof Error) throw pass ?? new Error(`the pass "${name}" is not known in this worker.`);
    const place = { first: blocks[2 * block], count: blocks[2 * block + 1] };
    const steps = sumBlock(pass, params, chunkReader(ranges, samples), place, this.#kernels);
    for (let step = steps.next(); board.isOpen; step = steps.next()) {
      if (step.done) return { value: step.value };
      board.note(step.value);
    }
    return undefined;
  }

  #bufferOf(number: number): SharedMemory {
    const buffer = this.#buffers.get(number);
    if (!buffer) throw new Error(`executor: shared buffer ${number} is not known in this worker.`);
    return buffer;
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
