/** Limits of powers of codes: both sides of each. */
import { describe, expect, it } from 'vitest';
import { objectiveUnit, powerPrecision, powersFit } from '#src/learn/powers.ts';

describe('powers', () => {
  it('fit into float64 up to 2^1000, summed up', () => {
    expect(powersFit(2 ** 100, 10, 1)).toBe(true);
    expect(powersFit(2 ** 100, 10, 2)).toBe(false);
    expect(powersFit(2 ** 99, 10, 2 ** 10)).toBe(true);
    expect(powersFit(2 ** 99, 10, 2 ** 11)).toBe(false);
  });

  it('are computed in float32 where 256 of them are below 2^126', () => {
    expect(powerPrecision(2 ** 29.5, 4, 1000, 'f32')).toBe('f32');
    expect(powerPrecision(2 ** 29.51, 4, 1000, 'f32')).toBe('f64');
    expect(powerPrecision(2, 4, 1000, 'f64')).toBe('f64');
  });

  it('that overflow are refused, with the largest norm that does not', () => {
    const refused = (largest: number, norm: number, samples: number) => () =>
      powerPrecision(largest, norm, samples, 'f64');
    expect(refused(2 ** 100, 8, 2 ** 200)).not.toThrow();
    expect(refused(2 ** 100, 9, 2 ** 200)).toThrow('learn: norm must be at most 8 for samples with such outliers');
    expect(refused(2 ** 110, 8, 2 ** 200)).toThrow('at most 6 for samples');
    expect(refused(2 ** 300, 6, 2 ** 200)).toThrow('at most 3 for samples');
  });

  it('are reported in units of the samples, unless these leave the range', () => {
    expect(objectiveUnit(2 ** -240, 4, 1)).toBe(1);
    expect(objectiveUnit(2 ** -241, 4, 1)).toBe(2 ** 241);
    expect(objectiveUnit(2 ** -200.4, 4, 2 ** 54)).toBe(2 ** 200); // 3 × 54 + 4 × 200.4 > 960
    expect(objectiveUnit(2 ** -200, 4, 2 ** 53)).toBe(1); // 959
    expect(objectiveUnit(2 ** 240, 4, 1)).toBe(1);
    expect(objectiveUnit(2 ** 240.5, 4, 2 ** 100)).toBe(2 ** -240);
    expect(objectiveUnit(2 ** -300, 2, 2 ** 170)).toBe(1); // 600 + 340
    expect(objectiveUnit(2 ** -300, 2, 2 ** 181)).toBe(2 ** 300);
  });
});
