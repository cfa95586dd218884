/** Found rows, non-zeros and labels against true ones. */
import { expect, it } from 'vitest';
import { fromRows } from '#src/core/matrix.ts';
import { compareLabels } from '#src/metrics/compare-labels.ts';
import { compareSupports } from '#src/metrics/compare-supports.ts';
import { matchRows } from '#src/metrics/match-rows.ts';

const truth = fromRows([
  [1, 0, 0],
  [0, 2, 2],
]);

it('matches rows in any order, also if the matrices differ in size', () => {
  const found = fromRows([
    [0, 2, 5],
    [9, 9, 9],
    [1, 4, 0],
  ]);
  expect(matchRows(found, truth, 'l1')).toEqual({
    pairs: [
      { found: 0, truth: 1, distance: 3 },
      { found: 2, truth: 0, distance: 4 },
    ],
    meanDistance: 3.5,
    maxDistance: 4,
  });
  expect(matchRows(truth, found, 'l2').pairs.map(({ distance }) => distance)).toEqual([4, 3]);
  expect(() => matchRows(fromRows([[1]]), truth, 'l2')).toThrow('atoms of length 3, as in truth; got length 1');
});

it('counts non-zeros of matched components of either sign', () => {
  const loadings = fromRows([
    [0, -1, 0.1],
    [1, 0, 0],
  ]);
  expect(compareSupports(loadings, truth)).toMatchObject({ exact: 2, nonzerosFound: 3, nonzeros: 3, nonzerosWrong: 0 });
  const half = fromRows([[0.1, 1, 0]]);
  expect(compareSupports(half, truth)).toMatchObject({ exact: 0, nonzerosFound: 1, nonzeros: 3, nonzerosWrong: 1 });
});

it('compares labels up to their names', () => {
  expect(compareLabels([2, 2, 0, 0], [7, 7, 3, 3])).toEqual({ agreement: 1, purity: 1 });
  // a class in two clusters is pure, but only one of them matches it
  expect(compareLabels([0, 1, 2, 2], [5, 5, 6, 6])).toEqual({ agreement: 0.75, purity: 1 });
  expect(compareLabels([0, 0, 0, 0], [1, 2, 2, 3])).toEqual({ agreement: 0.5, purity: 0.5 });
  expect(() => compareLabels([0, 1], [1])).toThrow('classes must be 2 labels, one per sample; got 1');
});
