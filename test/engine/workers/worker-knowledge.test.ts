/** What workers at a board are told: everything once, and to forget what has not been of use lately. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AnyPass } from '#src/engine/pass.ts';
import { Board } from '#src/engine/workers/control-block.ts';
import type { Attendance } from '#src/engine/workers/protocol.ts';
import { Member } from '#src/engine/workers/team.ts';
import { Roll } from '#src/engine/workers/worker-knowledge.ts';
import { secondMomentsPass } from '#src/passes/second-moments.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { idlePort } from '../../helpers/ports.ts';

const survey = surveyPass as AnyPass;
const moments = secondMomentsPass as AnyPass;

function roll() {
  const sent: Attendance[] = [];
  const board = Board.create(1);
  return { board, sent, roll: new Roll(board), member: new Member(idlePort(sent), 0) };
}

it('tells a worker of a pass and a buffer once, and again of what is new', () => {
  const { board, sent, roll: ours, member } = roll();
  const [samples, rows] = [new SharedArrayBuffer(8), new SharedArrayBuffer(8)];
  const call = (pass: AnyPass, ...buffers: SharedArrayBuffer[]) => {
    const before = sent.length;
    const numbers = buffers.map(ours.numberOf);
    ours.call([member], pass);
    ours.dismiss();
    return { numbers, told: sent.slice(before) };
  };
  const first = call(survey, samples);
  expect(first.told.map(({ passes, buffers }) => [passes.length, buffers])).toEqual([
    [1, [[first.numbers[0], samples]]],
  ]);
  expect(call(survey, samples)).toEqual({ numbers: first.numbers, told: [] });
  const second = call(moments, samples, rows);
  expect(second.numbers[0]).toBe(first.numbers[0]);
  expect(second.told.map(({ passes, buffers }) => [passes.length, buffers])).toEqual([
    [1, [[second.numbers[1], rows]]],
  ]);
  board.reserve(1e6); // other memory
  expect(call(survey, samples).told.map(({ arena, buffers }) => [arena === board.arena, buffers])).toEqual([
    [true, []],
  ]);
  member.listen(); // called away for a message
  expect(call(survey, samples).told.map(({ visit }) => visit)).toEqual([4]);
});

it('calls a worker away from the visit that it was asked for, even before it has come', () => {
  const { board, sent, roll: ours, member } = roll();
  ours.call([member], survey);
  ours.call([member], moments);
  const [first, second] = sent;
  expect([first, second].map(({ seat, visit }) => board.isCalledAway(seat, visit))).toEqual([true, false]);
  member.listen();
  expect(board.isCalledAway(second.seat, second.visit)).toBe(true);
});

const MOST_KEPT = 1 << 26;
const BYTES = 1 << 22;

it('lets a worker know the buffers of a round, and no more bytes of earlier ones than the budget, however many rounds', () => {
  const { sent, roll: ours, member } = roll();
  const buffers = Array.from({ length: 40 }, () => new SharedArrayBuffer(BYTES));
  const known = new Set<number>();
  let told = 0;
  const round = (named: readonly number[]) => {
    const numbers = named.map((index) => ours.numberOf(buffers[index]));
    ours.call([member], survey);
    ours.dismiss();
    for (const { buffers: more, forget } of sent.splice(0)) {
      for (const number of forget) expect(known.delete(number)).toBe(true);
      for (const [number] of more) known.add(number);
      told += more.length;
    }
    expect(numbers.every((number) => known.has(number))).toBe(true);
    const earlier = [...known].filter((number) => !numbers.includes(number));
    expect(earlier.length * BYTES).toBeLessThanOrEqual(MOST_KEPT);
  };
  const some = fc.uniqueArray(fc.integer({ min: 0, max: buffers.length - 1 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(some, (named) => round(named)),
    { numRuns: 300 },
  );
  for (let index = 0; index < 17; index++) round([index]); // the last one and as many as the budget holds
  const before = told;
  for (let index = 0; index < 17; index++) round([index]);
  expect(told).toBe(before);
});

it('lets a worker forget a buffer larger than the budget in the first round without it', () => {
  const { sent, roll: ours, member } = roll();
  const large = ours.numberOf(new SharedArrayBuffer(MOST_KEPT + 8));
  ours.call([member], survey);
  ours.call([member], survey);
  expect(sent.map(({ forget }) => forget)).toEqual([[], [large]]);
});
