/** The board that a caller and its workers share, both sides in one thread. */
import { describe, expect, it } from 'vitest';
import { Board, SENT, WRITTEN } from '#src/engine/board.ts';

describe('the board', () => {
  it('hands out every block once, and is finished when all of them are', async () => {
    const board = Board.create(2);
    const worker = new Board(board.words, board.arena);
    board.open(3, 2);
    expect([worker.take(), board.take(), worker.take(), worker.take(), board.take()]).toEqual([
      0,
      1,
      2,
      undefined,
      undefined,
    ]);
    expect([0, 1, 2].map((block) => board.stateOf(block))).toEqual([0, 0, 0]);
    worker.finish(2, SENT);
    board.finish(1, WRITTEN);
    const finished = board.untilFinished();
    expect(board.isFinished).toBe(false);
    worker.finish(0, WRITTEN);
    await finished;
    expect(board.isFinished).toBe(true);
    expect([0, 1, 2].map((block) => board.stateOf(block))).toEqual([WRITTEN, WRITTEN, SENT]);
    board.open(2, 2);
    expect([board.stateOf(0), board.stateOf(1), board.isFinished, board.take()]).toEqual([0, 0, false, 0]);
  });

  it('tells the milliseconds of the fastest chunk of a round', () => {
    const board = Board.create(1);
    board.open(1, 1);
    for (const [milliseconds, fastest] of [
      [80, 80],
      [90, 80],
      [2.5, 2.5],
      [2.75, 2.5],
      [0.125, 0.125],
    ]) {
      board.note(milliseconds);
      expect(board.pace).toBe(fastest);
    }
    board.open(1, 1);
    board.note(70);
    expect(board.pace).toBe(70);
  });

  it('makes room where there is too little, and keeps what is enough', () => {
    const board = Board.create(1);
    const { arena } = board;
    board.reserve(arena.byteLength);
    expect(board.arena).toBe(arena);
    board.reserve(arena.byteLength + 1);
    expect(board.arena.byteLength).toBe(2 * arena.byteLength);
    board.reserve(1e6);
    expect(board.arena.byteLength).toBe(2 ** 20);
    board.flat.write({ last: 1 }, 2 ** 20 - 64, () => undefined);
    board.open(2 ** 17, 1);
    board.finish(2 ** 17 - 1, SENT);
    expect(board.stateOf(2 ** 17 - 1)).toBe(SENT);
  });

  it('writes the round after the states of its blocks, on a whole word', () => {
    for (const blocks of [1, 2, 3, 8, 9]) {
      const at = Board.headAt(blocks);
      expect(at % 8).toBe(0);
      expect(at - 4 * blocks).toBeGreaterThanOrEqual(0);
      expect(at - 4 * blocks).toBeLessThan(8);
    }
  });

  it('lets in the seats of the round while it is open, and is empty when all have left', async () => {
    const board = Board.create(3);
    expect(board.enter(0)).toBe(false);
    board.leave();
    board.open(1, 2);
    expect([0, 1, 2].map((seat) => board.enter(seat))).toEqual([true, true, false]);
    expect(board.isEmpty).toBe(false);
    const empty = board.untilEmpty();
    board.close();
    expect([board.isOpen, board.enter(0)]).toEqual([false, false]);
    for (let inside = 0; inside < 4; inside++) {
      expect(board.isEmpty).toBe(false);
      board.leave();
    }
    await empty;
    expect(board.isEmpty).toBe(true);
  });

  it('rings for a round and for who is called away, from one visit of one seat', () => {
    const board = Board.create(2);
    const before = board.rings;
    board.open(1, 2);
    board.callAway(1, 3);
    expect(board.rings - before).toBe(2);
    expect([1, 3, 4].map((visit) => board.isCalledAway(1, visit))).toEqual([true, true, false]);
    expect(board.isCalledAway(0, 1)).toBe(false);
    board.sleep(before); // it has rung since: returns at once
  });
});
