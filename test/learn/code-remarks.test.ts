/** The share of codes that are near zero, by codes of known sizes. */
import { describe, expect, it } from 'vitest';
import { nearZeroShares } from '#src/learn/code-remarks.ts';

describe('the share of codes near zero', () => {
  /** Returns the share of one atom with these codes; `mean`: their root mean square over all samples. */
  const shareOf = (codes: readonly number[], mean?: number) => {
    const own = Math.sqrt(codes.reduce((sum, code) => sum + code * code, 0) / codes.length);
    const matrix = { rows: codes.length, cols: 1, data: Float64Array.from(codes) };
    const steps = nearZeroShares(matrix, Float64Array.of(mean ?? own));
    for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
  };
  const list = (count: number, at: (k: number) => number) => Array.from({ length: count }, (_, k) => at(k));

  it('counts what is below a quarter of the root mean square', () => {
    // half of the codes are 2, so the root mean square is about √2, a quarter of it .354
    const codes = (small: number) => [
      ...list(400, () => 0),
      ...list(100, () => small),
      ...list(500, (k) => (k % 2 ? 2 : -2) * (1 + 1e-6 * k)),
    ];
    expect(shareOf(codes(0.35))).toEqual([0.5]);
    expect(shareOf(codes(0.36))).toEqual([0.4]);
  });

  it('takes zero where codes are densest', () => {
    const about = (zero: number) => [
      ...list(300, (k) => zero + 1e-9 * k),
      ...list(700, (k) => zero + (k % 2 ? 2 + k / 700 : -2 - k / 700)),
    ];
    for (const zero of [0, 5, -30]) expect(shareOf(about(zero))).toEqual([0.3]);
  });

  it('is not moved by one code of five hundred', () => {
    const codes = (outlier: number) => [
      ...list(500, () => 0),
      ...list(499, (k) => 1 + k / 499),
      ...list(1, () => outlier),
    ];
    expect(shareOf(codes(1e9), 1)).toEqual([0.5]);
    // of larger ones there are too many to be left out: all else is near zero
    const more = [...list(500, () => 0), ...list(490, (k) => 1 + k / 499), ...list(10, () => 1e9)];
    expect(shareOf(more, 1)).toEqual([0.99]);
  });

  it('of rare codes is told by the size over all samples', () => {
    const rounding = list(1000, (k) => 1e-9 * (k - 500));
    expect(shareOf(rounding, 1)).toEqual([1]);
    expect(shareOf(rounding)![0]).toBeLessThan(0.3);
  });

  it('leaves out atoms without energy', () => {
    const matrix = { rows: 2, cols: 3, data: Float64Array.of(0, 1, 5, 0, 2, 5) };
    const steps = nearZeroShares(matrix, Float64Array.of(0, 1.5, 5));
    let step = steps.next();
    while (!step.done) step = steps.next();
    expect(step.value).toHaveLength(2);
  });
});
