/** Claims that a measure goes as a power of a parameter. */
import { expect, it } from 'vitest';
import { powerLaw } from '#src/experiments/framework/claims.ts';
import { summarise } from '#src/experiments/framework/summary.ts';

const design = { parameters: ['n', 'p'], measures: [{ name: 'error', label: 'error' }] };

const summaryOf = (error: (n: number, p: number) => number) =>
  summarise(
    design,
    [2, 3].flatMap((n) =>
      [10, 100, 1000].map((p) => ({
        trial: 0,
        seed: 1,
        point: { n, p },
        measured: { error: error(n, p) },
        seconds: 0,
      })),
    ),
  );

const claim = powerLaw('falls as 1/√p', 'error', 'p', [-0.6, -0.4]);

it('holds if the exponent of every curve is in the range', () => {
  expect(claim.check(summaryOf((n, p) => n / Math.sqrt(p)))).toEqual({ holds: true, measured: 'exponent −0.50' });
});

it('fails if one is not, and tells the exponents', () => {
  const finding = claim.check(summaryOf((n, p) => p ** (-n / 4)));
  expect(finding).toEqual({ holds: false, measured: 'exponents from −0.75 to −0.50 on 2 curves' });
});

it('is not measured on a single value, or on values without a logarithm', () => {
  expect(powerLaw('', 'error', 'p', [0, 1], ({ p }) => p === 10).check(summaryOf(() => 1)).holds).toBeUndefined();
  expect(claim.check(summaryOf(() => 0)).holds).toBeUndefined();
});
