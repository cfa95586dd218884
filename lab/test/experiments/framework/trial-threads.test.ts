/** Trials in threads give the same numbers, pass on errors, and stop at once when told to. */
import { afterAll, describe, expect, it } from 'vitest';
import { trialThreads } from '#lab/experiments/framework/trial-threads.ts';
import { experiments } from '#lab/experiments/index.ts';

const never = new AbortController().signal;
const figure4 = experiments.find(({ name }) => name === 'figure4')!;

describe('trialThreads', () => {
  const threads = trialThreads(2);
  afterAll(() => threads.close());

  it('measures the same as the calling thread', async () => {
    const point = { n: 10 };
    const [first, second] = await Promise.all([1, 2].map((seed) => threads.measure(figure4, point, seed, never)));
    expect([first, second]).toEqual([await figure4.trial(point, 1, never), await figure4.trial(point, 2, never)]);
    expect(await threads.measure(figure4, point, 1, never)).toEqual(first);
  });

  it('passes on why a trial failed', async () => {
    await expect(threads.measure(figure4, { n: -1 }, 1, never)).rejects.toThrow();
  });

  it('does not wait for an aborted trial', async () => {
    const controller = new AbortController();
    const slow = threads.measure(figure4, { n: 400 }, 1, controller.signal);
    controller.abort(new Error('enough'));
    await expect(slow).rejects.toThrow('enough');
  });
});
