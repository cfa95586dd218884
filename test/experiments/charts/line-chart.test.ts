import { expect, it } from 'vitest';
import { lineChart } from '#src/experiments/charts/line-chart.ts';
import { type Cell, rankedCells } from '#src/experiments/framework/summary.ts';

const cell: Cell = {
  point: { n: 5 },
  measure: 'error',
  values: Float64Array.of(-1, 0, 0.5),
  median: 0,
  low: -1,
  high: 0.5,
};

const medians = (logarithmic: boolean) => {
  const lines = [{ colour: 'someone', cells: rankedCells(cell) }];
  const common = { title: '', subtitle: '', along: 'rank', x: '', y: '' };
  const { hconcat } = lineChart({ ...common, panels: [{ lines, logarithmic }] });
  const [{ data }] = hconcat as { data: { values: { x: number; median: number }[] } }[];
  return data.values.map(({ x, median }) => [x, median]);
};

it('has every trial of a cell in ascending order', () => {
  expect(rankedCells(cell).map(({ point, median }) => [point.n, point.rank, median])).toEqual([
    [5, 1, -1],
    [5, 2, 0],
    [5, 3, 0.5],
  ]);
});

it('keeps negative values on a linear axis and raises values that a logarithmic one cannot show', () => {
  expect(medians(false)).toEqual([
    [1, -1],
    [2, 0],
    [3, 0.5],
  ]);
  expect(medians(true)).toEqual([
    [1, 1e-16],
    [2, 1e-16],
    [3, 0.5],
  ]);
});
