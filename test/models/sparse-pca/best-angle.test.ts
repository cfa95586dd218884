import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PairSearch, pairValue } from '#src/models/sparse-pca/best-angle.ts';

const STEPS = 720;
/** A maximum is flat: an angle that is off by 3e-5 costs so much. */
const FLATNESS = 1e-9;

const entry = fc.oneof(fc.double({ min: -5, max: 5, noNaN: true }), fc.integer({ min: -4, max: 4 }));
const pair = fc
  .integer({ min: 1, max: 20 })
  .chain((n) => fc.array(entry, { minLength: 2 * n, maxLength: 2 * n }))
  .map((values) => Float64Array.from(values));
const gamma = fc.oneof(fc.double({ min: 0, max: 4, noNaN: true }), fc.constantFrom(0, 1, 2));
const gammas = fc.oneof(
  gamma.map((g) => [g, Number.POSITIVE_INFINITY] as const),
  gamma.map((g) => [g, g] as const),
  fc.tuple(gamma, gamma),
);

describe('the best angle of a pair', () => {
  it.each([Math.PI / 2, Math.PI / 4])('is not beaten by any angle of a grid up to %d', (reach) => {
    const search = new PairSearch();
    fc.assert(
      fc.property(pair, gammas, (data, [gammaX, gammaY]) => {
        const n = data.length / 2;
        const { angle, gain } = search.best(data, 0, n, n, gammaX, gammaY, reach);
        const at = (phi: number) => pairValue(data, 0, n, n, gammaX, gammaY, phi);
        expect(Math.abs(angle)).toBeLessThanOrEqual(reach);
        expect(gain).toBeGreaterThanOrEqual(0);
        const best = at(angle);
        expect(best - at(0)).toBe(gain);
        const grid = Array.from({ length: STEPS + 1 }, (_, k) => at(-reach + (2 * reach * k) / STEPS));
        const most = Math.max(...grid);
        // of |x| − γ little may be left: rounding is that of the numbers, not of their difference
        const scale = Math.sqrt(most) * Math.hypot(...data); // a product of tiny squares would be 0
        expect(most).toBeLessThanOrEqual(best + FLATNESS * scale + 1e-300);
      }),
      { numRuns: 150 },
    );
  });

  it('is that of the principal component without a threshold', () => {
    const data = Float64Array.of(3, 1, 1, 2); // Σx² = 10, Σy² = 5, Σxy = 5
    const { angle, gain } = new PairSearch().best(data, 0, 2, 2, 0, Number.POSITIVE_INFINITY);
    expect(angle).toBeCloseTo(0.5 * Math.atan2(10, 5), 12);
    expect(10 + gain).toBeCloseTo(7.5 + Math.hypot(2.5, 5), 12);
  });

  it('is 0 if nothing exceeds the threshold or nothing changes', () => {
    const search = new PairSearch();
    expect(search.best(Float64Array.of(1, 1, 1, 1), 0, 2, 2, 2, 2)).toEqual({ angle: 0, gain: 0, slope: 0 });
    expect(search.best(Float64Array.of(1, 2, -3, 4), 0, 2, 2, 0, 0).angle).toBe(0);
  });

  it('is found at once where a number exceeds the threshold by rounding alone', () => {
    const data = Float64Array.of(-4, -1, 0, 0, 0, -1);
    const gamma = 4 - 2e-15;
    const { gain } = new PairSearch().best(data, 0, 3, 3, gamma, Number.POSITIVE_INFINITY); // halving intervals to the end takes minutes
    expect(gain).toBeLessThan(1e-14);
  });

  it('gives the slope at angle 0', () => {
    const data = Float64Array.of(3, -2, 1, 1.5, -2.5, 0.2);
    const at = (phi: number) => pairValue(data, 0, 3, 3, 1, 0.7, phi);
    const { slope } = new PairSearch().best(data, 0, 3, 3, 1, 0.7);
    expect(slope).toBeCloseTo((at(1e-6) - at(-1e-6)) / 2e-6, 6);
  });
});
