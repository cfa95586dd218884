/**
 * Memory that a caller and its workers share, to compute passes without messages. One pass at a time: a round.
 *
 *     caller   writes the round into the arena, opens it, rings
 *     all      enter; take block after block, leave the sum of each in its slot and mark it finished; leave
 *     caller   adds up the sums, closes the round
 *
 * A worker that attends sleeps until the bell rings. It enters before it looks whether a round is open, and the caller
 * writes the next round only when the last one is closed and nobody is inside: so nobody reads what is being written,
 * however late a worker wakes up. A worker that sleeps here hears no messages; calling it away sends it back to them.
 *
 *     words    the numbers below, then for every worker the last visit that it has been called away from
 *     arena    the state of every block; the round (plain-data.ts); a slot for the sum of every block
 */

import { canShare } from '../../core/shared-memory.ts';
import { FlatMemory } from './plain-data.ts';

/** Places of the words. */
const [BELL, OPEN, BLOCKS, NEXT, FINISHED, INSIDE, SEATS, PACE, CALLED] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** How a block ended: its sum is in its slot, or came by message because it does not fit there or failed. */
export const WRITTEN = 1;
export const SENT = 2;

/** Whether workers and this thread can wait for each other in shared memory. */
export const canWait = (): boolean =>
  canShare && typeof Atomics !== 'undefined' && typeof Atomics.waitAsync === 'function';

export class Board {
  readonly #words: Int32Array;
  #arena: SharedArrayBuffer;
  #states: Int32Array;
  #flat: FlatMemory;

  constructor(
    readonly words: SharedArrayBuffer,
    arena: SharedArrayBuffer,
  ) {
    this.#words = new Int32Array(words);
    this.#arena = arena;
    this.#states = new Int32Array(arena);
    this.#flat = new FlatMemory(arena);
  }

  /** A new one for `seats` workers. */
  static create(seats: number): Board {
    return new Board(new SharedArrayBuffer(4 * (CALLED + seats)), new SharedArrayBuffer(1 << 16));
  }

  get arena(): SharedArrayBuffer {
    return this.#arena;
  }

  /** Makes room in the arena, while nobody is inside. */
  reserve(bytes: number): void {
    if (bytes <= this.#arena.byteLength) return;
    this.#arena = new SharedArrayBuffer(2 ** Math.ceil(Math.log2(bytes)));
    this.#states = new Int32Array(this.#arena);
    this.#flat = new FlatMemory(this.#arena);
  }

  /** The arena as plain data. */
  get flat(): FlatMemory {
    return this.#flat;
  }

  /** The byte at which a round of `blocks` blocks is written: after their states. */
  static headAt(blocks: number): number {
    return 8 * Math.ceil(blocks / 2);
  }

  /** Opens the round that has been written, to the workers of the first `seats`. */
  open(blocks: number, seats: number): void {
    this.#states.fill(0, 0, blocks);
    Atomics.store(this.#words, BLOCKS, blocks);
    Atomics.store(this.#words, NEXT, 0);
    Atomics.store(this.#words, FINISHED, 0);
    Atomics.store(this.#words, SEATS, seats);
    Atomics.store(this.#words, PACE, 2 ** 31 - 1);
    Atomics.store(this.#words, OPEN, 1);
    this.#ring();
  }

  get isOpen(): boolean {
    return Atomics.load(this.#words, OPEN) === 1;
  }

  /** Ends the round: whoever is inside leaves after the current chunk. */
  close(): void {
    Atomics.store(this.#words, OPEN, 0);
  }

  get blocks(): number {
    return Atomics.load(this.#words, BLOCKS);
  }

  /** The next block that nobody has taken. */
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

  /** Milliseconds of the fastest chunk of the round so far: others may have waited for a core. */
  get pace(): number {
    return Atomics.load(this.#words, PACE) / 1000;
  }

  /** Takes note of the milliseconds of a chunk. */
  note(milliseconds: number): void {
    if (milliseconds < this.pace) Atomics.store(this.#words, PACE, 1000 * milliseconds);
  }

  /** Whether a round is open to this seat. */
  enter(seat: number): boolean {
    Atomics.add(this.#words, INSIDE, 1);
    return this.isOpen && seat < Atomics.load(this.#words, SEATS);
  }

  leave(): void {
    if (Atomics.sub(this.#words, INSIDE, 1) === 1) Atomics.notify(this.#words, INSIDE);
  }

  /** How often the bell has rung. */
  get rings(): number {
    return Atomics.load(this.#words, BELL);
  }

  /** Blocks the thread until the bell has rung again since `rings` was read. */
  sleep(rings: number): void {
    Atomics.wait(this.#words, BELL, rings);
  }

  /** Ends a worker's visit. Visits are counted: one that has not begun yet will end at once. */
  callAway(seat: number, visit: number): void {
    Atomics.store(this.#words, CALLED + seat, visit);
    this.#ring();
  }

  /** Whether this visit is to end. Ask it after {@link enter}: a round may need what the worker is called away to learn. */
  isCalledAway(seat: number, visit: number): boolean {
    return Atomics.load(this.#words, CALLED + seat) >= visit;
  }

  /** Resolves when all blocks are finished; may do so sooner. */
  untilFinished(): Promise<unknown> {
    return this.#untilNotified(FINISHED, (finished) => finished === this.blocks);
  }

  get isEmpty(): boolean {
    return Atomics.load(this.#words, INSIDE) === 0;
  }

  /** Resolves when nobody is inside; may do so sooner. */
  untilEmpty(): Promise<unknown> {
    return this.#untilNotified(INSIDE, (inside) => inside === 0);
  }

  #untilNotified(word: number, isOver: (value: number) => boolean): Promise<unknown> {
    const value = Atomics.load(this.#words, word);
    return Promise.resolve(isOver(value) || Atomics.waitAsync(this.#words, word, value).value);
  }

  #ring(): void {
    Atomics.add(this.#words, BELL, 1);
    Atomics.notify(this.#words, BELL);
  }
}
