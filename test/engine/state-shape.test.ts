/** Bounds of the fields of a solver's state: the last value that fits and the first that does not. */
import { describe, expect, it } from 'vitest';
import { identity, type Matrix64 } from '#src/core/matrix.ts';
import {
  distributions,
  type Field,
  finite,
  flag,
  isStateValue,
  matrix,
  misfit,
  number,
  orthogonal,
  unitRows,
  vector,
  whole,
} from '#src/engine/state-shape.ts';
import { referenceKernels } from '#src/kernels/reference.ts';

const M = (rows: number, cols: number, ...data: number[]): Matrix64 => ({ rows, cols, data: Float64Array.from(data) });
const V = (...numbers: number[]) => Float64Array.from(numbers);
const off = (by: number) => M(2, 2, 1 + by, 0, 0, 1);

describe.each<[string, Field, mustBe: string, fit: unknown[], misfit: [unknown, string][]]>([
  ['number', number, 'a number', [0, Number.NaN, 1 / 0], [['1', '1']]],
  ['flag', flag, 'true or false', [true, false], [[0, '0']]],
  ['finite', finite(), 'a finite number', [-1e300, 0], [[1 / 0, 'Infinity']]],
  ['finite from 2', finite(2), 'a finite number from 2', [2], [[1.999, '1.999']]],
  [
    'whole',
    whole(),
    'a whole number from 0',
    [0, 2 ** 53 - 1],
    [
      [-1, '-1'],
      [0.5, '0.5'],
      [2 ** 53, `${2 ** 53}`],
    ],
  ],
  [
    'whole from 1 to 3',
    whole(1, 3),
    'a whole number from 1 to 3',
    [1, 3],
    [
      [0, '0'],
      [4, '4'],
    ],
  ],
  [
    'vector',
    vector(2),
    '2 finite numbers',
    [V(1, -1)],
    [
      [V(1), '1 numbers'],
      [V(1, 2, 3), '3 numbers'],
      [V(1, 1 / 0), 'Infinity at 1'],
      [[1, 2], 'an object with 0, 1'],
    ],
  ],
  [
    'vector from 0 to 1',
    vector(2, { least: 0, most: 1 }),
    '2 finite numbers from 0 to 1',
    [V(0, 1)],
    [
      [V(-1e-9, 1), '-1e-9 at 0'],
      [V(0, 1.001), '1.001 at 1'],
    ],
  ],
  [
    'matrix',
    matrix(1, 2),
    '1×2, finite',
    [M(1, 2, 3, 4)],
    [
      [M(2, 2, 1, 2, 3, 4), '2×2'],
      [M(1, 1, 1), '1×1'],
      [M(1, 2, 1, Number.NaN), 'NaN at row 0, column 1'],
      [M(1, 2, Number.NaN, 1), 'NaN at row 0, column 0'],
      [5, '5'],
    ],
  ],
  [
    'matrix of at most 2 rows',
    matrix({ most: 2 }, 1),
    'a matrix of at most 2 rows of 1, finite',
    [M(1, 1, 1), M(2, 1, 1, 2)],
    [[M(3, 1, 1, 2, 3), '3×1']],
  ],
  [
    'distributions',
    distributions(2, 2),
    '2×2, distributions',
    [M(2, 2, 0, 1, 0.5, 0.5), M(2, 2, 1, 0, 1 + 9e-7, 0)],
    [
      [M(2, 2, 0, 1, -0.5, 1.5), '-0.5 at row 1, column 0'],
      [M(2, 2, 0, 1, 0.5, 0.5 - 2e-6), 'a sum of'],
      [M(2, 2, 0.5, 0.6, 0, 1), 'a sum of 1.1 in row 0'],
    ],
  ],
  [
    'unit rows',
    unitRows(2, 2),
    '2×2, rows of norm 1',
    [identity(2), off(9e-7), off(-9e-7)],
    [
      [off(2e-6), 'norm 1.000002 in row 0'],
      [off(-2e-6), 'norm 0.999998 in row 0'],
      [M(2, 2, 1, 0, 0, 2), 'norm 2 in row 1'],
    ],
  ],
  [
    'rows of norm at most 1',
    unitRows(2, 2, true),
    '2×2, rows of norm at most 1',
    [identity(2), M(2, 2, 0, 0, 0, 0)],
    [[off(2e-6), 'norm 1.000002 in row 0']],
  ],
  [
    'orthogonal',
    orthogonal(2, 2, referenceKernels),
    '2×2, orthogonal',
    [identity(2), off(4e-9)],
    [[off(1e-7), 'one that is off by 2.0e-7']],
  ],
  [
    'orthogonal in float32',
    orthogonal(2, 2, referenceKernels, 'f32'),
    '2×2, orthogonal',
    [off(4e-4)],
    [[off(1e-3), 'one that is off by 2.0e-3']],
  ],
])('%s', (_, field, mustBe, fit, unfit) => {
  it('says what it must be, and takes it', () => {
    expect(field.mustBe).toBe(mustBe);
    for (const value of fit) expect(field.fault(value, {})).toBeUndefined();
  });

  it.each(unfit)('refuses %o', (value, words) => {
    expect(field.fault(value, {})).toContain(words);
  });
});

describe('misfit', () => {
  const shape = { count: whole(), done: flag };

  it('finds the first entry that is wrong, missing or unknown', () => {
    expect(misfit(shape, { count: 1, done: false })).toBeUndefined();
    expect(misfit(shape, { count: -1, done: 1 })).toEqual({
      name: 'count',
      mustBe: 'a whole number from 0',
      got: '-1',
    });
    expect(misfit(shape, { count: 1 })).toEqual({ name: 'done', mustBe: 'true or false', got: 'nothing' });
    expect(misfit(shape, { count: 1, done: true, more: V(1, 2) })).toEqual({
      name: 'more',
      mustBe: 'absent',
      got: '2 numbers',
    });
  });
});

it.each<[unknown, boolean]>([
  [1, true],
  [false, true],
  [V(1), true],
  [identity(1), true],
  [{ ...identity(1), data: Float32Array.of(1) }, false],
  [Float32Array.of(1), false],
  ['1', false],
  [null, false],
])('%o can be in a state: %s', (value, can) => {
  expect(isStateValue(value)).toBe(can);
});
