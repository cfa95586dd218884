/** What workers at a board are told: everything once, and to forget what nobody has any more. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { Board } from '#src/engine/board.ts';
import type { AnyPass } from '#src/engine/pass.ts';
import { Roll } from '#src/engine/roll.ts';
import { Member } from '#src/engine/team.ts';
import type { Attendance } from '#src/engine/worker-messages.ts';
import { secondMomentsPass } from '#src/passes/second-moments.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { idlePort } from '../helpers/ports.ts';

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

it('tells a worker to forget a buffer that has been collected', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { sent, roll: ours, member } = roll();
  const kept = new SharedArrayBuffer(8);
  const [lost, other] = [ours.numberOf(new SharedArrayBuffer(8)), ours.numberOf(kept)];
  ours.call([member], survey);
  expect(sent[0].buffers.map(([number]) => number)).toEqual([lost, other]);
  sent.length = 0; // the message had it, too
  for (let k = 0; k < 100 && sent.flatMap(({ forget }) => forget).length === 0; k++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve));
    member.listen();
    ours.call([member], survey);
  }
  expect(sent.flatMap(({ forget }) => forget)).toEqual([lost]);
  expect(ours.numberOf(kept)).toBe(other);
});
