import { expect, it } from 'vitest';
import { lineChart } from '#lab/charts/line-chart.ts';
import { type Cell, rankedCells } from '#lab/experiments/framework/summary.ts';

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

it('marks what is below the end of the axis, and the values of the paper, each with a legend', () => {
  const at = (n: number, median: number): Cell => ({ ...cell, point: { n }, median, low: median, high: median });
  const references = [{ point: { n: 8 }, measure: 'error', value: 0.2 }];
  const chart = (cells: Cell[], also = {}) =>
    lineChart({
      ...{ title: '', subtitle: '', along: 'n', x: '', y: '', xLogarithmic: true },
      panels: [{ lines: [{ colour: 'someone', cells, ...also }], logarithmic: true }],
    });
  const pointsOf = ({ hconcat }: ReturnType<typeof lineChart>) => {
    const [{ layer, encoding }] = hconcat as { layer: Layer[]; encoding: { x: { axis: { values: number[] } } } }[];
    const { data, encoding: own } = layer.at(-1)!;
    return { values: data.values, legend: own.shape.legend, ticks: encoding.x.axis.values };
  };
  const { values, legend, ticks } = pointsOf(chart([at(2, 7e-24), at(4, 1e-3)], { references }));
  expect(values.map(({ x, at: y, kind }) => [x, y, kind])).toEqual([
    [2, 1e-16, 'below the axis'],
    [4, 1e-3, 'here'],
    [8, 0.2, "the paper's"],
  ]);
  expect(legend).not.toBeNull();
  expect(ticks).toEqual([2, 4, 8]);
  expect(pointsOf(chart([at(4, 1e-3)])).legend).toBeNull();
});

interface Layer {
  readonly data: { readonly values: { readonly x: number; readonly at: number; readonly kind: string }[] };
  readonly encoding: { readonly shape: { readonly legend: object | null } };
}
