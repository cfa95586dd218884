import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRows, zeros } from '#src/core/matrix.ts';
import { density, hoyerSparsity, kurtosis } from '#src/metrics/sparsity.ts';
import { generate } from '#src/synthetic/bernoulli-gaussian.ts';

const { codes } = generate({ samples: 20_000, features: 10, theta: 0.2, seed: 5 });

const scaled = (factor: number) => ({ ...codes, data: codes.data.map((value) => factor * value) });

describe('density', () => {
  it('counts entries above the tolerance, not those at it', () => {
    const matrix = fromRows([
      [0, -2, 1],
      [1, 0.5, 0],
    ]);
    expect([density(matrix), density(matrix, 0.5), density(matrix, 1), density(matrix, 2)]).toEqual([
      4 / 6,
      3 / 6,
      1 / 6,
      0,
    ]);
  });
});

describe('hoyerSparsity', () => {
  it('is 1 for a single entry, 0 for equal entries, and ignores zero rows', () => {
    expect(
      hoyerSparsity(
        fromRows([
          [0, -3, 0, 0],
          [0, 0, 0, 0],
        ]),
      ),
    ).toBe(1);
    expect(hoyerSparsity(fromRows([[1, -1, 1, 1]]))).toBe(0);
    expect(hoyerSparsity(zeros(2, 2))).toBeNaN();
  });

  it('agrees with a case by hand', () => {
    // (2 − 7/5) / (2 − 1)
    expect(hoyerSparsity(fromRows([[3, 0, 4, 0]]))).toBeCloseTo(0.6, 14);
  });
});

describe('kurtosis', () => {
  it('is 3/θ for Bernoulli-Gaussian codes', () => {
    // 200,000 entries: the standard deviation of the estimate is about .13
    expect(Math.abs(kurtosis(codes) - 3 / 0.2)).toBeLessThan(0.6);
  });

  it('is 1 for equal magnitudes and N for one entry', () => {
    expect(
      kurtosis(
        fromRows([
          [2, -2],
          [2, 2],
        ]),
      ),
    ).toBe(1);
    expect(
      kurtosis(
        fromRows([
          [0, -2],
          [0, 0],
        ]),
      ),
    ).toBe(4);
  });
});

it('no measure depends on the scale of the codes', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 100, noNaN: true }), (factor) => {
      expect(density(scaled(factor))).toBe(density(codes));
      expect(hoyerSparsity(scaled(factor))).toBeCloseTo(hoyerSparsity(codes), 12);
      expect(kurtosis(scaled(factor)) / kurtosis(codes)).toBeCloseTo(1, 12);
    }),
    { numRuns: 5 },
  );
});
