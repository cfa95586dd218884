/** The first look at the data, against the plainest definition. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Matrix } from '#src/core/matrix.ts';
import { referenceKernels } from '#src/kernels/reference.ts';
import { surveyPass } from '#src/passes/survey.ts';

const value = fc.oneof(
  fc.constantFrom(0, 0, 0, -1, 2, 5e-324, -1e300),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const table = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 4 }))
  .chain(([rows, cols]) =>
    fc
      .array(value, { minLength: rows * cols, maxLength: rows * cols })
      .map((values): Matrix => ({ rows, cols, data: Float64Array.from(values) })),
  );
const survey = (samples: Matrix, start = 0) =>
  surveyPass.contribute({ samples, start, index: 0 }, { moments: false }, referenceKernels);

describe('survey', () => {
  it('counts, sums and finds the largest', () => {
    fc.assert(
      fc.property(table, (samples) => {
        const { rows, cols, data } = samples;
        const lines = Array.from({ length: rows }, (_, i) => [...data.subarray(i * cols, (i + 1) * cols)]);
        const found = survey(samples);
        expect(found.samples).toBe(rows);
        expect(found.zeroSamples).toBe(lines.filter((line) => line.every((x) => x === 0)).length);
        expect(found.largest).toBe(Math.max(...lines.flat().map(Math.abs)));
        expect([...found.sum]).toEqual(lines[0].map((_, j) => lines.reduce((sum, line) => sum + line[j], 0)));
        expect(found.offender).toBeUndefined();
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('finds %d wherever it is', (bad) => {
    fc.assert(
      fc.property(table, fc.nat(), fc.nat(1000), (samples, place, start) => {
        const at = place % samples.data.length;
        samples.data[at] = bad;
        const { offender } = survey(samples, start);
        const [row, column] = [start + Math.floor(at / samples.cols), at % samples.cols];
        expect(offender).toEqual({ row, column, value: bad });
      }),
    );
  });

  it('adds up, and keeps the first offender', () => {
    const clean = { rows: 1, cols: 2, data: Float64Array.of(1, -4) };
    const bad = { rows: 1, cols: 2, data: Float64Array.of(0, Number.NaN) };
    const total = [survey(bad, 7), survey(bad, 8), survey(clean, 9)].reduce(surveyPass.add, survey(clean, 6));
    expect(total).toMatchObject({ samples: 4, zeroSamples: 0, largest: 4, offender: { row: 7, column: 1 } });
  });
});
