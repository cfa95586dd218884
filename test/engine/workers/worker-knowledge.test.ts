/** Messages to workers at a control block: everything is sent once, and values not used lately are dropped. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AnyPass } from '#src/engine/pass.ts';
import { ControlBlock } from '#src/engine/workers/control-block.ts';
import { WorkerHandle } from '#src/engine/workers/pool.ts';
import type { WaitRequest } from '#src/engine/workers/protocol.ts';
import { WorkerKnowledge } from '#src/engine/workers/worker-knowledge.ts';
import { secondMomentsPass } from '#src/passes/second-moments.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { idlePort } from '../../helpers/ports.ts';

const survey = surveyPass as AnyPass;
const moments = secondMomentsPass as AnyPass;

function setUp() {
  const sent: WaitRequest[] = [];
  const control = ControlBlock.create(1);
  return { control, sent, knowledge: new WorkerKnowledge(control), worker: new WorkerHandle(idlePort(sent), 0) };
}

it('sends a worker a pass and a buffer once, and later what is new', () => {
  const { control, sent, knowledge, worker } = setUp();
  const [samples, rows] = [new SharedArrayBuffer(8), new SharedArrayBuffer(8)];
  const prepare = (pass: AnyPass, ...buffers: SharedArrayBuffer[]) => {
    const before = sent.length;
    const numbers = buffers.map(knowledge.numberOf);
    knowledge.prepare([worker], pass);
    knowledge.release();
    return { numbers, messages: sent.slice(before) };
  };
  const first = prepare(survey, samples);
  expect(first.messages.map(({ passes, buffers }) => [passes.length, buffers])).toEqual([
    [1, [[first.numbers[0], samples]]],
  ]);
  expect(prepare(survey, samples)).toEqual({ numbers: first.numbers, messages: [] });
  const second = prepare(moments, samples, rows);
  expect(second.numbers[0]).toBe(first.numbers[0]);
  expect(second.messages.map(({ passes, buffers }) => [passes.length, buffers])).toEqual([
    [1, [[second.numbers[1], rows]]],
  ]);
  control.reserve(1e6); // other memory
  expect(prepare(survey, samples).messages.map(({ arena, buffers }) => [arena === control.arena, buffers])).toEqual([
    [true, []],
  ]);
  worker.interrupt(); // for a message
  expect(prepare(survey, samples).messages.map(({ epoch }) => epoch)).toEqual([4]);
});

it('keeps the process alive by the workers of a job, until it is released', () => {
  const { knowledge } = setUp();
  let held = 0;
  const workers = [0, 1].map((index) => {
    const port = { ...idlePort([]), hold: () => void held++, release: () => void held-- };
    return new WorkerHandle(port, index);
  });
  knowledge.prepare(workers, survey);
  expect(held).toBe(2);
  knowledge.release();
  expect(held).toBe(0);
  knowledge.release(); // holds nothing any more
  expect(held).toBe(0);
});

it('interrupts a worker in the epoch that it was asked to wait in, even before it waits', () => {
  const { control, sent, knowledge, worker } = setUp();
  knowledge.prepare([worker], survey);
  knowledge.prepare([worker], moments);
  const [first, second] = sent;
  expect([first, second].map(({ worker: index, epoch }) => control.isInterrupted(index, epoch))).toEqual([true, false]);
  worker.interrupt();
  expect(control.isInterrupted(second.worker, second.epoch)).toBe(true);
});

const MOST_KEPT = 1 << 26;
const BYTES = 1 << 22;

it('lets a worker know the buffers of a job, and no more bytes of earlier ones than the budget, however many jobs', () => {
  const { sent, knowledge, worker } = setUp();
  const buffers = Array.from({ length: 40 }, () => new SharedArrayBuffer(BYTES));
  const known = new Set<number>();
  let buffersSent = 0;
  const job = (named: readonly number[]) => {
    const numbers = named.map((index) => knowledge.numberOf(buffers[index]));
    knowledge.prepare([worker], survey);
    knowledge.release();
    for (const { buffers: more, forget } of sent.splice(0)) {
      for (const number of forget) expect(known.delete(number)).toBe(true);
      for (const [number] of more) known.add(number);
      buffersSent += more.length;
    }
    expect(numbers.every((number) => known.has(number))).toBe(true);
    const earlier = [...known].filter((number) => !numbers.includes(number));
    expect(earlier.length * BYTES).toBeLessThanOrEqual(MOST_KEPT);
  };
  const some = fc.uniqueArray(fc.integer({ min: 0, max: buffers.length - 1 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(some, (named) => job(named)),
    { numRuns: 300 },
  );
  for (let index = 0; index < 17; index++) job([index]); // the last one and as many as the budget holds
  const before = buffersSent;
  for (let index = 0; index < 17; index++) job([index]);
  expect(buffersSent).toBe(before);
});

it('lets a worker forget a buffer larger than the budget in the first job without it', () => {
  const { sent, knowledge, worker } = setUp();
  const large = knowledge.numberOf(new SharedArrayBuffer(MOST_KEPT + 8));
  knowledge.prepare([worker], survey);
  knowledge.prepare([worker], survey);
  expect(sent.map(({ forget }) => forget)).toEqual([[], [large]]);
});
