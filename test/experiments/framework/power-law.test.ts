import { describe, expect, it } from 'vitest';
import { powerLaw } from '#src/experiments/framework/claims.ts';
import { summarise } from '#src/experiments/framework/summary.ts';

const design = { parameters: ['d', 'p'], measures: [{ name: 'error', label: 'the error' }] };

/** Trials with the error c p^exponent, an exponent for every d. */
const summaryOf = (exponents: Readonly<Record<number, number>>, ps = [10, 100, 1000]) =>
  summarise(
    design,
    Object.entries(exponents).flatMap(([d, exponent]) =>
      ps.map((p) => ({
        trial: 0,
        seed: 0,
        point: { d: Number(d), p },
        measured: { error: 3 * p ** exponent },
        seconds: 0,
      })),
    ),
  );

describe('powerLaw', () => {
  const claim = powerLaw('It falls as 1/√p.', 'error', 'p', [-0.6, -0.4]);

  it('holds if the exponent of every curve is within its limits', () => {
    expect(claim.check(summaryOf({ 1: -0.5, 2: -0.45 }))).toEqual({ holds: true, measured: 'exponent -0.45 at d = 2' });
  });

  it('fails with the curve that is farthest from them', () => {
    expect(claim.check(summaryOf({ 1: -0.5, 2: -0.3, 3: -0.39 }))).toEqual({
      holds: false,
      measured: 'exponent -0.3 at d = 2',
    });
  });

  it('is about the points it is told, and not measured on fewer than two of them', () => {
    const few = powerLaw('It falls.', 'error', 'p', [-1, 0], ({ p }) => p > 100);
    expect(few.check(summaryOf({ 1: -0.5 })).holds).toBeUndefined();
    expect(few.check(summaryOf({ 1: -0.5 }, [10, 1000, 10_000])).holds).toBe(true);
  });
});
