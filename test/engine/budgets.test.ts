/** Which options are budgets, and when something is left of them. */
import { expect, it } from 'vitest';
import { divideBudgets, isWithin } from '#src/engine/budgets.ts';

it('options are budgets or part of what a run computes; infinite budgets are none', () => {
  const options = { maxIterations: 5, maxSeconds: Number.POSITIVE_INFINITY, starts: 2, norm: 4, seed: undefined };
  expect(divideBudgets(options)).toEqual({
    budgets: { maxIterations: 5, starts: 2 },
    others: { norm: 4, seed: undefined },
  });
});

it('something is left where every budget that was drawn on is larger', () => {
  const budgets = { maxIterations: 5, starts: 2 };
  expect(isWithin({}, budgets)).toBe(true);
  expect(isWithin({ maxIterations: 4, starts: 1, maxSeconds: 1e9 }, budgets)).toBe(true);
  expect(isWithin({ maxIterations: 5 }, budgets)).toBe(false);
  expect(isWithin({ maxIterations: 4, starts: 2 }, budgets)).toBe(false);
});
