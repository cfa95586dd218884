/** The executor of the calling thread, and estimates of how long a pass takes. */
import { describe, expect, it } from 'vitest';
import { inlineExecutor, PassTimings } from '#src/engine/executor.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { secondMomentsPass } from '#src/passes/second-moments.ts';
import { surveyPass } from '#src/passes/survey.ts';

const sourceOf = (rows: number, cols: number) => memorySource({ rows, cols, data: new Float64Array(rows * cols) });
const [narrow, wide] = [sourceOf(10, 2), sourceOf(10, 3)];
const [survey, moments] = [surveyPass, secondMomentsPass];

describe('PassTimings', () => {
  it('knows nothing of a pass that has not run', () => {
    const timings = new PassTimings();
    timings.record(survey, narrow, 10, 5);
    expect(timings.estimate(survey, narrow, 100)).toBe(50);
    expect(timings.estimate(survey, wide, 100)).toBeUndefined();
    expect(timings.estimate(moments, narrow, 100)).toBeUndefined();
  });

  it('counts the slowest of the last four', () => {
    const timings = new PassTimings();
    for (const milliseconds of [40, 10, 30, 20]) timings.record(survey, narrow, 10, milliseconds);
    expect(timings.estimate(survey, narrow, 1)).toBe(4);
    timings.record(survey, narrow, 10, 5);
    expect(timings.estimate(survey, narrow, 1)).toBe(3);
  });
});

describe('the inline executor', () => {
  it('refuses a pass that no worker could find', async () => {
    const unknown = { ...surveyPass, name: 'never registered' };
    const sum = inlineExecutor(referenceKernels).sum(unknown, { largest: 1 } as never, narrow);
    await expect(sum).rejects.toThrow('"never registered" is not registered');
  });
});
