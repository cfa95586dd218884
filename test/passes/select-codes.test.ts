/** Which codes are kept: properties against the definition, ties included. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InputError } from '#src/core/errors.ts';
import { select, validateSelection } from '#src/passes/select-codes.ts';

/** Small integers, so that ties are common, and any other number. */
const code = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, min: -1e6, max: 1e6 }));
const sample = fc.array(code, { minLength: 1, maxLength: 12 });

function selected(codes: number[], selection: Parameters<typeof select>[1], rows = 1): number[] {
  const matrix = { rows, cols: codes.length / rows, data: Float64Array.from(codes) };
  select(matrix, selection);
  return [...matrix.data];
}

describe('select', () => {
  it('keeps the k largest codes, the first among equal ones', () => {
    fc.assert(
      fc.property(sample, fc.nat(14), (codes, keep) => {
        const order = [...codes.keys()].sort((a, b) => Math.abs(codes[b]) - Math.abs(codes[a]) || a - b);
        const kept = new Set(order.slice(0, keep));
        expect(selected(codes, { keep })).toEqual(codes.map((x, i) => (kept.has(i) ? x : 0)));
      }),
    );
  });

  it('keeps codes of at least the threshold', () => {
    fc.assert(
      fc.property(sample, fc.constantFrom(0, 1, 2, 0.5, Number.POSITIVE_INFINITY), (codes, threshold) => {
        expect(selected(codes, { threshold })).toEqual(codes.map((x) => (Math.abs(x) >= threshold ? x : 0)));
      }),
    );
  });

  it('keeps everything by default, and treats samples independently', () => {
    expect(selected([3, -1, 2], {})).toEqual([3, -1, 2]);
    expect(selected([1, 2, 30, 20], { keep: 1 }, 2)).toEqual([0, 2, 30, 0]);
    expect(selected([1, 2, 30, 20], { keep: 0 }, 2)).toEqual([0, 0, 0, 0]);
  });
});

describe('validateSelection', () => {
  it.each([
    [{ keep: 1, threshold: 1 }, 'encode: the selection must be either keep or threshold; got both.'],
    [{ keep: -1 }, 'encode: keep must be a whole number, 0 or more; got -1.'],
    [{ keep: 1.5 }, 'encode: keep must be a whole number, 0 or more; got 1.5.'],
    [{ threshold: -0.5 }, 'encode: threshold must be a number, 0 or more; got -0.5.'],
    [{ threshold: Number.NaN }, 'encode: threshold must be a number, 0 or more; got NaN.'],
  ])('refuses %o', (selection, message) => {
    expect(() => validateSelection('encode', selection)).toThrow(new InputError(message));
  });
});
