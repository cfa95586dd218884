/** The bounds of options, at both ends: the last value that is accepted and the first that is not. */
import { describe, expect, it } from 'vitest';
import {
  count,
  countOrCounts,
  counts,
  defineOptions,
  notNegative,
  notNegativeOrWord,
  numberOrWord,
  type OptionSpec,
  positive,
  positiveFinite,
  startCount,
  wholeNumber,
} from '#src/core/options.ts';

const INDEX = 2 ** 31 - 1;
const words = { placeholder: 'K', help: 'for tests' };
const settle = (spec: OptionSpec, value: unknown) =>
  (defineOptions({ it: spec }).settle('f', { it: value } as never) as { it: unknown }).it;

const { POSITIVE_INFINITY: infinite, MIN_VALUE: least, NaN: none } = Number;

describe.each<[string, OptionSpec, accepted: unknown[], refused: [value: unknown, must: string][]]>([
  [
    'a count',
    count(words),
    [1, INDEX],
    [
      [0, 'a whole number from 1; got 0'],
      [1.5, 'a whole number from 1; got 1.5'],
      [INDEX + 1, `at most ${INDEX}; got ${INDEX + 1}`],
      [2 ** 53, `at most ${INDEX}; got`],
      [infinite, 'a whole number from 1; got Infinity'],
      ['1', 'a whole number from 1; got 1'],
    ],
  ],
  [
    'a count from 0 to 7',
    count(words, 0, 7),
    [0, 7],
    [
      [-1, 'a whole number from'],
      [8, 'at most 7; got 8'],
    ],
  ],
  [
    'a number of starts',
    startCount(words),
    [1, 10_000],
    [
      [0, 'a whole number from 1'],
      [10_001, 'at most 10000; got 10001'],
    ],
  ],
  [
    'counts',
    counts(words),
    [[1], [3, 1, 2 ** 53 - 1]],
    [
      [[], 'whole numbers from 1'],
      [[0], 'whole numbers from 1'],
      [[1, 2 ** 53], 'whole numbers from 1'],
      [1, 'whole numbers from 1'],
    ],
  ],
  [
    'a count or counts',
    countOrCounts(words),
    [1, INDEX, [1, INDEX]],
    [
      [0, 'a whole number from 1, or several'],
      [INDEX + 1, 'a whole number from 1, or several'],
      [[INDEX + 1], 'a whole number from 1, or several'],
      [[0], 'a whole number from 1, or several'],
      [[], 'a whole number from 1, or several'],
    ],
  ],
  [
    'a positive number',
    positive(words),
    [least, infinite],
    [
      [0, 'a number above 0'],
      [none, 'a number above 0'],
    ],
  ],
  [
    'a positive finite number',
    positiveFinite(words),
    [least, Number.MAX_VALUE],
    [
      [0, 'a number above 0'],
      [infinite, 'a number above 0'],
    ],
  ],
  [
    'a number, 0 or more',
    notNegative(words),
    [0, infinite],
    [
      [-least, 'a number, 0 or more'],
      [none, 'a number, 0 or more'],
    ],
  ],
  ['a whole number', wholeNumber(words), [-(2 ** 53 - 1), 0, 2 ** 53 - 1], [[2 ** 53, 'a whole number']]],
  [
    'a number, 0 or more, or a word',
    notNegativeOrWord(['auto'], words),
    [0, 'auto'],
    [
      [-least, 'auto or a number, 0 or more'],
      ['none', 'auto or a number, 0 or more'],
    ],
  ],
  ['a number or a word', numberOrWord(['auto'], words), [-1, 'auto'], [[infinite, 'auto or a number']]],
])('%s', (_, spec, accepted, refused) => {
  it.each(accepted.map((value) => [value]))('may be %j', (value) => {
    expect(settle(spec, value)).toBe(value);
  });

  it.each(refused)('must not be %j', (value, must) => {
    expect(() => settle(spec, value)).toThrow(`f: it must be ${must}`);
  });
});
