/** How long the next pass may take: judged by the slowest of the last few, for each pass and length of a row. */
import { expect, it } from 'vitest';
import type { AnyPass } from '#src/engine/pass.ts';
import { memorySource } from '#src/engine/source/memory.ts';
import { Paces } from '#src/engine/workers/pass-timings.ts';
import { secondMomentsPass } from '#src/passes/second-moments.ts';
import { surveyPass } from '#src/passes/survey.ts';

const sourceOf = (rows: number, cols: number) => memorySource({ rows, cols, data: new Float64Array(rows * cols) });
const [narrow, wide] = [sourceOf(10, 2), sourceOf(10, 3)];
const [survey, moments] = [surveyPass, secondMomentsPass] as unknown as AnyPass[];

it('knows nothing of a pass that has not run', () => {
  const paces = new Paces();
  paces.note(survey, narrow, 10, 5);
  expect(paces.expect(survey, narrow, 100)).toBe(50);
  expect(paces.expect(survey, wide, 100)).toBeUndefined();
  expect(paces.expect(moments, narrow, 100)).toBeUndefined();
});

it('counts the slowest of the last four', () => {
  const paces = new Paces();
  for (const milliseconds of [40, 10, 30, 20]) paces.note(survey, narrow, 10, milliseconds);
  expect(paces.expect(survey, narrow, 1)).toBe(4);
  paces.note(survey, narrow, 10, 5);
  expect(paces.expect(survey, narrow, 1)).toBe(3);
});
