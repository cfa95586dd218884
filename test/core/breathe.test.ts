/** Long computations let the event loop have its turns: every 8 ms of the clock, and only then. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { atOnce, breather, nextTurn, type Steps, withPauses } from '#src/core/breathe.ts';

/** The clock stands still unless a test moves it. */
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterAll(() => void vi.useRealTimers());
const pass = (milliseconds: number) => void vi.advanceTimersByTime(milliseconds);

describe('breather', () => {
  it('has a pause after 8 ms, none before, and begins anew with the end of the pause', async () => {
    const breathe = breather();
    expect(breathe()).toBeUndefined();
    pass(7);
    expect(breathe()).toBeUndefined();
    pass(1);
    const pause = breathe();
    expect(pause).toBeInstanceOf(Promise);
    pass(5); // others had their turn
    await pause;
    pass(7);
    expect(breathe()).toBeUndefined();
    pass(1);
    expect(breathe()).toBeInstanceOf(Promise);
  });

  it('lets the event loop have its turn', async () => {
    const breathe = breather();
    let turns = 0;
    setImmediate(() => turns++);
    pass(8);
    await breathe();
    expect(turns).toBe(1);
  });

  it('throws the reason of an abort after a pause', async () => {
    const abort = new AbortController();
    const breathe = breather(abort.signal);
    abort.abort(new Error('enough'));
    expect(breathe()).toBeUndefined();
    pass(8);
    await expect(breathe()).rejects.toThrow('enough');
  });
});

it('nextTurn waits for what the event loop has to do', async () => {
  let turns = 0;
  setImmediate(() => turns++);
  await nextTurn();
  expect(turns).toBe(1);
});

function* counting(steps: number, seen: string[]): Steps<string> {
  for (let k = 0; k < steps; k++) {
    seen.push(`step ${k}`);
    yield;
  }
  return 'end';
}

describe('a computation in steps', () => {
  it('is taken at once', () => {
    const seen: string[] = [];
    expect([atOnce(counting(2, seen)), seen]).toEqual(['end', ['step 0', 'step 1']]);
  });

  it('has a pause after every step but the last, which ends before it goes on', async () => {
    const seen: string[] = [];
    const pause = async () => {
      await null;
      seen.push('pause');
    };
    expect(await withPauses(counting(2, seen), pause)).toBe('end');
    expect(seen).toEqual(['step 0', 'pause', 'step 1', 'pause']);
    expect(await withPauses(counting(2, []), () => undefined)).toBe('end');
  });

  it('ends with what the pause throws', async () => {
    const seen: string[] = [];
    const refused = withPauses(counting(5, seen), () => {
      throw new Error('enough');
    });
    await expect(refused).rejects.toThrow('enough');
    expect(seen).toEqual(['step 0']);
  });
});
