/** Both ends of a spectrum by a few Lanczos steps: never outside it, exact if there are as many steps as dimensions. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Matrix64, toFloat32, zeros } from '#src/core/matrix.ts';
import { createRandom, normalMatrix } from '#src/core/random.ts';
import { spectrumEnds } from '#src/linalg/spectrum-ends.ts';
import { geometric, product, withEigenvalues } from '../helpers/matrices.ts';
import { testSeed } from '../helpers/seed.ts';

const seed = testSeed(81);
const size = fc.constantFrom(1, 2, 3, 5, 8, 13, 30);

/** Products and orthogonalisations of n numbers: rounding of some n·ε of the largest eigenvalue. */
const rounding = (n: number, largest: number): number => 1e-14 * n * largest;

describe('the ends of a spectrum', () => {
  it('are found exactly with enough steps', () => {
    fc.assert(
      fc.property(size, fc.constantFrom(1, 3, 1e3, 1e9), fc.nat(), (n, condition, dataSeed) => {
        const values = geometric(n, condition).sort();
        const S = withEigenvalues(values, createRandom(dataSeed, 'ends'));
        const { smallest, largest } = spectrumEnds(S, n);
        const tolerance = 1e-9 * values[n - 1];
        expect(Math.abs(largest - values[n - 1])).toBeLessThanOrEqual(tolerance);
        expect(Math.abs(smallest - values[0])).toBeLessThanOrEqual(tolerance);
      }),
      { numRuns: 30, seed },
    );
  });

  it('are inside the spectrum with fewer, and the largest is near the end of it', () => {
    for (const n of [40, 100]) {
      const G = normalMatrix(n, n, createRandom(seed, 'ends'));
      const S = product({ rows: n, cols: n, data: transposed(G) }, G);
      const exact = spectrumEnds(S, n);
      for (const matrix of [S, toFloat32(S)]) {
        const { smallest, largest } = spectrumEnds(matrix, 10);
        expect(largest).toBeLessThanOrEqual(exact.largest * (1 + 1e-6));
        expect(largest).toBeGreaterThan(0.92 * exact.largest);
        expect(smallest).toBeGreaterThanOrEqual(exact.smallest - rounding(n, exact.largest) - 1e-5 * exact.largest);
      }
    }
  });

  it('are zero for a zero matrix, and equal for a multiple of the identity', () => {
    expect(spectrumEnds(zeros(6, 6), 4)).toEqual({ smallest: 0, largest: 0 });
    const { smallest, largest } = spectrumEnds(withEigenvalues(new Float64Array(7).fill(3), createRandom(1, 'i')), 5);
    expect(smallest).toBeCloseTo(3, 8);
    expect(largest).toBeCloseTo(3, 8);
  });
});

const transposed = ({ rows, cols, data }: Matrix64): Float64Array =>
  data.map((_, at) => data[(at % rows) * cols + Math.floor(at / rows)]);
