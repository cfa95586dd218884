/** How many threads there are, and what is said of those that cannot be had. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startEach, threadsWithin } from '#src/engine/threads.ts';
import { idlePort } from '../helpers/ports.ts';

describe('threadsWithin', () => {
  it.each([
    [1, 8, 1],
    [8, 8, 8],
    [9, 2, 8],
    [1024, 2, 8],
    [1024, 300, 1024],
  ])('%d threads on %d cores are %d', (wanted, cores, threads) => {
    expect(threadsWithin('learn', wanted, cores)).toBe(threads);
  });

  it.each([0, -1, 1.5, 1025, Number.NaN, '2' as never])('refuses %s threads', (wanted) => {
    expect(() => threadsWithin('learn', wanted, 2)).toThrow('learn: threads must be a whole number from 1 to 1024');
  });
});

describe('startEach', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
  afterEach(() => warned.mockClear());

  /** So many starts, the first of which fail. */
  const start = (count: number, failing: number, why: string, signal = new AbortController().signal) => {
    let tried = 0;
    return startEach(
      count,
      async () => {
        if (tried++ < failing) throw new Error(why);
        return idlePort([]);
      },
      signal,
    );
  };

  it.each([
    [3, 0, 'none', []],
    [3, 1, 'one', ['orthodict: 1 thread cannot be started (one): computing without it.']],
    [3, 2, 'two', ['orthodict: 2 threads cannot be started (two): computing without them.']],
    [2, 2, 'all', ['orthodict: 2 threads cannot be started (all): computing without them.']],
  ])('of %d threads, %d of which fail, gives the others and says why', async (count, failing, why, words) => {
    expect(await start(count, failing, why)).toHaveLength(count - failing);
    expect(warned.mock.calls.map(([text]) => text)).toEqual(words);
  });

  it('says nothing of those that nobody waits for any more', async () => {
    expect(await start(2, 1, 'aborted', AbortSignal.abort())).toHaveLength(1);
    expect(warned).not.toHaveBeenCalled();
  });
});
