/** The protocol of shared memory: every block is taken once, late workers skip a finished job, no worker misses an interrupt. */
import { describe, expect, it } from 'vitest';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { inlineExecutor } from '#src/engine/executor.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { ControlBlock, chunkReader, SENT, sumBlock, WRITTEN } from '#src/engine/workers/control-block.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { surveyPass } from '#src/passes/survey.ts';
import { bits } from '../../helpers/bytes.ts';

describe('ControlBlock', () => {
  it('hands out every block once, to whoever asks, and knows when all are finished', async () => {
    const caller = ControlBlock.create(2);
    caller.open(3, 2);
    const worker = new ControlBlock(caller.control, caller.arena);
    expect([caller.take(), worker.take(), worker.take(), caller.take(), worker.take()]).toEqual([
      0,
      1,
      2,
      undefined,
      undefined,
    ]);
    worker.finish(1, SENT);
    caller.finish(0, WRITTEN);
    expect([0, 1, 2].map((block) => caller.stateOf(block))).toEqual([WRITTEN, SENT, 0]);
    expect(caller.isFinished).toBe(false);
    const finished = caller.untilFinished();
    worker.finish(2, WRITTEN);
    await finished;
    expect(caller.isFinished).toBe(true);
    caller.close();
    caller.open(2, 2);
    expect([caller.take(), caller.stateOf(0), caller.isFinished]).toEqual([0, 0, false]);
  });

  it('opens a job to the first workers, until it is closed', () => {
    const control = ControlBlock.create(3);
    expect(control.enter(0)).toBe(false);
    control.open(1, 2);
    expect([control.enter(1), control.enter(2)]).toEqual([true, false]);
    control.close();
    expect(control.enter(0)).toBe(false);
  });

  it('is empty when as many have left as have entered, whether or not a job was open', async () => {
    const control = ControlBlock.create(2);
    control.enter(0);
    control.enter(1);
    control.leave();
    expect(control.isEmpty).toBe(false);
    const empty = control.untilEmpty();
    control.leave();
    await empty;
    expect(control.isEmpty).toBe(true);
  });

  it('interrupts a worker up to an epoch, and wakes all', () => {
    const control = ControlBlock.create(2);
    const { wakeCount } = control;
    control.interrupt(1, 4);
    expect([3, 4, 5].map((epoch) => control.isInterrupted(1, epoch))).toEqual([true, true, false]);
    expect(control.isInterrupted(0, 1)).toBe(false);
    expect(control.wakeCount).toBe(wakeCount + 1);
    control.open(1, 1);
    expect(control.wakeCount).toBe(wakeCount + 2);
    control.sleep(wakeCount); // woken since: returns at once
  });

  it('records the fastest chunk of a job', () => {
    const control = ControlBlock.create(1);
    control.open(1, 1);
    for (const [milliseconds, fastest] of [
      [80, 80],
      [90, 80],
      [2.5, 2.5],
      [2.75, 2.5],
      [0.125, 0.125],
    ]) {
      control.recordChunk(milliseconds);
      expect(control.fastestChunk).toBe(fastest);
    }
    control.open(1, 1);
    control.recordChunk(7);
    expect(control.fastestChunk).toBe(7);
  });

  it('takes other memory only where the present one is too small', () => {
    const control = ControlBlock.create(1);
    const { arena } = control;
    control.reserve(arena.byteLength);
    expect(control.arena).toBe(arena);
    control.reserve(arena.byteLength + 1);
    expect(control.arena.byteLength).toBe(2 * arena.byteLength);
    control.reserve(1e6);
    expect(control.arena.byteLength).toBe(2 ** 20);
    control.data.write({ last: 1 }, 2 ** 20 - 64, () => undefined);
    control.open(2 ** 17, 1);
    control.finish(2 ** 17 - 1, SENT);
    expect(control.stateOf(2 ** 17 - 1)).toBe(SENT);
  });

  it('has room for a job right after the states of its blocks, from a whole word on', () => {
    for (const blocks of [1, 2, 3, 8, 9]) {
      const at = ControlBlock.headerOffset(blocks);
      expect(at % 8).toBe(0);
      expect(at - 4 * blocks).toBeGreaterThanOrEqual(0);
      expect(at - 4 * blocks).toBeLessThan(8);
    }
  });
});

it('the sum of a block is that of the calling thread, from a locator and from copies', async () => {
  const matrix = normalMatrix(40, 3, createRandom(1, 'control block'));
  const data = new Float64Array(new SharedArrayBuffer(matrix.data.byteLength));
  data.set(matrix.data);
  const source = memorySource({ ...matrix, data });
  const chunks = [0, 10, 20, 30].map((start) => ({ start, end: start + 10 }));
  const ranges = Float64Array.from(chunks.flatMap(({ start, end }) => [start, end]));
  const [params, block] = [{ moments: true }, { first: 2, count: 2, level: 1 }];
  const executor = inlineExecutor(referenceKernels);
  const expected = bits(await executor.sum(surveyPass, params, { ...source, ranges: chunks }, undefined, block));
  const copies = await Promise.all(chunks.slice(1).map(({ start, end }) => source.read(start, end)));
  for (const samples of [{ locator: source.locator! }, { first: 1, copies }]) {
    const steps = sumBlock(surveyPass, params, chunkReader({ ranges, samples }), block, referenceKernels);
    const times = [steps.next(), steps.next()].map(({ value }) => value);
    expect(times.every((milliseconds) => typeof milliseconds === 'number' && milliseconds >= 0)).toBe(true);
    expect(bits(steps.next().value)).toBe(expected);
  }
});
