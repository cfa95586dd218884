/** Trials in threads: the same numbers, errors that arrive, and an end at once when told to stop. */
import { afterAll, describe, expect, it } from 'vitest';
import { trialThreads } from '#src/experiments/framework/trial-threads.ts';
import { experiments } from '#src/experiments/index.ts';

const never = new AbortController().signal;
const figure4 = experiments.find(({ name }) => name === 'figure4')!;

describe('trialThreads', () => {
  const threads = trialThreads(2);
  afterAll(() => threads.close());

  it('measures what the calling thread would', async () => {
    const point = { n: 10 };
    const [first, second] = await Promise.all([1, 2].map((seed) => threads.measure(figure4, point, seed, never)));
    expect([first, second]).toEqual([await figure4.trial(point, 1, never), await figure4.trial(point, 2, never)]);
    expect(await threads.measure(figure4, point, 1, never)).toEqual(first);
  });

  it('passes on why a trial failed', async () => {
    await expect(threads.measure(figure4, { n: -1 }, 1, never)).rejects.toThrow();
  });

  it('does not wait for a trial that is told to stop', async () => {
    const controller = new AbortController();
    const slow = threads.measure(figure4, { n: 400 }, 1, controller.signal);
    controller.abort(new Error('enough'));
    await expect(slow).rejects.toThrow('enough');
  });
});
