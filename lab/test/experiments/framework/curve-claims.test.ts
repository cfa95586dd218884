/** Claims about curves along a parameter, and about the ratio of two measures. */
import { describe, expect, it } from 'vitest';
import { ratioBetween } from '#lab/experiments/framework/claims.ts';
import { flat, holdsUp, powerLaw, stepsBetween } from '#lab/experiments/framework/curve-claims.ts';
import { summarise } from '#lab/experiments/framework/summary.ts';

const design = {
  parameters: ['n', 'p'],
  measures: [
    { name: 'error', label: 'error' },
    { name: 'other', label: 'other' },
  ],
};

const trial = (n: number, p: number, error: number, other = 1) => ({
  trial: 0,
  seed: 1,
  point: { n, p },
  measured: { error, other },
  seconds: 0,
});

/** Two curves of three points along p. */
const summaryOf = (error: (n: number, p: number) => number) =>
  summarise(
    design,
    [2, 3].flatMap((n) => [10, 100, 1000].map((p) => trial(n, p, error(n, p), n))),
  );

describe('powerLaw', () => {
  const claim = powerLaw('falls as 1/√p', 'error', 'p', [-0.6, -0.4]);

  it('holds if the exponent of every curve is in the range', () => {
    expect(claim.check(summaryOf((n, p) => n / Math.sqrt(p)))).toEqual({ holds: true, measured: 'exponent −0.50' });
  });

  it('fails if one is not, and reports the exponents', () => {
    const finding = claim.check(summaryOf((n, p) => p ** (-n / 4)));
    expect(finding).toEqual({ holds: false, measured: 'exponents from −0.75 to −0.50 on 2 curves' });
  });

  it('is not measured on a single value, or on values without a logarithm', () => {
    expect(powerLaw('', 'error', 'p', [0, 1], ({ p }) => p === 10).check(summaryOf(() => 1)).holds).toBeUndefined();
    expect(claim.check(summaryOf(() => 0)).holds).toBeUndefined();
  });
});

describe('holdsUp', () => {
  const ends = { along: 'p', few: 1, many: 10 };
  const trials = [trial(5, 1, 8), trial(5, 1, 10), trial(5, 10, 10), trial(6, 1, 1), trial(7, 1, 12), trial(7, 10, 10)];

  it('compares the means at two values of a parameter, on the curves that have both', () => {
    const summary = summarise(design, trials);
    expect(holdsUp('', 'error', ends, 0.9).check(summary)).toEqual({
      holds: true,
      measured: 'means, least: 9 at p = 1, 10 at p = 10 (n = 5)',
    });
    expect(holdsUp('', 'error', ends, 0.91).check(summary).holds).toBe(false);
    expect(holdsUp('', 'error', ends, 0.91, ({ n }) => n > 5).check(summary).holds).toBe(true);
    expect(holdsUp('', 'error', { ...ends, many: 3 }, 0.9).check(summary).holds).toBeUndefined();
  });
});

describe('flat', () => {
  it('compares the largest with the smallest value of every curve', () => {
    const summary = summaryOf((n, p) => (n === 3 && p === 100 ? 4 : 2));
    expect(flat('', 'error', 'p', 2.5).check(summary)).toEqual({
      holds: true,
      measured: 'widest from 2 at n = 3, p = 10 to 4 at n = 3, p = 100',
    });
    expect(flat('', 'error', 'p', 1.5).check(summary).holds).toBe(false);
    expect(flat('', 'error', 'p', 1.5, ({ p }) => p === 10).check(summary).holds).toBeUndefined();
  });
});

describe('stepsBetween', () => {
  it('looks at every step of every curve', () => {
    const summary = summaryOf((n, p) => n / p);
    expect(stepsBetween('', 'error', 'p', [9, 11]).check(summary).holds).toBe(true);
    expect(stepsBetween('', 'error', 'p', [1, 9]).check(summary)).toMatchObject({
      holds: false,
      measured: expect.stringMatching(/^ratios from 10 \(n = 2, p = 10 over p = 100\) to 10 /),
    });
  });
});

describe('ratioBetween', () => {
  it('is about the ratio of two measures at every point', () => {
    const summary = summaryOf((n, p) => n * p);
    expect(ratioBetween('', 'error', 'other', [9, 1001]).check(summary)).toEqual({
      holds: true,
      measured: 'ratio from 10 at n = 2, p = 10 to 1000 at n = 3, p = 1000',
    });
    expect(ratioBetween('', 'error', 'other', [9, 1000]).check(summary).holds).toBe(false);
  });
});
