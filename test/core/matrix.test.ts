import fc from 'fast-check';
import { expect, it } from 'vitest';
import { norm } from '#src/core/matrix.ts';

const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e3, max: 1e3 }), { maxLength: 50 });

it('agrees with Math.hypot to the last digits', () => {
  fc.assert(
    fc.property(numbers, fc.constantFrom(1e-200, 1, 1e200), (values, scale) => {
      const scaled = values.map((value) => value * scale);
      const expected = Math.hypot(...scaled);
      expect(Math.abs(norm(Float64Array.from(scaled)) - expected)).toBeLessThanOrEqual(
        4 * Number.EPSILON * expected + 4 * Number.MIN_VALUE,
      );
    }),
  );
});

it('takes millions of numbers, and does not lose the small ones', () => {
  const many = new Float64Array(4_000_000).fill(1e-8);
  expect(Math.abs(norm(many) - 2e-5)).toBeLessThan(1e-19);
});

it('is not finite for non-finite numbers', () => {
  expect(norm(Float64Array.of(1, Number.NaN, 2))).toBeNaN();
  expect(norm(Float64Array.of(1, Number.NEGATIVE_INFINITY))).toBe(Number.POSITIVE_INFINITY);
  expect(norm(new Float64Array(0))).toBe(0);
});
