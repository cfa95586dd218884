import { expect, it } from 'vitest';
import { holdsUp } from '#src/experiments/framework/claims-between.ts';
import { summarise } from '#src/experiments/framework/summary.ts';

const trial = (p: number, L: number, a: number) => ({
  trial: 0,
  seed: 1,
  point: { p, L },
  measured: { a },
  seconds: 1,
});
const design = { parameters: ['p', 'L'], measures: [{ name: 'a', label: 'A' }] };
const ends = { along: 'L', few: 1, many: 10 };
const trials = [trial(5, 1, 8), trial(5, 1, 10), trial(5, 10, 10), trial(6, 1, 1), trial(7, 1, 12), trial(7, 10, 10)];

it('compares the means at two values of a parameter, on the curves that have both', () => {
  const summary = summarise(design, trials);
  expect(holdsUp('', 'a', ends, 0.9).check(summary)).toEqual({
    holds: true,
    measured: 'means, least: 9 at L = 1, 10 at L = 10 (p = 5)',
  });
  expect(holdsUp('', 'a', ends, 0.91).check(summary).holds).toBe(false);
  expect(holdsUp('', 'a', ends, 0.91, ({ p }) => p > 5).check(summary).holds).toBe(true);
  expect(holdsUp('', 'a', { ...ends, many: 3 }, 0.9).check(summary).holds).toBeUndefined();
});
